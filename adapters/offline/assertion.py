"""What is a statement at all: questions, irony, requests and small talk are not. Judges one sentence."""

from __future__ import annotations

import re

_IRONY = re.compile(
    r"^(?:oh|ah|yeah|yes|right),? (?:sure|great|right|yes|yeah|absolutely|of course)\b.*\b(?:absolutely"
    r"|just|totally|really|so)\b"
    r"|\b(?:as if|yeah,? right|said no one ever|what could go wrong|/s)\b|^(?:oh )?(?:great|lovely"
    r"|fantastic|wonderful), (?:another|just what)",
    re.IGNORECASE,
)
_QUESTION = re.compile(
    r"[?？]\W*$|か。?$|^(?:so |and |but |well,? |hey,? )?(?:who|what|when|where|why|how|which|whose|do"
    r" you|did you|are you|have you|can you"
    r"|could you|would you|will you|is it|is there|should i|any (?:idea|chance|plans|tips))\b(?!.*[.!]$)",
    re.IGNORECASE,
)
# An order to the agent is work, not memory, unless it holds for more than this once.
_ORDER = re.compile(
    r"^(?:ok(?:ay)?,? |please,? |now |then |great,? |thanks,? |also,? |and )*(?:please )?(?:add|analyse"
    r"|analyze|answer|ask|book|build|buy|call"
    r"|change|check|clean|commit|compare|compile|compose|continue|convert|copy|create|debug|delete"
    r"|deploy|describe|do|don[’']t|draft|edit"
    r"|explain|export|find|fix|forget|format|generate|get|give|go|help|implement|import|install|list"
    r"|look|make|merge|move|open|order|paste"
    r"|plot|print|proofread|pull|push|put|read|rebase|refactor|remove|rename|rephrase|replace|reply"
    r"|rerun|research|review|rewrite|run|save"
    r"|schedule|search|send|set|show|shorten|skip|sort|split|start|stop|suggest|sum|summari[sz]e|tell"
    r"|test|translate|try|turn|undo|update"
    r"|use|wait|write)\b(?!ing|,| (?:worked|failed|is|was|went|has|did|ran|passed|broke|crashed|landed|looks?)\b)",
    re.IGNORECASE,
)
_STANDING = re.compile(
    r"\b(?:always|never|from now on|from here on|from today|from tomorrow|as of|for (?:all|every)|no"
    r" more|in future|for the future|going forward|every time"
    r"|each time|whenever|by default|as a rule|again"
    r"|remember|keep in mind|note that|don[’']?t forget|remind me|like always|as always|before (?:you"
    r"|any\w*|each|every)"
    r"|no longer|instead of|bullets?|bulleted|emoji|like (?:everything|always|every \w+)|as usual|stays?|by hand"
    r"|manually|directly"
    r"|check with me|ask me|(?:only )?(?:after|until|once) i(?:[’']ve| have)? (?:seen|read|checked|approved|signed))\b",
    re.IGNORECASE,
)
# An order whose wording shows that it holds for good: what the agent is to stop doing, on which days, with which tool and not with which.
_LASTING_ORDER = re.compile(
    r"\b(?:stop|quit|avoid|cut out|don[’']?t|do not) (?:\w+ly )?(?:adding|using|putting|apologi[sz]\w+|calling me"
    r"|asking me|starting|ending|opening"
    r"|closing|repeating|explaining|summari[sz]ing|sending me|telling me|reminding me|addressing|writing|saying|use|add"
    r"|put|call me|apologi[sz]e"
    r"|start|end|repeat|say)\b[^.;]*\b(?:answers?|repl(?:y|ies)|responses?|messages?|emails?|sentences?|headings?"
    r"|emojis?|exclamation|dashes"
    r"|hashtags|apologi[sz]\w+|everything|every|each|all the time|so (?:many|much)|too (?:many|much)|me (?!to\b|about\b|on\b))"
    r"|\b(?:don[’']?t|do not|never) (?:book|schedule|plan|put|send|call|arrange|accept|deploy|merge|release|ring|order"
    r"|buy|contact|ping|touch|move|share"
    r"|push)\b[^.;]*\b(?:anything|anyone|anybody|without|unless|(?:mon|tues|wednes|thurs|fri|satur|sun)days|weekdays"
    r"|weekends|mornings|evenings"
    r"|afternoons|nights)\b"
    r"|^(?:please )?(?:use|write|run|format|name|say|spell|put|install|build|test) [^.;]{1,60}?(?:,? (?:and )?(?:not"
    r"|never)|,? rather than) (?:with |in |by )?"
    r"(?!yet\b|today\b|now\b|only\b|just\b|until\b|before\b|the (?:old|other|first|last)\b)[\w’'.+-]+",
    re.IGNORECASE,
)
_REQUEST = re.compile(
    r"^(?:please )?(?:can|could|would|will) you (?:please )?(?!tell|show|explain|find|look)", re.IGNORECASE
)
# Whatever is asked for with it, what one can't eat or take is to be known for good.
_SAFETY = re.compile(
    r"\bi(?:[’']m| am|[’']ve| have)\b[^.;]{0,40}\b(?:allerg(?:ic|y|ies)|intolerant|intolerance|anaphyla\w+|coeliac"
    r"|celiac|diabetic|epileptic)\b",
    re.IGNORECASE,
)
_FORGET = re.compile(
    r"(?<!\bnever )(?<!n[’']t )(?<!\bdont )(?<!\bnot )\b(?:forget|delete|erase|wipe|remove) (?:what|everything|all"
    r"|anything|that|about|whatever|the"
    r" (?:things?|part|stuff))\b",
    re.IGNORECASE,
)
_RESIDUE = re.compile(
    r"\b(?:is|are|got|seems?) (?:stuck|hanging|hung|down|red|failing|broken)\b|\bstep \d+ of \d+\b"
    r"|\b(?:pid|traceback|stack trace|exit code)\b"
    r"|\[secret:[^\]]*\]",
    re.IGNORECASE,
)
_OPENER = re.compile(
    r"^(?:(?:hey|hi|hello|hiya|yo|good (?:morning|afternoon|evening)|morning|wow|whoa|oh|ah|aw+|yeah"
    r"|yep|yes|yup|nope|haha|ha|lol|ok|okay|well"
    r"|thanks|thank you|thx|great|cool|nice|sure|absolutely|totally|definitely|exactly|agreed|congrats"
    r"|congratulations)\b"
    r"(?:,? (?!(?:i|we|my|our|the|it|this|that|they|he|she|to|for|so|but|and|in|on|at"
    r"|a)\b)[A-Za-z]+){0,2}[,!.:–—-]+\s*)+",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"(?<!\w)(?:'(?=\w)[^']{25,}'|\"[^\"]{25,}\"|“[^”]{25,}”|„[^“”]{25,}[“”]|«[^»]{25,}»)(?!\w)")
