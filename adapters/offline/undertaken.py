"""Whether a sentence that names a deed to come undertakes it: not where it is refused, denied, only imagined, or hangs on an "if"."""

from __future__ import annotations

import re

from models.cue import Cue

_I = r"\b(?:i|we)"
# What is refused or was never promised; "I won't forget" promises.
_REFUSED = Cue(
    re.compile(
        rf"{_I}(?:[’']ll| will| shall) (?:definitely |probably |really |certainly )?not\b(?! (?:forget|fail|miss|be late|only)\b)"
        rf"|{_I} (?:won[’']t|shan[’']t)\b(?! (?:forget|fail|miss|be late|only)\b)"
        rf"|{_I}(?:[’']m| am|[’']re| are) not (?:going to|gonna|planning|coming|joining|attending|signing up)\b"
        rf"|{_I} (?:promised?|owe[ds]?) (?:nobody|no one|no-one|nothing)\b"
        rf"|{_I} (?:never|did(?:n[’']t| not)|have(?:n[’']t| not)|do(?:n[’']t| not)) (?:ever |yet )?(?:promised?|commit(?:ted)?"
        r"|plan(?:ned)? to|intend(?:ed)? to|want(?:ed)? to|have to|need to|owe)\b"
        rf"|{_I} (?:refused|declined|turned (?:it|that|him|her|them|the \w+) down|said no|backed out|pulled out"
        rf"|can(?:[’']t|not) make it)\b"
        r"|\b(?:ik (?:zal|ga|kom) (?:\w+ ){0,3}niet|ich (?:werde|komme|gehe) (?:\w+ ){0,3}nicht|je n[’']irai pas"
        r"|je ne viendrai pas|no voy a ir)\b",
        re.IGNORECASE,
    ),
    "i we ik ich je no",
)
_MILD = re.compile(r"\b(?:but|though|so|and)\b[^.;]*\b(?:i|we)(?:[’']ll| will| shall)\b(?! not)", re.IGNORECASE)
# A plan of no one's, so far: "I'm thinking of maybe learning Basque someday".
_IMAGINED = Cue(
    re.compile(
        rf"{_I}(?:[’']m| am|[’']re| are|[’']d|)? (?:just |only |also |still |idly )*(?:thinking (?:of|about)|considering"
        rf"|wondering|toying|tempted|might"
        r"|could|may|would (?:like|love)|(?:like|love) to)\b[^.;]*\b(?:maybe|perhaps|possibly|some ?day|one day"
        r"|at some point|eventually|or not)\b"
        rf"|\b(?:maybe|perhaps|possibly)\b[^.;]*{_I}(?:[’']ll| will|[’']m going to| should| could"
        rf"| might)\b[^.;]*\b(?:some ?day|one day|at some point|eventually)\b"
        rf"|{_I}(?:[’']m| am|[’']re| are) (?:not sure|unsure|undecided) (?:if|whether)\b",
        re.IGNORECASE,
    ),
    "i we maybe perhaps possibly",
)
# "If I get the job I'll move": what hangs on one's own luck is no promise yet; "if you like, I'll send it" is one.
_CONDITION = re.compile(
    r"^(?:and |but |so |well,? |maybe |then )?(?:(?:only |even )?if|unless|provided(?: that)?|assuming(?: that)?|in case|should"
    r"|wenn|falls|als|indien|si|se)\b (?!you\b|that[’']s\b|it[’']s (?:ok|okay|fine|alright)\b|possible\b|need\b"
    r"|necessary\b|all goes\b|je wil|du will)"
    r"(?=(?:i|we|he|she|they|it|there|the|my|our|nobody|no one|someone|ik|wij|we|ich|wir|er|sie|je|nous|yo)\b)",
    re.IGNORECASE,
)


def is_undertaken(text: str) -> bool:
    """Whether what lies ahead in it may be held against its speaker."""
    if _REFUSED.search(text) and not _MILD.search(text):
        return False
    return not (_IMAGINED.search(text) or _CONDITION.match(text))
