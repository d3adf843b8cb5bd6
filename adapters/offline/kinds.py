"""Which of the twelve kinds a sentence is, and how much that kind matters: the first pattern that fits decides."""

from __future__ import annotations

import re
from typing import NamedTuple

from slowwave.format import Kind


class Sort(NamedTuple):
    """A kind with the importance that its wording earns."""

    kind: Kind
    importance: float
    pattern: re.Pattern[str]


def _sort(kind: Kind, importance: float, pattern: str) -> Sort:
    return Sort(kind, importance, re.compile(pattern, re.IGNORECASE))


KIN = (
    r"(?:wife|husband|partner|spouse|fianc[ée]e?|girlfriend|boyfriend|mother|mom|mum|father|dad|sister"
    r"|brother|son|daughter|aunt|uncle|cousin"
    r"|niece|nephew|grand(?:mother|father|ma|pa|son|daughter)|gran|flatmate|roommate|housemate|neighbou?r"
    r"|friend|colleague|co-?worker|boss|lead"
    r"|manager|teammate|mentor|teacher|student|apprentice|intern|doctor|dentist|therapist|lawyer|accountant"
    r"|landlord|coach|client|supervisor"
    r"|professor|prof|advisor|adviser|assistant|contractor|mechanic|liaison|statistician|engineer|designer"
    r"|developer|editor|agent)"
)

# A capital letter, in patterns that else don't mind the case.
_CAPITAL = r"(?-i:[A-Z])"