_OPENS_QUOTE = re.compile(r"(?:^|[\s:(])['\"“‘«]\w")


def is_question(text: str) -> bool:
    """Whether the sentence asks."""
    return bool(_QUESTION.search(text))


def is_standing_request(text: str) -> bool:
    """Whether it asks, politely, for something that holds from now on: "could you use bullets as always"."""
    return bool(_REQUEST.match(text) and _STANDING.search(text))


def is_irony(text: str) -> bool:
    """Whether its wording says the opposite of what it means."""
    return bool(_IRONY.search(text))


def is_order(text: str) -> bool:
    """Whether it asks the agent for this once; a standing rule is no order."""
    if _FORGET.search(text):
        return True
    return bool(_ORDER.match(text)) and not (
        _STANDING.search(text) or _LASTING_ORDER.search(text) or _SAFETY.search(text)
    )


def without_order(text: str) -> str:
    """What an order is about: the sentence without the verb that gives it."""
    return text[match.end() :].lstrip() if (match := _ORDER.match(text)) else text


def is_residue(text: str) -> bool:
    """Whether it is the state of an afternoon's work, which is worthless tomorrow."""
    return bool(_RESIDUE.search(text))


def is_standing(text: str) -> bool:
    """Whether it lays down something for later."""
    return bool(_STANDING.search(text))


def without_opener(text: str) -> str:
    """The sentence without the greeting or exclamation that leads it."""
    return text[match.end() :] if (match := _OPENER.match(text)) else text


def without_quotes(text: str) -> str:
    """The sentence without its long quotations; short quoted titles stay."""
    return _QUOTED.sub("", text) if _OPENS_QUOTE.search(text) else text


class Quote:
    """Follows a quotation over several sentences of one speaker, as when a writer pastes a scene."""

    def __init__(self) -> None:
        self._closer: str | None = None
        self._speaker: object = None

    def is_inside(self, speaker: object, text: str) -> bool:
        """Whether this sentence stands in a quotation opened in an earlier one; remembers what this one opens."""
        if speaker != self._speaker:
            self._closer, self._speaker = None, speaker
        if self._closer is not None:
            if re.search(rf"(?<=[\w.!?,…]){re.escape(self._closer)}(?!\w)", text):
                self._closer = None
            return True
        if not _OPENS_QUOTE.search(text):
            return False
        bare = without_quotes(text)
        for opener, closer in (("'", "'"), ('"', '"'), ("“", "”"), ("‘", "’"), ("«", "»")):
            at = re.search(rf"(?:^|(?<=[\s:(])){re.escape(opener)}(?=\w)", bare)
            if at and not re.search(rf"(?<=[\w.!?,…]){re.escape(closer)}(?![A-Za-z])", bare[at.end() :]):
                self._closer = closer
                return bare[: at.start()].strip() == "" or bare[: at.start()].rstrip().endswith(":")
        return False
