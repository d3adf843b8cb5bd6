"""Sentences whose words are no one's life: inside a fiction, in another's mouth, wished or supposed against the facts, or mocked."""

from __future__ import annotations

import re

_I = r"(?:i|i[’'](?:m|ve|d|ll)|my|we|we[’'](?:re|ve|d|ll)|our)"
# A frame that names a made-up world, and then speaks as "I" within it; a book or film only where the speaker makes it.
_IN_FICTION = re.compile(
    r"^(?:(?:so|and|but|well),? )?(?:in|for) (?:the|my|our|a|this|that) (?:\w+ ){0,2}?"
    r"(?:(?:novel|fairy ?tale|fan ?fiction|fanfic|dream|nightmare|screenplay|role-?play|rpg|fantasy)(?! (?:club|group|class|course|shop))\b"
    r"|(?:story|book|film|movie|play|comic|poem|song|script|game)\b[^.?!,]{0,20}\b(?:writ(?:e|ing)|wrote|inventing|making up|playing)\b)"
    rf"[^.?!,]{{0,60}},? {_I}\b"
    r"|\bmy (?:\w+ )?(?:character|avatar|protagonist|alter ego) (?:is|was|has|had|lives?|lived|works?|worked|loves?|hates?)\b",
    re.IGNORECASE,
)
# Another's "I" within quotation marks is not the speaker's.
_ANOTHERS_WORDS = re.compile(
    r"(?<!\bi )(?<!\bI )(?<!\bwe )\b(?:said|says|told|tells|asked|replied|answered|wrote|writes|texted|yelled|shouted|joked|goes|was like"
    r"|zei|zegt|sagte|sagt|disse|diz|dijo|dice)\b(?: (?:to )?(?:me|us|him|her|them))?[,:]? ?"
    r"[\"“„«‘'][^\"”“»]*?\b(?:i|i[’']\w+|my|me|we|our|ik|mijn|ich|mein\w*|je|eu|yo|mi|meu|minha)\b"
    r"|(?<!私は)(?<!僕は)(?<!俺は)「[^」]*」と(?:言|話|書|聞)",
    re.IGNORECASE,
)
_WISHED = re.compile(
    r"\b(?:i|we)(?: (?:really|so|often|sometimes|just|do|kind of))* wish(?:ed)? (?:that )?"
    r"(?:i|i[’']d|we|we[’']d|my|our|he|she|they|it|there|the|someone|you)\b"
    r"|\bif only (?:i|we|my|he|she|they|it|there|the)\b",
    re.IGNORECASE,
)
_AGAINST_FACT = re.compile(
    r"\b(?:if|unless) (?:i|we|you|he|she|they)(?:[’']d| hadn[’']t| had not| weren[’']t| wasn[’']t| didn[’']t)\b"
    r"|\bhad (?:i|we) (?:only |not )?\w+(?:ed|en|own|one|ought|aken)\b[^.?!]*,[^.?!]*\b(?:would|could|might)\b|[’']d have \w+ if\b",
    re.IGNORECASE,
)
_MOCKED = re.compile(
    r"^(?:ha+h?|haha\w*|lol|pf+t?|hah)[,.!]* (?:yeah|sure|right|totally|of course|yes)\b[,.!]* and\b"
    r"|^(?:yeah|sure|right|oh)\b[^.?!]{0,20}\band (?:i[’']m|i am) (?:the )?(?:king|queen|pope|emperor|president|santa|napoleon)\b",
    re.IGNORECASE,
)


def is_unreal(text: str) -> bool:
    """Whether what the sentence says is not said to be so by its speaker."""
    return any(form.search(text) for form in (_IN_FICTION, _ANOTHERS_WORDS, _WISHED, _AGAINST_FACT, _MOCKED))
