"""What a sentence only asks, supposes, plays or jests, so that it states nothing: by its wording, whoever reads it.

Belongs here: the wording, English first, with the plain forms of a few other languages. Does not belong here: what follows from it.
"""

from __future__ import annotations

import re

from models.cue import Cue

# "Let's pretend", "stell dir vor": what follows is a game, and no one's life.
PRETENDED = (
    r"\blet[’']?s (?:play|pretend)\b|\bpretend (?:that )?(?:i|you|we)\b"
    r"|\bstel je(?: eens)? voor\b|\bdoe(?:n we)? (?:eens |even )?alsof\b|\blaten we doen alsof\b"
    r"|\bstell dir(?: mal)? vor\b|\bstellen wir uns vor\b|\b(?:tun|tu)(?: wir)? (?:mal )?so,? als\b|\bnehmen wir (?:mal )?an\b"
    r"|\b(?:disons|imagine|imaginez|imaginons|supposons|mettons) qu[e’']|\b(?:faisons|fais|faites) (?:comme si|semblant)\b"
    r"|\b(?:imagina|imaginemos|supongamos|digamos|finge|fingimos) que\b|\bhagamos como (?:si|que)\b"
    r"|\b(?:suponhamos|faz de conta|vamos fingir|finge|finja) que\b|\b(?:facciamo finta|fingiamo|immagina|supponiamo) (?:che|di)\b"
    r"|(?:ふり|ごっこ)を?し(?:て|よう|ましょう)|と(?:仮定)?し(?:よう|ましょう)|假装|假设"
)
_SUPPOSED = Cue(
    re.compile(
        r"\b(?:let[’']s say|let us say|(?<!\bi )(?<!\bwe )suppose|supposing|(?<!\bi )(?<!\bwe )(?<!\bcan )(?<!\bcould )(?<!\bcan[’']t )"
        r"(?<!\bcannot )imagine|what if"
        r"|pretend|hypothetically|in theory|for example,? if|(?:just|only) (?:dreaming|kidding|joking)|j/k|jk|thinking aloud"
        r"|thinking out loud|no plans?,? just)\b"
        r"|(?<!\bas )(?<!\bthan )\bif (?:i|we|you|he|she|they) (?:were|had|moved|could|ever|won|was|did|lived|bought|went)\b"
        rf"|{PRETENDED}"
        # Supposed against the facts.
        r"|\bals (?:ik|we|wij|je|hij|ze)\b.*\bzou(?:den)?\b|\bzou(?:den)?\b.*\bals (?:ik|we|wij|je|hij|ze)\b"
        r"|\bwenn (?:ich|wir|er|sie|du)\b.*\b(?:würden?|hätten?|wären?|könnten?|käme\w*|gäbe)\b|^(?:hätte|wäre) (?:ich|er|sie)\b"
        r"|\bsi (?:j[’']|je |tu |on |nous |il |elle )(?!sais\b|vais\b|fais\b)\w+(?:ais|ait|ions|iez)\b"
        r"|\bsi (?:yo )?(?:fuera|fuese|tuviera|tuviese|pudiera|\w{3,}(?:ara|iera|ase|iese))\b"
        r"|\bse (?:eu )?(?:fosse|tivesse|pudesse|\w{3,}(?:asse|esse|isse))\b"
        r"|\bse (?:io )?(?:fossi|avessi|potessi|\w{3,}(?:assi|essi|issi))\b"
        r"|もし.*(?:たら|なら|れば)|(?:如果|假如|要是)我"
        # In jest.
        r"|\b(?:i|we)(?:[’']m| am| was|[’']re| were) (?:only |just |obviously |totally |of course )?(?:joking|kidding)\b(?! around)"
        r"|\b(?:that|it|this)(?:[’']s| is| was) (?:just |only |meant as |all )?(?:a )?(?:joke|prank)\b|\bi kid(?:,|\.|!|$)"
        r"|\b(?:grapje|geintje)\b|\b(?:nur|bloß|war|ist|kleiner) (?:\w+ ){0,2}(?:scherz|witz|spaß)\b"
        r"|\bje (?:rigole|plaisante|blague)\b|\bc[’']?(?:est|était) une (?:blague|plaisanterie)\b"
        r"|\b(?:es|era) (?:una )?broma\b|\bestoy bromeando\b|\b(?:é|era) (?:só )?(?:uma )?brincadeira\b|\b(?:estou a|tô) brinca\w+"
        r"|冗談|じょうだん",
        re.IGNORECASE,
    ),
    "if let lets suppose imagine pretend hypothetically theory dreaming kidding kid joking joke prank j jk aloud loud plan plans"
    " stel stell stellen doe doen tu tun nehmen disons imaginons supposons mettons faisons fais faites digamos finge fingimos finja fingir"
    " hagamos supongamos faz facciamo fingiamo immagina supponiamo zou zouden wenn hätte wäre si se"
    " grapje geintje scherz witz spaß rigole plaisante plaisanterie blague broma bromeando brincadeira brinca",
)
# "I asked Vera if she was free" supposes nothing.
_INDIRECT = re.compile(
    r"\b(?:ask(?:s|ed)?|wonder(?:s|ed)?|knows?|knew|see|saw|check(?:s|ed)?|sure|tell|told)(?: (?!i\b|and\b|but\b)[\w’'-]+){0,3} if\b",
    re.IGNORECASE,
)
_ASKS = re.compile(
    r"^(?:so|and|but|or|well|hey|hmm|ok|okay|then)?,? ?(?:who|whom|what|when|where|why|how|which|whose|do|does|did|is|are|am|was|were"
    r"|have|has|had|can|could|should|shall|would|will|may|might|must|isn[’']t|aren[’']t|don[’']t|doesn[’']t|didn[’']t|haven[’']t|any)\b",
    re.IGNORECASE,
)
_ENDS_ASKING = re.compile(r"(?:[?？]|か。)[^\w?？]*$")
_MARKS = ("?", "？", "か。")
# "Can you remind me to call Ana?" asks for something, and so says what is wanted.
_REQUEST = re.compile(
    r"\b(?:can|could|will|would) (?:you|we)\b|\bplease\b|\bremind\b|\bkun(?:t)? je\b|\bkannst du\b|\bpeux-tu\b|\bpuedes\b"
    r"|\bpodes\b|ください",
    re.IGNORECASE,
)
_PARTS = re.compile(r"[,;:…]\s|\s[–—-]\s")
_LEAST_STATED = 3  # words before "…, right?" that state something


def supposes(text: str) -> bool:
    """Whether it only supposes, plays, dreams or jests."""
    return _SUPPOSED.may_be_in(text) and _SUPPOSED.search(_INDIRECT.sub(" ", text)) is not None


def only_asks(text: str) -> bool:
    """Whether it asks and states nothing: no request, and no statement with a question at its end ("I moved, did I say?")."""
    if not any(mark in text for mark in _MARKS) or not _ENDS_ASKING.search(text) or _REQUEST.search(text):
        return False
    first, *rest = _PARTS.split(text.strip())
    return not rest or bool(_ASKS.match(first)) or len(first.split()) < _LEAST_STATED