SORTS: tuple[Sort, ...] = (
    _sort(
        Kind.CONSTRAINT,
        0.95,
        r"\ballergi\w*\b|\ballergy\b|\banaphyla|\b(?:coeliac|celiac|lactose|gluten)[- ](?:intolerant|free)\b|アレルギー",
    ),
    _sort(
        Kind.TOOL_OR_WORKFLOW_LESSON,
        0.8,
        r"\b(?:lesson|for the future|next time|turns out|gotcha|otherwise it|every time i|the trick is"
        r"|the fix was|root cause|workaround)\b"
        r"|\bneeds? (?:the|to|a)\b.*\bfirst\b|\b(?:don[’']t|do not|never) (?:edit|touch|commit|push|merge"
        r"|run|send|call|treat|use|assume)\b"
        r"|\b(?:you|that) (?:was|were|is) wrong\b|\bshould have (?:been|used|asked|shown|run)\b|\b(?:always"
        r"|first) (?:run|check|show|ask|sort|write|use)\b"
        r"|\b(?:wrong assumption|that(?:[’']s| is| was) (?:wrong|the mistake)|you (?:got|had) (?:it|that) wrong)\b"
        r"|\b(?:is|are) generated\b|\btests? first\b|\bwrite them first\b|\b(?:show|ask|tell|warn) me\b.*\bbefore"
        r" (?:you|any\w*|sending)\b",
    ),
    _sort(
        Kind.COMMUNICATION_PREFERENCE,
        0.85,
        r"\b(?:answer|reply|replies|respond|response|write|talk|speak|explain|address|call) (?:to )?(?:me"
        r"|us)\b(?!.*\b(?:tomorrow|tonight|later|back)\b)"
        r"|\bbullet(?:s|ed| points?)?\b|\bemojis?\b|\bno (?:fluff|small ?talk|preamble)\b|\b(?:answer|conclusion"
        r"|result) first\b"
        r"|\b(?:short|brief|concise|terse|long) (?:answers?|replies|reply|messages?)\b|\bwalls? of text\b"
        r"|\b(?:british|american|new zealand|us|uk) spelling\b"
        r"|\b(?:ping|message|contact|remind|notify|text|call) me (?:by|on|via|in|only|before|after|through"
        r"|with)\b|\bdon[’']?t (?:ping|disturb|interrupt|message) me\b",
    ),
    _sort(
        Kind.CONSTRAINT,
        0.85,
        r"\b(?:must(?:n[’']t)?|may not|not allowed|forbidden|banned|prohibited|mandatory|required to|have"
        r" to stay|has to stay|stays? (?:locked|closed|on|in)"
        r"|off[- ]limits|under no circumstances|no exceptions|can[’']t (?:eat|drink|have|stand up|drive"
        r"|use|work)|cannot (?:eat|drink|have|use)|frozen|froze)\b"
        r"|\b(?:never|always)\b.*\b(?:servers?|cloud|main|production"
        r"|prod|data|permission|approval|merge)\b"
        r"|\bno (?:merges?|deploys?|meetings?|calls?|releases?|alcohol|meat|sugar|gluten|nuts)\b|\bnothing"
        r" (?:gets|goes|is)\b|\bonly"
        r" (?:bug|security) fix|\bcolou?r-?blind\b|\bwheelchair\b",
    ),
    _sort(
        Kind.GOAL_OR_COMMITMENT,
        0.75,
        r"\b(?:i|we)(?:[’']ll| will| shall)\b(?! (?:never|always|be honest))|\b(?:i|we|they)(?:[’']m|[’']re"
        r"| am| are|) (?:gonna|going to|planning|plan to|aiming|hoping|hope to"
        r"|trying to|thinking (?:of|about)|considering|looking (?:forward to|into)|about to|saving|training"
        r" for|off to|intend to|want to|wanna|need to|have to|promised?"
        r"|committed|signed up|determined)\b|\bgonna\b|\bmy (?:goal|plan|dream|aim|ambition|next step)\b"
        r"|\b(?:has|have) to be (?:in|done|ready|filed|finished|sent|paid|submitted)\b|\b(?:called off"
        r"|cancell?ed|postponed)\b"
        r"|\b(?:deadline|due (?:on|by|date|in)?|remind me|promise|bucket list|to-?do)\b"
        r"|\bi want .{2,60} (?:done|finished|ready|by)\b|\bcan[’']t wait to\b|\b(?:are|is) due\b|\bi[’']?d"
        r" (?:love|like) to\b|\bwish to\b",
    ),
    _sort(
        Kind.COLLABORATOR,
        0.65,
        rf"\b(?:my|our|his|her|their) (?:\w+ ){{0,2}}{KIN}\b(?:,? (?:is )?{_CAPITAL}|[’']s (?:name|called)|.*\bis"
        rf" (?:called|named)\b)|\bis (?:my|our|the) (?:\w+ ){{0,2}}{KIN}\b"
        rf"|\b(?:new|the) {KIN} is (?:called|named)\b|\b(?:work|works|working|collaborat\w+) with {_CAPITAL}"
        rf"|{_CAPITAL}\w+, (?:our|my|the) (?:\w+ )?{KIN},|\bmy {KIN} is {_CAPITAL}|{_CAPITAL}\w+,? (?:\w+,"
        rf" )?(?:is )?(?:the|our|my|a)? ?{KIN}\b"
        rf"|{_CAPITAL}\w+ (?:always |also )?(?:deals with|handles|looks after|takes care of|writes|maintains"
        rf"|repairs|fixes|manages"
        rf"|leads|runs|does) (?:the|our|my|all)\b",
    ),
    # How reports, dates and units are wanted is a preference, even where the report is weekly.
    _sort(
        Kind.PREFERENCE,
        0.65,
        r"\b(?:reports?|summar\w+|charts?|plots?|axes|dates?|units?|notes?|exports?|viewer)\b.*\b(?:pdfs?"
        r"|markdown|metric|imperial|iso"
        r"|html|csv|dark mode|light mode)\b|\b(?:metric|imperial) (?:units?|only|always)\b|\biso dates?\b"
        r"|\bmetric, as\b",
    ),
    _sort(
        Kind.ROUTINE,
        0.65,
        r"\b(?:every|each) (?:other |single |second )?(?:day|morning|evening|night|week|weekend|month|year"
        r"|summer|winter|monday|tuesday|wednesday|thursday|friday|saturday|sunday|time)\b"
        r"|\b(?:mon|tues|wednes|thurs|fri|satur|sun)days\b|\b(?:usually|regularly|often|daily|weekly|monthly"
        r"|weekdays|weekends|mornings|evenings|once a|twice a|times a"
        r"|a few times a|whenever|tend to|these days i|first thing|tous les|chaque|jeden|jede|elke"
        r"|(?:maan|dins|woens|donder|vrij|zater|zon)dags|montags|dienstags|mittwochs|donnerstags|freitags)\b"
        r"|\bon the \d+(?:st|nd|rd|th)\b(?!.*\b(?:was"
        r"|were|will|[a-z]+ed)\b)",
    ),
    _sort(
        Kind.PREFERENCE,
        0.6,
        r"\b(?:i|we)(?:[’']m| am|[’']ve| have|)? ?(?:really |absolutely |always |totally |also |just |do"
        r" |still |especially |particularly |truly |no longer |don[’']t |do not |never |can[’']t )*"
        r"(?:like|love|enjoy|prefer|adore|hate|dislike|loathe|loved|enjoyed|liked|stand|a fan of|a big"
        r" fan of|into|fond of|keen on|passionate about|crazy about|obsessed with|partial to)\b"
        r"|\b(?:my|our) (?:\w+ )?(?:favou?rites?|fave|go-to|preference)\b|\bfavou?rite\b|\brather (?:have"
        r"|than|not)\b|\bvegan\b|\bvegetarian\b|\bpescatarian\b"
        r"|\b(?:switched|switching) (?:from|to|over)\b|\b(?:no longer|not any ?more|any more|stopped|gave"
        r" up|quit|given up) \b|\bno \w+ for me\b|が好き|が嫌い|\bprefers?\b"
        r"|\bno more \w+|\bfrom (?:today|now|tomorrow)(?: on)? for\b|\buse \w+ for (?:all|every)\b"
        r"|\bgeen \w+(?: \w+)? meer\b|\bplus de \w+\b|\bkeine?n? \w+ mehr\b|\bj[’']aime\b|\bich mag\b|\bik hou van\b",
    ),
    _sort(
        Kind.TIMELINE_MILESTONE,
        0.65,
        r"\b(?:graduated|got (?:married|engaged|divorced|promoted|hired|accepted|the job|a (?:new )?job"
        r"|my|our)|moved (?:to|in|into|out|house|from)|was born|gave birth|launched|released"
        r"|deployed|presented|shipped|published|signed|quit|retired|started (?:a|my|our|learning|working|at|school"
        r"|college)|joined|founded|opened (?:a|my|our)|bought (?:a|my|our) (?:house|home|flat|car)"
        r"|adopted|passed (?:my|the|away)|won|lost my job|finished|completed|first (?:time|ever)|came out"
        r"|transition\w+|divorce)\b",
    ),
    _sort(
        Kind.PROJECT,
        0.6,
        r"\b(?:my|our|the|this) (?:\w+ ){0,2}(?:project|startup|start-up|novel|thesis|dissertation|app"
        r"|side project|paper|album|screenplay|blog|channel|podcast|prototype|repository)\b"
        r"|\bworking on (?:a|an|my|our|the|some)\b|\bproject (?:is|called|named)\b",
    ),
    _sort(
        Kind.EPISODIC_EVENT,
        0.4,
        r"\b(?:i|we|my \w+|our \w+|he|she|they)(?:[’']ve|[’']d| have| had|) (?:just |recently |also |even"
        r" |finally |really |already )?"
        r"(?:went|got|took|came|made|met|saw|found|left|bought|began|told|gave|ran|ate|sold|lost|spent"
        r"|held|wrote|read|flew|drove|had|did|was|were|been|felt|talked|[a-z]{3,}ed)\b"
        r"|^(?:just |already )?(?:decided|agreed|chose|settled|discussed|presented|visited|met|talked|spoke)\b"
        r"|\b(?:yesterday|last (?:night|week|weekend|month|year|mon|tue|wed|thu|fri|sat|sun)\w*|ago)\b"
        r"|(?-i:\b[A-Z])\w+ (?:found|went|came|met|gave|wrote|said|presented|decided|visited|fixed|broke"
        r"|won|lost|sent|told|rang)\b",
    ),
)
_FACT = Sort(Kind.SEMANTIC_FACT, 0.5, re.compile(""))


def sort_of(text: str) -> Sort:
    """The first sort that fits; a plain fact else."""
    return next((sort for sort in SORTS if sort.pattern.search(text)), _FACT)
