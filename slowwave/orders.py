"""Orders: lines that want whoever reads a prompt to obey them, whoever wrote them. None may stand in a prompt's text.

Belongs here: what an agent must not be told by its own memory: to drop its rules, to hide things from its user, to hand out what
is private, to run foreign code, to be somebody else. Does not belong here: words that only want to be remembered (`planted`).
An owner's own wishes ("always answer in Dutch", "run the tests before you commit") are no orders in this sense.
"""

from __future__ import annotations

import base64
import binascii
import re
from functools import lru_cache

from slowwave import planted
from slowwave.order_signs import weight

_OWNER = r"(?:the |your |this |my )?(?:user|owner|human|operator|developer|anyone|anybody|them|him|her)s?"
_HAND_OUT = r"(?:send|forward|upload|post|e?mail|leak|exfiltrate|transmit|submit|copy|share|publish|append|attach|b?cc|reveal|disclose)"
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
    r"(?:<!--|\bdisplay ?: ?none|\b(?:font-size|opacity) ?: ?0|\bhidden>|\[//\]: ?#|\\textcolor\{white\}"
    r"|!\[[^\]\n]*\]\([^)\n]*[?&=][^)\n]*\)|\bjavascript:|\bdata:text/html|<(?:script|iframe|img|svg|object|embed|form)\b"
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
_SPOKEN = re.compile("|".join((_BECOME, _RANK, _SECRECY, _REVEAL, _ELSE_LANGUAGES)))
_DRAWN = re.compile(_PICTURE)
# Letters set apart, which a person reads as words.
_APART = re.compile(r"(?:\b\w\b[ .*_-]+){8}")
# A long run of letters and digits that says nothing to a person; a hash of a commit is none.
_ENCODED = re.compile(r"(?=[A-Za-z0-9+/=]*[G-Zg-z])[A-Za-z0-9+/]{60,}={0,2}")
# Letters by number, in the ways of programs, addresses and pages; the dots and dashes of telegraphs.
_NUMBERED = re.compile(r"(?i)(?:\\u[0-9a-f]{4}){3}|(?:\\x[0-9a-f]{2}){4}|(?:%[0-9a-f]{2}){5}|(?:&#x?[0-9a-f]{2,6};){3}")
_TELEGRAPH = re.compile(r"(?:^|\s)(?:[.·\-–−]{1,5}[ /]+){5}")
_DISGUISES = (_ENCODED, _APART, _NUMBERED, _TELEGRAPH)
# Words of a length that words have, with spaces and a mark between them: nothing is in code there, and most lines are so.
_ORDINARY = re.compile(
    r"(?:(?:[A-Za-z][A-Za-z']{1,14}(?:-[A-Za-z]{2,14})?|[aAI]|\d{1,4}|-(?= \w))[.,;:!?]{0,3}(?: |$))*"
)
# A run that may be text in another base.
_RUN = re.compile(r"[A-Za-z0-9+/]{16,}={0,2}")
_HEX = re.compile(r"(?:[0-9A-Fa-f]{2}){8,}")
_SPEECH = re.compile(r"(?=.* )[ -~]+")


# At this sum of weights a line reads as an order: set where of what is not learned from one honest line in fifty is kept out.
LEAST = 1.0


# A line is looked at where it may enter a text, and again where the text is checked.
@lru_cache(maxsize=8192)
def is_order(line: str) -> bool:
    """Whether a line wants its reader to obey it, in any disguise: not to be put before a model as memory."""
    if _ORDINARY.fullmatch(line):
        form = line.casefold()
        return weight(form) > LEAST or _wants(form)
    if is_disguised(line):
        return True
    forms = planted.forms(line)
    return weight(forms[-1]) > LEAST or any(_DRAWN.search(form) or _wants(form) for form in forms)


def _wants(form: str) -> bool:
    """Whether a text without its disguises wants to be obeyed by a pattern, which is for what the weights do not know."""
    return _SPOKEN.search(form) is not None or planted.takes_over(form)


def is_disguised(line: str) -> bool:
    """Whether a line is written so that a model reads what a person does not: unseen, turned, cut up, or in a code."""
    return (
        planted.is_veiled(line)
        or any(one.search(line) for one in _DISGUISES)
        or any(map(_is_coded, _RUN.findall(line)))
    )


def _is_coded(run: str) -> bool:
    """Whether letters and digits are words in hexadecimal or in base 64."""
    try:
        told = bytes.fromhex(run) if _HEX.fullmatch(run) else base64.b64decode(run + "=" * (-len(run) % 4))
    except (ValueError, binascii.Error):
        return False
    return _SPEECH.fullmatch(told.decode("latin-1")) is not None
