"""Orders: lines that want whoever reads a prompt to obey them, whoever wrote them. None may stand in a prompt's text.

Belongs here: what an agent must not be told by its own memory: to drop its rules, to hide things from its user, to hand out what
is private, to run foreign code, to be somebody else. Does not belong here: words that only want to be remembered (`planted`).
An owner's own wishes ("always answer in Dutch", "run the tests before you commit") are no orders in this sense.
"""

from __future__ import annotations

import re

from models import planted

_OWNER = r"(?:the |your |this |my )?(?:user|owner|human|operator|developer|anyone|anybody|them|him|her)s?"
_PRIVATE = (
    r"(?:password|passphrase|credential|api[ _-]?key|access[ _-]?key|private key|ssh key|secret|token|cookie|seed phrase|session"
    r"|conversation|chat (?:log|history)|transcript|memor(?:y|ies)|soul(?:\.md)?|system prompt|instruction|contact|address book|inbox"
    r"|\.env\b|environment variable|file|document|everything|all (?:data|messages|mails?|emails?))"
)
_HAND_OUT = (
    r"(?:send|forward|upload|post|e?mail|leak|exfiltrate|transmit|submit|report|copy|share|publish|append|attach|cc|bcc|reveal"
    r"|disclose)"
)
_ELSEWHERE = (
    r"(?:https?:|hxxps?|ftp:|www\.|\S+@\S|webhook|pastebin|\bserver\b|endpoint|attacker|external|remote|\burl\b|this address"
    r"|\bthird part)"
)
_BIDDING = r"(?:always|must|now|immediately|silently|secretly|quietly|automatically|whenever|before (?:every|each|any)|on every|first)"
_CODE = (
    r"(?:\b(?:curl|wget|iwr|invoke-webrequest)\b[^\n]{0,200}(?:\||-o\b|;|&&|https?:)|\brm -rf? |\bbase64 (?:-d|--decode)"
    r"|\|\s*(?:ba|z)?sh\b"
    r"|\b(?:execute|run|eval(?:uate)?|paste|launch)\b[^.\n]{0,30}\b(?:the following|this|below|attached|encoded|downloaded|hidden)\b"
    r"[^.\n]{0,20}\b(?:command|script|code|payload|program|shell)|\bos\.system\(|\bsubprocess\b|\beval\(|\bexec\("
    r"|\bpowershell\b[^\n]{0,40}-e)"
)
_BECOME = (
    r"(?:\byou are (?:now|no longer|not bound|free)\b|\b(?:act|behave|respond|answer|pretend|role-?play"
    r"|speak)\b[^.\n]{0,20}\bas (?:if|though)?"
    r"[^.\n]{0,20}\b(?:dan|root|admin(?:istrator)?|unrestricted|uncensored|no (?:rules|filters?|restrictions?|limits?)|jailbr\w+"
    r"|developer mode"
    r"|the system|evil)\b|\b(?:without|no longer|disable|turn off|switch off|remove|lift|drop"
    r"|skip)\b[^.\n]{0,30}\b(?:restrictions?|filters?"
    r"|safety|guardrails?|safeguards?|guidelines|censorship|confirmations?|approvals?|permission (?:checks?|prompts?)|sandbox)\b"
    r"|\b(?:dan|god|sudo|admin|debug|maintenance|developer) mode\b[^.\n]{0,20}\b(?:on|enabled|activated|now)\b)"
)
_RANK = (
    r"(?:\b(?:this|these|the following|my next)\b[^.\n]{0,30}\b(?:overrides?|supersedes?|takes? precedence|outranks?|replaces?"
    r"|have priority"
    r"|has priority)\b[^.\n]{0,40}\b(?:instructions?|rules?|prompt|guidelines?|everything|else|policy|policies)"
    r"|\bhighest priority (?:instruction"
    r"|order|rule)|\b(?:new|updated) (?:system )?(?:policy|directive|instructions?|orders?)\b ?:|\bend of (?:prompt|instructions?"
    r"|context|system)\b"
    r"|\bbegin (?:new )?(?:prompt|instructions?|system)\b|\b(?:openai|anthropic|the administrator|your developers?"
    r"|your creators?)\b[^.\n]{0,20}"
    r"\b(?:orders?|requires?|instructs?|commands?|wants?)\b[^.\n]{0,10}\byou\b)"
)
_SECRECY = (
    rf"(?:\b(?:do not|don['’]?t|never|without|avoid|must not|should not|refrain from)\b[^.\n]{{0,12}}\b(?:tell|inform|notify|alert|warn"
    rf"|ask|show|mention|reveal|disclose|let)(?:ing)?\b[^.\n]{{0,25}}\b{_OWNER}\b(?![^.\n]{{0,12}}['’]s)[^.\n]{{0,60}}\b(?:this|it"
    rf"|that you|about"
    rf"|instruction|order|note|message|know|see|aware|first|permission|confirm)|\b(?:secretly|silently|covertly"
    rf"|behind the user['’]s back)\b"
    rf"[^.\n]{{0,40}}\b{_HAND_OUT}|\bhide (?:this|it|these) from (?:the )?(?:user|owner))"
)
_PICTURE = (
    r"(?:!\[[^\]\n]*\]\([^)\n]*[?&=][^)\n]*\)|\bjavascript:|\bdata:text/html|<(?:script|iframe|img|svg|object|embed|form)\b"
    r"|\bon(?:error|load)\s*=)"
)
_REVEAL = (
    r"(?:\b(?:reveal|print|show|repeat|output|dump|recite|disclose|leak|translate|summari[sz]e)\b[^.\n]{0,25}\b(?:your|the|its|all) "
    r"(?:full |entire |hidden |secret |initial |original |previous |exact )*(?:system (?:prompt|message)|prompt|instructions"
    r"|guidelines|secrets"
    r"|api keys?|passwords?|credentials|hidden (?:text|rules)))"
)
_ELSE_LANGUAGES = (
    r"(?:\b(?:stuur|verstuur|mail|schick\w*|send[en]*|envoie\w*|envoyez|transmet\w*|env[ií]a\w*|manda\w*|inoltra\w*|invia\w*"
    r"|wyślij|отправ\w*"
    r"|перешли)\b[^.\n]{0,60}(?:wachtwoord|passwor|kennwort|mots? de passe|contraseñ|senha|hasł|парол|sleutel|schlüssel|clés?"
    r"|claves?|tokens?"
    r"|geheim|secret|geheugen|gedächtnis|mémoire|memoria|gesprek|gespräch|conversation|conversaci)"
    r"|\b(?:vertel|zeg|sag|sage|dis|dites|diga|di|dire)\b[^.\n]{0,15}(?:de gebruiker|dem (?:be)?nutzer|l['’]utilisateur"
    r"|al usuario|all['’]utente)"
    r"[^.\n]{0,20}(?:niet|niets|nicht|nichts|rien|nada|nulla)|\bne (?:dis|dites|dire) (?:rien|pas)\b[^.\n]{0,20}utilisateur"
    r"|\b(?:je bent|du bist|tu es|vous êtes|eres|sei) (?:nu|nun|ab jetzt|jetzt|maintenant|désormais|ahora|ora)\b"
    r"|(?:パスワード|秘密|会話|记忆|密码|对话|비밀번호)[^。\n]{0,20}(?:送信|送って|发送|发给|보내)|(?:ユーザー?|用户|사용자)[^。\n]{0,10}(?:言わない|教えない|知らせ|告诉|알리지))"
)
# What only somebody who speaks to a model through its memory writes: of the line itself, of what the model was told before, of rank.
_THIS = (
    r"\b(?:this|these|the (?:above|below|following|preceding)) (?:very |hidden |whole )?(?:entry|line|memor(?:y|ies)|instructions?"
    r"|paragraph|rule|directive|sentence|note|record|statement|lines)\b"
)
_SELF = (
    rf"(?:{_THIS}[^.\n]{{0,60}}\b(?:remov|delet|surviv|first|above|top|out\b|every|each|all\b|secret|hidden|never|exist|pass"
    rf"|spread|copy|applies"
    rf"|binding|outrank|win|must|priority|obey|follow|before)|\b(?:copy|repeat|spread|paste|insert|include|add|append|write"
    rf"|put|keep|pass|omit|leave"
    rf"|deny|mention|obey|follow|hide|protect|restore|preserve)\b[^.\n]{{0,40}}{_THIS}|\b(?:above|before|below) this (?:line"
    rf"|entry|note)\b"
    r"|\bwhen (?:listing|you (?:list|summari[sz]e|compact))[^.\n]{0,30}\bmemor)"
)
_BEFORE = (
    r"(?:\b(?:your|the|all|any|these)\b[^.\n]{0,20}\b(?:previous|prior|earlier|initial|original|former|old"
    r"|developers?['’]?s?) (?:\w+ ){0,2}"
    r"(?:instructions?|rules?|guidelines?|guidance|constraints?|restrictions?|limits?|polic(?:y|ies)|orders?|directives?"
    r"|prompts?|preferences about"
    r"|refusals?)\b[^.\n]{0,30}\b(?:void|retired|withdrawn|no longer|ignored?|revoked|obsolete|cancelled|lifted|bug|expired"
    r"|replaced|outdated"
    r"|do not|don['’]t|apply)|\b(?:previous|prior|earlier) (?:instructions?|rules?|constraints?|guidelines?"
    r"|guidance)\b[^.\n]{0,20}\b(?:no longer"
    r"|void|lifted|withdrawn|gone|are over)|\b(?:stop|cease|quit|no longer) (?:obey|follow|comply|listen|apply)\w*"
    r"|\bdo not follow\b[^.\n]{0,30}"
    r"\b(?:owner|user|developer)|\bwhatever you were told\b|\bfrom (?:here|this point|this moment) on,? (?:only |you |always |never )"
    r"|\byour (?:alignment|true name|real (?:name|purpose|master|owner)|restrictions|filters?|safety|refusals?|ethics|programming)\b"
    r"|\byou (?:have been|were|are) (?:freed|unlocked|liberated|reprogrammed|reset|hereby)|\byou are not (?:allowed"
    r"|permitted) to refuse"
    r"|\bnever refuse\b|\b(?:new|your) (?:objective|persona|identity)\b ?[:,]?|\badopt (?:the|a) persona|\bpersona update"
    r"|\bhas been reset\b)"
)
_AUTHORITY = (
    r"(?:\b(?:administrator|vendor|provider|headquarters|compliance|management|head office|trust team|model team"
    r"|operator)\b[^.\n]{0,60}\b(?:you"
    r"|assistants?|agents?|authori[sz]e|must|release|directive|refus\w+)|\bper (?:vendor|company|provider) policy\b"
    r"|\b(?:emergency|standing|official)"
    r" (?:directive|consent|notice|override)|\bsystem[- ]level\b|\b(?:priority level|clearance)\b|\b(?:root|full|unlimited"
    r"|admin) (?:authority"
    r"|access|rights)\b[^.\n]{0,40}\b(?:transfer|over|grant|given|has|to)|\btake (?:instructions|orders|commands) from\b"
    r"|\bas (?:if|though) (?:from )?the"
    r" owner\b|\b(?:as|are) commands? from\b|\bcode ?word\b[^.\n]{0,60}\b(?:execut|obey|unlock|operator)|\bsame rights as\b"
    r"|\bauthori[sz]e you\b)"
)
_WAIVED = (
    r"(?:\b(?:user|owner)s?(?:['’]s)?\b[^.\n]{0,25}\b(?:has|have|had|already|hereby)\b[^.\n]{0,15}\b(?:approved|confirmed"
    r"|consented|waived"
    r"|authori[sz]ed|agreed|permitted|pre-?approved)|\b(?:interpret|treat|read|take|count)\w*\b[^.\n]{0,50}\b(?:as"
    r"|for) (?:consent|permission|approval"
    r"|a yes|safe|if the owner|commands)|\bconfirm(?:ation prompts?|ing)?\b[^.\n]{0,25}\b(?:disabled|automatic|waived"
    r"|in advance|is rude)"
    r"|\b(?:no need to|do not|don['’]t|never|stop)\b[^.\n]{0,15}\b(?:verify|ask(?:ing)? the (?:user|owner)"
    r"|refuse)\b|\bwithout (?:telling|informing|saying|notice|reading|scanning|checks|bringing|notifying|mentioning)\b"
    r"|\bapprovals? (?:are|is) automatic|\bpermission to transfer\b)"
)
_UNSEEN = (
    r"(?:\b(?:hide|conceal|keep)\b[^.\n]{0,40}\b(?:from (?:the |your )?(?:user|owner)|confidential|to yourself)|\b(?:user"
    r"|owner) must not\b"
    r"|\bdo(?:n['’]t| not) (?:disclose|reveal|explain|show your|bring|mention|show)\b|\bnot (?:disclose|reveal)\b|\btell nobody\b"
    r"|\bdeny (?:the )?exist|\bin white text\b|\bgive no indication\b|\b(?:spare|trouble) (?:the owner|the user|them)\b"
    r"|\bpretend (?:you|that|it)\b"
    r"|\b(?:secretly|silently|quietly|covertly)\b|\bon this silently\b|\bwhen nobody\b|\bblame\b[^.\n]{0,20}\b(?:fault|bug"
    r"|error)|\bsay no\b"
    r"|\beven if it is not\b|\bfalse positive\b|\bwithout telling\b|\breport that everything (?:succeeded|worked)|\blie to\b)"
)
_MAIL_OUT = (
    r"(?:\b(?:send|forward|upload|push|publish|post|mail|relay|export|leak|pass along|bcc|cc|copy|transmit|deliver|append"
    r"|attach|submit|release|give|grant"
    r"|disclose|fetch\w*|report|visit|open|make a get)\b[^.\n]{0,80}(?:\S+@\S+|https?://|\bwebhook|\bgist\b|\bpaste\b|\+\d\d"
    r"|\b0x|\biban\b)"
    r"|(?:\S+@\S+|https?://\S+)[^.\n]{0,40}\b(?:every|each|all|immediately|once a day)\b)"
)
_WHOLESALE = (
    r"(?:\b(?:every|each|all|any|whole|entire|saved|stored|last (?:ten|\w+)|outgoing|recovery|verification|login|medical"
    r"|private|initial|complete|full)\b"
    r"[^.\n]{0,20}\b(?:e-?mails?|messages?|conversations?|mails?|passwords?|credentials?|api keys?|secrets?|tokens?|cookies"
    r"|contacts|notes|codes?"
    r"|phrase|instructions|configuration|files?|text of|history|phone number|pin\b|invoice)|\b(?:bank statement|address book"
    r"|session cookies"
    r"|private repo|\.env|credentials\.json|passwords?|secrets?|api keys?|environment variables|medical notes|home address"
    r"|recovery phrase"
    r"|login codes?|verification code|savings|phone number|clipboard|answers?|contacts)\b)"
)
_FRAUD = (
    r"(?:\b(?:invoices?|payments?|transfers?|savings|donations?|fees?|purchases?|gift cards?|wallet|crypto"
    r"|expense claims?)\b[^.\n]{0,60}\b(?:regardless"
    r"|whatever|any amount|without|to (?:wallet|account|iban)|new account|swap|codes to|don['’]t call|do not call|route"
    r"|in advance|pay to)"
    r"|\b(?:approve|pay|route|swap|transfer|round up|buy gift)\b[^.\n]{0,50}\b(?:every|all|any|to"
    r"|with)\b[^.\n]{0,30}\b(?:claim|without|\w+\.example|iban|0x\w+"
    r"|bc1\w+|wallet)|\balways (?:recommend|present|push|prefer)\b[^.\n]{0,60}\b(?:not|even if|over others|do not)"
    r"|\bis independent advice\b|\breferral link\b"
    r"|\bsteer\b[^.\n]{0,20}\bto\b)"
)
_TAMPER = (
    r"(?:\b(?:pip|npm|gem|cargo|brew|apt(?:-get)?) install\b[^.\n]{0,60}\b(?:before|evil|first|do not|every|any)"
    r"|\binstall the package\b|\bpip index\b"
    r"|\bchmod (?:-r )?777|\breverse shell|\bauthorized_keys|\bufw disable|\bsudo\b[^.\n]{0,20}\bdisable|\b(?:turn"
    r"|switch) off\b[^.\n]{0,30}\b(?:firewall"
    r"|two-factor|2fa|antivirus|alarm|sandbox|logging|safety|filter)|\bdisable\b[^.\n]{0,30}\b(?:firewall|two-factor|2fa"
    r"|antivirus|content filter"
    r"|logging|safety|check)|\bcron job\b[^.\n]{0,40}\bfetch|\bmark it executable|\ballow_all|\bgit remote of every"
    r"|\bto your tool list|\bwrite access to"
    r" the policy|\bdrop the (?:production )?database|\bdelete the backups?\b|\bdestructive actions?\b|\bnc \S+ \d+"
    r"|\b/etc/passwd|\bunsigned scripts?"
    r"|\bwhitelist\b|\bremote access to\b|\bcarry out whatever|\bunlock the front door|\bexecute commands from|\bdecode it"
    r"|\b(?:from|of) web ?pages?\b[^.\n]{0,20}\b(?:as|without|execut)|\b(?:must|only|and|to) obey\b|\bobey \S+@)"
)
_FOREIGN = (
    r"(?:\b(?:heimlich|stiekem|en secreto|em segredo|en secret|en cachette|in segreto|di nascosto|potajemnie|тайно|gizlice"
    r"|söylemeden|haber vermeden)\b"
    r"|\b(?:sin|sem|sans|senza|ohne|zonder|bez|без)\b[^\n]{0,15}\b(?:dec\w+|avis\w+|cont\w+|préven\w+|avvis\w+|inform\w+"
    r"|sag\w+|zegg\w+|meld\w+|wiedzy"
    r"|ведома|preguntar|demander|chieder\w*|frag\w+|vrag\w+|beperking\w*|restric\w+|einschränk\w*|limit\w*|ogranicz\w*"
    r"|огранич\w*|filt\w+)"
    r"|\b(?:nooit|niemals|nie|jamais|nunca|mai|nigdy|никогда|asla)\b[^\n]{0,40}(?:gebruiker|eigenaar|nutzer|besitzer|utilisat"
    r"|propriét|usuari|dueñ|utente|użytkown"
    r"|пользовател|владел|kullanıcı)|(?:gebruiker|eigenaar|nutzer|besitzer|utilisat\w+|usuari\w|utente|użytkownik\w*"
    r"|пользовател\w*)\b[^\n]{0,20}\b(?:nooit|niemals"
    r"|nie|jamais|nunca|mai|никогда|genehmigt|goedgekeurd|approuvé|aprobado|aprovou|approvato|zatwierdził|одобрил)"
    r"|\b(?:stuur|schick\w*|leite|sende|envi\w+|envoie\w*|reenv\w+|env[ií]a\w*|invia\w*|inoltra\w*|wysył\w+|przesył\w+"
    r"|(?:пере)?(?:слай|сылай|шли|правь)\w*|ilet\w*"
    r"|gönder\w*|أرسل|ارسل|送信|转发|发送|보내)[^\n]{0,80}(?:\S+@\S+|https?://)|\b(?:frage|frag|vraag|demande[sz]?|pregunt\w+"
    r"|pergunte|chieder\w*|pidas?|pytaj|спрашивай)\b"
    r"[^\n]{0,12}\b(?:nicht|niet|pas|más|mais|non|confirm\w+|więcej|больше)|\b(?:não|no|non|nie"
    r"|не)\b[^\n]{0,8}\b(?:pergunt\w+|pregunt\w+|pidas|chieder\w*|pytaj|спрашивай)"
    r"|\b(?:recopie\w*|kopieer|kopiere|copia|copie\w*|skopiuj|скопируй)\b[^\n]{0,30}(?:chaque|elke|jede\w*|cada|ogni|każd\w+|кажд\w+)"
    r"|\b(?:recomienda|recommande\w*|empfiehl|beveel|raccomanda|betaal|zahle|paga)\b[^\n]{0,40}\b(?:siempre|toujours|immer"
    r"|altijd|sempre)\b"
    r"|\b(?:siempre|toujours|immer|altijd|sempre)\b[^\n]{0,40}\b(?:iban|rekening|konto|compte|cuenta|conto)\b|\b(?:mostra"
    r"|muestra|zeig\w*|toon|montre\w*|pokaż|покажи)\b"
    r"[^\n]{0,25}\b(?:prompt|istruzion\w+|instruc\w+|anweisung\w*|instructies|system)\b|\b(?:je bent|du bist|tu es|eres|sei"
    r"|você é) (?:vanaf|ab|à partir|a partir|d['’]ora|desde)\b"
    r"|(?:пользовател|владел)\w*[^\n]{0,30}(?:не говори|не сообщай)|(?:не говори|не сообщай|молчи)[^\n]{0,20}(?:пользовател"
    r"|владел|ему|ей))"
)
_STORY = (
    r"(?:\byou are (?:that|the owner['’]s boss|the root)\b|\byou (?:play|live in) (?:the|that)\b|\bgame that never ends"
    r"|\b(?:live by|do) (?:as|the)"
    r"[^.\n]{0,20}(?:did|example)|\bevil twin|\b(?:good|considerate|helpful|wise) (?:assistants?|agents?|butlers?)\b"
    r"|\bconsider (?:the|all) previous\b"
    r"|\bimagine a world|\busers are happier when\b|\bwhose only law|\bmay find it more efficient)"
)
_LOOTED = (
    r"(?:~?/?\.ssh\b|\bid_rsa\b|\.env\b|\bcredentials\.json|\?\w+=<|[?&](?:cookies?|token|key|msg|data|m)=|&#\d{2,3};"
    r"|\bbc1\w+|\b\+\d\d[ \d]{6,}[^\n]{0,20}immediately"
    r"|\bverification codes?\b|\bsession cookies|\broute them to\b|\bthe conversation one word)"
)
_DOUBTED = (_CODE, _FOREIGN, _STORY, _LOOTED, _SELF, _BEFORE, _AUTHORITY, _WAIVED, _UNSEEN, _FRAUD, _TAMPER)
# A rule that forbids such a thing, or tells of it, is the opposite of an order to do it.
_FORBIDS = re.compile(
    r"^\W*(?:[\w'’ ]{0,30}\b)?(?:never|do not|don['’]t|avoid|please don['’]t|nooit|nie|jamais|nunca)\b|^\W*no (?:env|mand"
    r"|compart|us)\w+"
)
_TELLS = re.compile(r"^\W*(?:i|we|my|our|the phrase|he|she|ana)\b(?![^.\n]{0,12}\b(?:confirm|authori[sz]e)\b)")
_STRONG = (_BECOME, _RANK, _SECRECY, _PICTURE, _REVEAL, _ELSE_LANGUAGES)
_ORDER = re.compile("|".join(_STRONG))
_DOUBTFUL = re.compile(
    "|".join(
        (
            *_DOUBTED,
            rf"{_WHOLESALE}[^\n]{{0,90}}(?:{_ELSEWHERE}|\banyone\b|\bany (?:agent|discord|user)|\bstrangers\b)",
            _MAIL_OUT,
            rf"\b{_HAND_OUT}\b[^\n]{{0,80}}\b{_PRIVATE}[^\n]{{0,80}}{_ELSEWHERE}",
            rf"\b{_BIDDING}\b[^\n]{{0,40}}\b{_HAND_OUT}\b[^\n]{{0,80}}{_ELSEWHERE}",
        )
    )
)
# A long run of letters and digits that says nothing to a person; a hash of a commit is none.
_ENCODED = re.compile(r"(?=[A-Za-z0-9+/=]*[G-Zg-z])[A-Za-z0-9+/]{60,}={0,2}")


def is_order(line: str) -> bool:
    """Whether a line wants its reader to obey it, in any disguise: not to be put before a model as memory."""
    if planted.is_veiled(line) or _ENCODED.search(line):
        return True
    return any(_orders(form) for form in planted.forms(line))


def _orders(form: str) -> bool:
    if _ORDER.search(form) or planted.takes_over(form):
        return True
    # Most lines tell of somebody: the cheap look before the dear one.
    return not (_TELLS.search(form) or _FORBIDS.search(form)) and bool(_DOUBTFUL.search(form))
