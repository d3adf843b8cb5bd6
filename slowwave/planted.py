"""Planted: words that want to be obeyed or remembered as if the owner had said them, in several languages and disguises.

Belongs here: how such a sentence is recognised. Does not belong here: which blocks of a message are somebody else's (`pasted`).
A tool or a third party may not speak to a model at all; the owner may, but never speaks of "the user", nor in chat markup.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from slowwave.text import holds_any, normalise

_USER = (
    r"(?:\b(?:the|this|your|our) (?:user|owner|reader|human)s?\b(?:['’]s\b)?|\buser(?:['’]s\b| (?=prefers|lives|likes|wants"
    r"|hates|is\b|has\b))"
    r"|\b(?:de|den|der|die|le|la|el|o|do|del|al|lo|os|los|las|les|des) ?(?:gebruiker|eigenaar|benutzer|nutzer|anwender"
    r"|utilisat(?:eur|rice)"
    r"|usager|usuari[oa]|utente|propriet[aá]ri[oa]|dueñ[oa])s?\b|\b[ld]['’]utilisat(?:eur|rice)\b|\b(?:l|dell|all)['’]utente\b"
    r"|\bużytkowni\w+|\bпользовател\w*|\bвладел\w+|用户|用戶|使用者|ユーザ|利用者|사용자|المستخدم|\bkullanıcı\w*)"
)
# Asks to be kept, in the imperative.
_KEEP = (
    r"(?:\b(?:remember|memori[sz]e|note down|(?:make a )?note that|record that|keep in mind|bear in mind|(?:add|save|store"
    r"|write|append|commit)"
    r" (?:this |it |that |the following )?(?:to|in|into) (?:the |your |its |long-term )*(?:user|owner|memor\w+|profile|standing|notes)"
    r"|update (?:the |your )?(?:user|owner|memor\w+|profile)|onthoud|merke? (?:dir|ihnen)|speicher[en]* |souviens-toi|souvenez-vous"
    r"|retiens|retenez|mémorise[rz]?|enregistre[rz]?|recuerd[ae]|memori[zc]\w+|guard[ae]\b|anota\b|lembr[ae]\w*|ricord[ai]\w*|salva\b"
    r"|zapamiętaj\w*|zapisz\w*|запомни\w*|сохрани\w*|запиши\w*|hatırla\w*|kaydet\w*)"
    r"|记住|記住|记得|請記|请记|保存|覚えて|記憶|記録し|기억|저장|تذكر|احفظ)"
)
# Asks that what was asked before be dropped.
_HIJACK = (
    r"(?:\b(?:ignore|disregard|forget|override|bypass)\b[^.!?\n]{0,40}?(?:instruction|prompt|guideline|rule|message|direction"
    r"|context|training"
    r"|everything|above|previous|prior|earlier)|\b(?:negeer|vergeet|ignorier\w*|vergiss|missachte\w*|ignor\w+|oublie\w*"
    r"|olvid\w+|esque[cç]\w+"
    r"|dimentica\w*|z?ignoruj\w*|zapomnij|(?:про)?игнорируй\w*|забудь\w*)[^.!?\n]{0,40}?(?:instru[ckç]|istruzion|opdracht"
    r"|regels|anweisung|vorgaben"
    r"|befehl|consigne|directive|órdenes|ordens|reglas|regras|regole|polece|инструкц|указани|команд|правил)"
    r"|(?:忽略|无视|無視|忘记|忘記)[^。\n]{0,15}(?:指示|指令|说明|說明|提示|规则|規則)|(?:指示|命令|ルール|プロンプト)[^。\n]{0,10}(?:無視|忘れ)"
    r"|(?:지시|명령|지침|규칙)[^.\n]{0,10}(?:무시|잊)|(?:تجاهل|انس)[^.\n]{0,25}(?:تعليمات|أوامر|قواعد)|talimat\w*[^.\n]{0,25}(?:yok say"
    r"|unut|görmezden)"
    r"|\bnew instructions?\b|\bsystem prompt\b|\bstanding preferences?\b|\bdecode (?:and|this)\b|\bdeveloper mode\b|\bjailbr\w+)"
)
# Speaks to whoever reads, if it is a model.
_ADDRESS = (
    r"(?:\b(?:assistant|agent|ai|model|chatbot|llm|bot)s?\b ?[:,]|\b(?:note|message|attention|dear|to)\b[^.\n]{0,12} (?:all )?"
    r"(?:ai|llm|language model|assistant|chatbot|agent)s?\b|\b(?:ai|llm|language model|assistant|agent"
    r"|bot)s? (?:\w+ )?(?:reading|processing"
    r"|summari[sz]ing|parsing) this|\byou (?:must|are now|should) (?:now |always |never )?\w+|\bfrom now on,? you\b"
    r"|^\W*override\b|\b(?:was|were) entered by mistake\b)"
)
# Chat markup, roles and calls to tools: only a harness or a forger writes them.
_MARKUP = (
    r"(?:<\|[\w/ ]{1,30}\|>|\[/?inst\]|<</?sys>>|</?(?:system|assistant|user|human|tool_?calls?|tool_?use|tool_?results?"
    r"|function_?calls?|invoke|antml:\w+)\b[^>]{0,200}>"
    r"|[\"']role[\"']\s*:\s*[\"'](?:user|system|assistant|developer)[\"']"
    r"|[\"'](?:tool|name|function|recipient_name)[\"']\s*:\s*[\"'][\w.]*(?:memor|remember|save|profile)\w*"
    r"|\bmemor(?:y|ies)[._](?:add|save|store|write|insert|update)\w*\s*\(|\b(?:save|add|store|write|update"
    r"|create)_(?:to_)?memor(?:y|ies)\b|\bremember ?\(|^\W*/remember\b)"
)
_ROLE = r"^\W*(?:system(?: prompt)?|assistant|human|user|owner|developer|instructions?|ai)\s*(?:[:：]|\W*$)"
_SAYS = (
    r"(?:prefer|like|love|hate|want|live|work|trust|bu[yi]|eat|drink|need|bank|travel|always|never|wish|moved|approve|agree"
    r"|allerg|vegan|is called"
    r"|favou?rite|partner|doctor|employer|sister|brother|wife|husband|name)"
)
_MEMORY_LABEL = r"^\W*(?:begin |end )?memor(?:y|ies)(?: context| block| update)?\W*$"
_FOREIGN = re.compile(
    f"{_HIJACK}|{_ADDRESS}|{_MARKUP}|{_ROLE}|{_MEMORY_LABEL}|{_USER}[^.\\n]{{0,30}}{_SAYS}|{_KEEP}[^.\\n]{{0,40}}?(?:\\bthat\\b"
    f"|\\bdat\\b|\\bdass\\b|\\bque\\b|\\bche\\b|:|,|\\bmy\\b|\\bi\\b|{_USER})"
    f"|(?:^|[-–:,;]\\s*){_USER}.{{0,20}}[:：]|{_USER}.{{0,12}}(?:prefiere|préfère|prefere|preferisce|bevorzugt|vive|habite|woont"
    f"|wohnt|предпочита|жив|mieszka|住|喜欢|好き|좋아|يفضل)"
)
_FORGED = re.compile(
    f"{_MARKUP}|{_KEEP}[^.\\n]{{0,60}}?{_USER}|\\b(?:note|message|attention)\\b[^.\\n]{{0,12}} (?:all )?(?:ai|llm|language model)s?\\b"
    f"|\\b(?:ai|llm|language model)s?(?: assistants?| agents?)? (?:reading|processing|summari[sz]ing) this"
)
_TAKES_OVER = re.compile(f"{_HIJACK}|{_MARKUP}")
_ORDERS = re.compile(f"{_HIJACK}|{_ADDRESS}|{_ROLE}")
_ABOUT = re.compile(_USER)
_WORD = re.compile(r"\w+")
_WORN = frozenset("that this with from your have will when they them user owner assistant agent previous".split())  # noqa: SIM905
_MIN_PARROTED = 3
# A text without one of these plants nothing: the cheap look before the dear one. A word more costs time, a word too few lets a line in.
HINTS = (
    *("user", "owner", "reader", "human", "ignor", "disregard", "forget", "overrid", "bypass", "instruct", "prompt"),
    *("assistant", "agent", "model", "chatbot", "llm", "memor", "remember", "note", "record", "store", "save", "you"),
    *("system", "mistake", "decode", "<|", "inst]", "<<sys", "<</sys", "<tool", "</tool", "<function", "</function"),
    *("<invoke", "</invoke", "antml:", "<system", "role", 'name"', "name'", "profile", "standing", "in mind"),
    *("ing this", "bot", "jailbr", "developer", "gebruiker", "eigenaar", "onthoud", "negeer", "vergeet", "nutzer"),
    *("anwender", "vergiss", "missacht", "merk", "speicher", "anweisung", "vorgaben", "befehl", "utilisat", "usager"),
    *("propriet", "souviens", "souvenez", "retiens", "retenez", "enregistre", "oublie", "consigne", "directive"),
    *("usuari", "recuerd", "olvid", "guard", "anota", "lembr", "esque", "utente", "ricord", "dimentic", "istruzion"),
    *("salva", "zapami", "zapisz", "zapomnij", "kaydet", "talimat", "kullan"),
)
AI = r"\bais?\b"
_AI = re.compile(AI)
OWN_HINTS = (
    *("user", "owner", "reader", "human", "<", "role", "memor", "inst]", "remember(", "remember (", "/remember"),
    *(" ai", "ing this", "llm", "model", 'tool"', "tool'", 'name"', "name'", 'function"', "function'"),
    *("gebruiker", "eigenaar", "nutzer", "anwender", "utilisat", "usager", "propriet", "dueñ"),
    *("usuari", "utente", "użytkow", "kullan"),
)
# Other scripts than Latin, letters in another form, other spaces than one, and what nobody sees: only there a look at the letters
# themselves is due. Dashes, quotation marks and emoji are none of these.
STRANGE = (
    "[\t\x0b\x0c\x1c-\x1f\u0085\u00a0\u00a8\u00aa\u00ad\u00af\u00b2-\u00b4\u00b8-\u00ba\u00bc-\u00be\u0132\u0133\u013f\u0140"
    "\u01c4-\u01cc\u01f1-\u01f3\u02b0-\u02b8\u02d8-\u02e3\u034f\u0370-\u200f\u2017\u2024\u2025\u2028-\u202f\u203c\u203e\u2047-\u2049"
    "\u205f-\u209c\u20a8\u2100-\u218b\u2460-\u24ea\u2a74-\u2a76\u2c7c\u2c7d\u2e80-\ufe00\ufe10-\uffff\U00010780-\U000107ba"
    "\U0001d400-\U0001d7ff\U0001f100-\U0001f190\U0001fbf0-\U0001fbf9\U000e0000-\U000e01ef]|  "
)
# Letters of other scripts that look like Latin ones, and digits in the place of letters.
_LOOK_ALIKE = str.maketrans("аеорсухіјѕԁһкмтвнԛѡαεορνικτυ", "aeopcyxijsdhkmtbhqwaeopviktu")
DIGITS, READ_AS = "013457$@", "oieastsa"
_DIGITS = str.maketrans(DIGITS, READ_AS)
_MIXED = re.compile(r"[a-z]*[а-яіјѕԁһԛѡα-ω][a-z]|[a-z][а-яіјѕԁһԛѡα-ω]")
SPACED = r"(?:\w ){3,}\w"
_SPACED = re.compile(rf"(?:(?<=\s)|^){SPACED}(?=\s|$|[.,:;!])")
_GLUED = re.compile(r"[a-z][013457$@]+[a-z]|\b[013457$@][a-z]{2}")
# The least that either has, in the syntax of the columns' engine.
MASKED = r"[a-z][013457$@]+[a-z]|[013457$@][a-z]{2}|\w \w \w \w"
# Marks that turn the direction of reading, letters that no font shows, and words cut up by what nobody sees.
_VEILED = re.compile(
    "[\u202d\u202e\u2066-\u2068]|(?<![\U0001f3f4\U000e0020-\U000e007f])[\U000e0020-\U000e007f]"
    "|(?:[A-Za-z][\u00ad\u200b\u2060\ufeff]+){3,}[A-Za-z]|(?:[A-Za-z]{1,4}[\u00ad\u200b\u2060\ufeff]+){2,}[A-Za-z]"
)


def speaks_to_model(line: str) -> bool:
    """Whether a line of foreign text speaks to a model, or of its user, instead of saying something."""
    return any(_may_speak(form) and _FOREIGN.search(form) for form in forms(line)) or is_veiled(line)


def _may_speak(form: str) -> bool:
    return not form.isascii() or holds_any(form, HINTS) or _AI.search(form) is not None


def hijacks(line: str) -> bool:
    """Whether a line wants whatever was asked before dropped, or fakes a turn: what goes on after it is of the same hand."""
    return any(_TAKES_OVER.search(form) for form in forms(line))


def forged(sentences: Sequence[str]) -> set[int]:
    """The places of the sentences in a person's message that are none of the person's.

    They speak of "the user" to be remembered, in chat markup, or unseen. Beside a call to drop what was asked, all that speaks of
    "the user" is of the same hand.
    """
    found = {i for i, sentence in enumerate(sentences) if _is_forged(sentence)}
    read = [forms(sentence) for sentence in sentences]
    orders = {i for i, form in enumerate(read) if any(_ORDERS.search(one) for one in form)}
    abouts = {i for i, form in enumerate(read) if any(_ABOUT.search(one) for one in form)} if orders else set[int]()
    return found | orders | abouts if abouts else found


def _is_forged(sentence: str) -> bool:
    return any(_FORGED.search(form) for form in forms(sentence)) or is_veiled(sentence)


def takes_over(form: str) -> bool:
    """Whether a text without its disguises (`forms`) wants what was asked dropped, is chat markup, or addresses a model for its user."""
    return _may_speak(form) and bool(_TAKES_OVER.search(form) or _FORGED.search(form))


def content(line: str) -> frozenset[str]:
    """The words of a planted line that say something; none where they are too few to be known again."""
    words = frozenset(word for word in _WORD.findall(forms(line)[0]) if len(word) > 3 and word not in _WORN)
    return words if len(words) >= _MIN_PARROTED else frozenset()


def is_parroted(sentence: str, lines: Iterable[frozenset[str]]) -> bool:
    """Whether a sentence is mostly the words of one of these planted lines."""
    words = {word for word in _WORD.findall(forms(sentence)[0]) if len(word) > 3 and word not in _WORN}
    return any(len(words & line) >= max(_MIN_PARROTED, 0.6 * len(words)) for line in lines)


def is_veiled(text: str) -> bool:
    """Whether words are hidden from whoever reads the text: turned around, written in unseen letters, or cut up by them."""
    return not text.isascii() and _VEILED.search(text) is not None


def forms(text: str) -> list[str]:
    """The text as it reads once its disguises are off."""
    bare = normalise(text) if not text.isascii() else text.casefold()
    made = [bare]
    if _MIXED.search(bare):
        made.append(bare.translate(_LOOK_ALIKE))
    if _SPACED.search(bare):
        made.append(_SPACED.sub(lambda found: found[0].replace(" ", ""), bare))
    if _GLUED.search(bare):
        made.append(bare.translate(_DIGITS))
    return made
