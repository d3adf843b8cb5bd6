"""Which of the twelve kinds a sentence is, and how much that kind matters: the first pattern that fits decides."""

from __future__ import annotations

import re
from typing import NamedTuple

from slowwave.format import Kind
from slowwave.when.words import ONCE


class Sort(NamedTuple):
    """A kind with the importance that its wording earns; `own` is wording by which only an owner tells an agent how it is to be."""

    kind: Kind
    importance: float
    pattern: re.Pattern[str]
    own: re.Pattern[str] | None = None


def _sort(kind: Kind, importance: float, pattern: str, own: str = "") -> Sort:
    compiled = re.compile(own, re.IGNORECASE) if own else None
    return Sort(kind, importance, re.compile(pattern, re.IGNORECASE), compiled)


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

_TRADE = (
    r"(?:deals? with|handles?|looks? after|takes? care of|writes?|maintains?|repairs?|fixes|manages?|leads?|runs?|does"
    r"|did|designs?|teaches|tunes?|builds?"
    r"|edits?|cleans?|cooks?|drives?|prints?|keeps?|mends?|services?|translates?|audits?|paints?|coaches|trains"
    r"|squared|sorted out|organi[sz]es)"
)

# A capital letter, in patterns that else don't mind the case.
_CAPITAL = r"(?-i:[A-Z])"

_HOUR = (
    r"(?:\d{1,2}[:.h]\d\d|\d{1,2} ?(?:am|pm|uhr|uur|heures|horas)\b|\d{1,2}h\b|(?:at|um|om|à|às) (?:\d{1,2}|half|one"
    r"|two|three|four|five|six|seven|eight|nine|ten|noon)\b|half (?:past )?\w+)"
)
_DAYS = (
    r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days|(?:maan|dins|woens|donder|vrij|zater|zon)dags|(?:mon|diens"
    r"|donners|frei|sams|sonn)tags|mittwochs)"
)
_DAY = (
    r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:maan|dins|woens|donder|vrij|zater|zon)dag|(?:mon|diens"
    r"|donners|frei|sams|sonn)tag|mittwoch)"
)
# The first look keeps most sentences from the dear part.
_ROUTINE = (
    rf"^(?=.*(?:day|dag|tag|woch|every|each|elke|iedere|jede|chaque|tou(?:s|tes) les|tod[ao]s|cada))"
    rf"(?!.*\b(?:no|nothing|nobody|never|keine?|geen)\b.{{0,30}}{_DAY})(?:.*\b{_DAYS}(?:,| at| from| um| om| vanaf"
    rf"| mornings?| evenings?)* {_HOUR}"
    rf"|.*\b(?:on )?{_DAY} (?:nights?|evenings?|mornings?|afternoons?)? ?(?:from|after|vanaf|na|ab|after) {_HOUR}"
    rf"|.*\b{_DAY} {_HOUR} (?:is|blijft|bleibt|stays|remains)\b"
    rf"|.*\b(?:every|each|elke|iedere|jeden|jede|chaque|tous les|toutes les|todas as|todos os|cada) (?:\w+ )?(?:{_DAY}"
    rf"|\w+s?)\b[^.]{{0,12}} (?:à |às |as |um |om |at )?{_HOUR}"
    rf"|.*\b(?:first|second|third|fourth|last) {_DAY} (?:of|in) (?:the|each|every) month\b"
    r"|.*\b(?:todas as|todos os) (?:segundas?|terças?|quartas?|quintas?|sextas?|sábados?|domingos?)\b"
    r"|.*\b(?:tous les|chaque) (?:lundis?|mardis?|mercredis?|jeudis?|vendredis?|samedis?|dimanches?)\b"
    r"|.*\b(?:op )?(?:maan|dins|woens|donder|vrij|zater|zon)dag (?:(?:om|vanaf|na) )?(?:half \w|\d{1,2}(?:[:.]\d\d"
    r"| uur)))"
)

SORTS: tuple[Sort, ...] = (
    _sort(
        Kind.CONSTRAINT,
        0.95,
        r"\ballergi\w*\b|\ballergy\b|\banaphyla|\b(?:coeliac|celiac|lactose|gluten)[- ](?:intolerant|free)\b|アレルギー"
        r"|\bal[ée]rgi\w+",
    ),
    # What an agent is told to leave off: a manner of talk, or a deed on certain days.
    _sort(
        Kind.COMMUNICATION_PREFERENCE,
        0.85,
        r"(?!)",
        own=r"^(?:please |and |but |also,? )*(?:stop|quit|avoid|cut out|don[’']?t|do not|never"
        r"|no need to) [^.;]*\b(?:emojis?|exclamation marks?"
        r"|hashtags|dashes|your (?:answers?|repl(?:y|ies)|responses?|messages?)|every (?:answer|reply|message|sentence)|apologi[sz]\w+"
        r"|calling me|call me [\w’']+\W*$)",
    ),
    _sort(
        Kind.CONSTRAINT,
        0.85,
        r"(?!)",
        own=r"^(?:please |and |but |also,? )*(?:don[’']?t|do not|never) (?:book|schedule|plan|put|arrange|accept|call"
        r"|ring|contact|ping|order|buy|send|share|move|deploy|merge|release)\b"
        r"[^.;]*\b(?:anything|anyone|anybody|(?:mon|tues|wednes|thurs|fri|satur|sun)days|weekdays|weekends|mornings"
        r"|evenings|afternoons|nights)\b",
    ),
    # What is no longer wanted is no habit, however often it came.
    _sort(
        Kind.PREFERENCE,
        0.6,
        r"(?!)",
        own=r"^(?:(?:and|but|so|also|actually|no),? )*(?:i|we) (?:no longer (?:need|want|use|read|go|do|have|take)\b"
        r"|(?:don[’']?t|do not) (?:need|want|use|read|go|do|have|take)\b[^.;]*\b(?:any ?more|any longer)\b)",
    ),
    # In an owner's words a weekday with its hour, or a place in the month, is a habit whatever else the sentence says of it.
    _sort(Kind.ROUTINE, 0.7, r"(?!)", own=_ROUTINE),
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
        own=r"^(?:please )?(?:write|run|build|format|test|install) [^.;]{1,60}?,? (?:and )?(?:not|never"
        r"|rather than) (?:with |in |by )?[\w’'.+-]+\W*$"
        r"|\b(?:use|run|install|build|write|format|test)\b[^.;]{1,60}\bin (?:the|this|my|our|that|all|every) (?:[\w-]+ ){0,2}"
        r"(?:repo|repository|repos|project|projects|codebase|monorepo|app|service|module|package|workspace)\b"
        r"|\b(?:may|must|can|should)(?: not|n[’']t) (?:read|treat|use|parse|take|count|store|convert|show|be (?:read"
        r"|treated))\b.*\bas\b|\btreat (?:it|them|these|those|the \w+) as\b|\b(?:show|let) me (?:see|read|have|check"
        r"|approve)\b.*\b(?:before|first)\b"
        r"|\b(?:after|until|before|once|unless) i(?:[’']ve| have) (?:seen|read|checked|approved|signed|said)\b"
        r"|\bcheck with me\b|\bask me (?:first|before)\b|\bwrong(?: assumption)?[:,] |\b(?:by hand|generated from"
        r"|is built from)\b.*\b(?:edit|touch|change|build|belong|writes?)"
        r"|\b(?:touch|edit|change)\b.*\bby hand\b|, (?:full stop|period|end of story)\W*$"
        r"|\bnever (?:add|mix|round|skip|combine|merge)\b"
        r"|\b(?:edit|change) [\w./]+ and (?:run|rebuild)\b|\bkeep (?:it|them|this) (?:that way|so)\b"
        r"|^you (?:again )?\w+ed (?:it|them|those|the \w+) (?:as|in|without)\b.*\b(?:remember|again|never)\b",
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
        r"|with)\b|\b(?:don[’']?t|never) (?:ping|disturb|interrupt|message|call|ring|text) me\b",
        own=r"\b(?:mornings?|evenings?|afternoons?|nights?|lunch(?:times?)?)\b.{0,20}\b(?:is|are) (?:good|fine|ok(?:ay)?"
        r"|best|bad|mine|off|not|free|sacred)\b"
        r"|\bnothing (?:earlier|later) than\b|\bnothing (?:before|after) \d|\blike being talked to\b"
        r"|\breminders?\b.*\b(?:over|via|by|through) \w+"
        r"|\bkeep (?:it|answers|replies|them) (?:to|under|short|brief)\b|\bexclamation marks?\b|\b(?:smileys?"
        r"|emoticons?)\b|\blead with\b|\bnumbered points\b"
        r"|\b(?:réponses? (?:courtes?|brèves?)|kurze antworten|korte antwoorden|respostas curtas|en bref)\b",
    ),
    _sort(
        Kind.CONSTRAINT,
        0.85,
        r"\b(?:must(?:n[’']t)?|may not|not allowed|forbidden|banned|prohibited|mandatory|required to|have"
        r" to stay|has to stay|stays? (?:locked|closed|on|in)"
        r"|off[- ]limits|under no circumstances|no exceptions|can[’']t (?:eat|drink|have|stand up|drive"
        r"|use|work)|cannot (?:eat|drink|have|use)|frozen|froze)\b"
        r"|\b(?:never|always)\b.*\b(?:servers?|cloud|main|production|prod|data|permission|approval|merge)\b"
        r"|\bno (?:merges?|deploys?|meetings?|calls?|releases?|alcohol|meat|sugar|gluten|nuts)\b|\bnothing"
        r" (?:gets|goes|is)\b|\bonly (?:bug|security) fix|\bcolou?r-?blind\b|\bwheelchair\b",
        own=r"\b(?:nobody|no one|none of us|we (?:don[’']t|never)) (?:merges?|ships?|deploys?"
        r"|releases?|push(?:es)?|publish(?:es)?|prints?|spends?|touch(?:es)?|leaves?|sends?)\b"
        r"|\bthat[’']s (?:fixed|final|a rule|agreed)\b|\brule: |\bkeep \w+(?: \w+)? (?:off"
        r"|out of|away from)\b|\bserver only\b"
        r"|\bnever (?:overseas|abroad)\b|\b(?:foreign|overseas) (?:hosting|clouds?|servers?)\b|\b(?:has"
        r"|have) to (?:remain|stay)\b|\bremains? on\b"
        r"|\b(?:stays?|remains?|kept) (?:locked|closed|on|in|inside|within)\b|\b(?:verboden|verboten|interdit|proibido"
        r"|mag niet|darf nicht|dürfen nicht)\b",
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
        r"|cancell?ed|postponed)\b|\b(?:deadline|due (?:on|by|date|in)?|remind me|promise|bucket list|to-?do)\b"
        r"|\bi want .{2,60} (?:done|finished|ready|by)\b|\bcan[’']t wait to\b|\b(?:are|is) due\b|\b(?:still"
        r"|yet) (?:not (?:filed|sent|done|paid|booked|in)|to be \w+ed|unfiled|unpaid)\b|\bi owe\b|\b(?:ik moet"
        r"|ich muss|ik (?:zal|beloof|ga)|ich (?:werde|verspreche)|je (?:dois|promets|vais)|prometo"
        r"|tenho que|tenho de|herinner me|erinner[e]? mich|rappelle-moi)\b|\bi[’']?d (?:love|like) to\b|\bwish to\b",
    ),
    _sort(
        Kind.COLLABORATOR,
        0.65,
        rf"\b(?:my|our|his|her|their) (?:\w+ ){{0,2}}{KIN}\b(?:,? (?:is )?{_CAPITAL}|[’']s (?:name|called)|.*\bis"
        rf" (?:called|named)\b)|\bis (?:my|our|the) (?:\w+ ){{0,2}}{KIN}\b"
        rf"|\b(?:new|the) {KIN} is (?:called|named)\b|\b(?:work|works|working|collaborat\w+) with {_CAPITAL}"
        rf"|{_CAPITAL}\w+, (?:our|my|the) (?:\w+ )?{KIN},|\bmy {KIN} is {_CAPITAL}|{_CAPITAL}\w+,? (?:\w+,"
        rf" )?(?:is )?(?:the|our|my|a)? ?{KIN}\b"
        rf"|{_CAPITAL}\w+,? (?:always |also |\([^)]*\) )?{_TRADE} (?:the|our|my|all)\b|\bwho {_TRADE} (?:the|our|my"
        rf"|all)\b|{_CAPITAL}\w+,? s?he {_TRADE} (?:the|our|my|all)\b|{_CAPITAL}\w+, (?:our|my|the) (?:\w+ )?{KIN}\b"
        rf"|\bis {_CAPITAL}[\w-]+ {_CAPITAL}[\w-]+, (?:\w+ )?[a-z]+[.]?$"
        rf"|{_CAPITAL}\w+ from (?:the|our) [\w-]+ (?:side|team|office|desk|department|crew)\b",
    ),
    # How reports, dates and units are wanted is a preference, even where the report is weekly.
    _sort(
        Kind.PREFERENCE,
        0.65,
        r"\b(?:reports?|summar\w+|charts?|plots?|axes|dates?|units?|notes?|exports?|viewer)\b.*\b(?:pdfs?"
        r"|markdown|metric|imperial|iso"
        r"|html|csv|dark mode|light mode)\b|\b(?:metric|imperial) (?:units?|only|always)\b|\biso dates?\b"
        r"|\bmetric, as\b|^(?:metric|imperial)\b|\b(?:metric|imperial) (?:and|stays?|please)\b|\bwrite dates\b"
        r"|\bdates? (?:like|as|in|first)\b",
        own=r"^(?:please )?(?:use|say|spell) [^.;]{1,60}?,? (?:and )?(?:not|never|rather than) [\w’'.+-]+\W*$"
        r"|\b(?:millimet\w+|centimet\w+|kilomet\w+|grams?|celsius|fahrenheit|lit(?:re|er)s?|inches|feet|metres?|pounds"
        r"|kilos?)\b.*\b(?:only|please|always|everywhere|in every)\b"
        r"|^(?:only |always )?(?:millimet\w+|centimet\w+|kilomet\w+|grams?|celsius) (?:only|and|please|everywhere)\b",
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
        rf"|^(?!.*\b{ONCE}\b).*\bon the \d+(?:st|nd|rd|th)\b(?!.*\b(?:was|were|will|[a-z]+ed)\b)",
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
        r"|\bgeen \w+(?: \w+)? meer\b|\bdeixei de \w+|\barrêté de \w+|\bich (?:trinke|esse)\b.*\bkeine?n? \w+\b"
        r"|\b(?:eet|drink) ik geen\b|\bik (?:eet|drink)\b.*\bgeen\b|\bje préfère\b|\bprefiro\b|\bich bevorzuge\b"
        r"|\bliever\b|\bplus de \w+\b|\bkeine?n? \w+ mehr\b|\bj[’']aime\b|\bich mag\b|\bik hou van\b",
    ),
    _sort(
        Kind.TIMELINE_MILESTONE,
        0.65,
        r"\b(?:graduated|got (?:married|engaged|divorced|promoted|hired|accepted|the job|a (?:new )?job"
        r"|my|our)|moved (?:to|in|into|out|house|from)|was born|gave birth|launched|released"
        r"|deployed|presented|shipped|published|signed|quit|retired|started (?:a|my|our|learning|working|at|school"
        r"|college)|joined|founded|opened (?:a|my|our)|bought (?:a|my|our) (?:house|home|flat|car)"
        r"|adopted|passed (?:my|the|away)|won|lost my job|finished|completed|first (?:time|ever)|came out"
        r"|transition\w+|divorce|opened (?:to|on|its|for|this|yesterday|today)|(?:is|are|went) (?:live|in the water"
        r"|in production|on air)|big day)\b",
    ),
    _sort(
        Kind.PROJECT,
        0.6,
        r"\b(?:my|our|the|this) (?:\w+ ){0,2}(?:project|startup|start-up|novel|thesis|dissertation|app"
        r"|side project|paper|album|screenplay|blog|channel|podcast|prototype|repository)\b"
        r"|\bworking on (?:a|an|my|our|the|some)\b|\bproject (?:is|called|named)\b"
        rf"|\b(?:most|half|much|part|all) of my (?:week|time|days?|work) (?:is|goes|are)\b.*{_CAPITAL}|\bspend (?:most"
        rf"|all|half|much)\b.*\bon {_CAPITAL}"
        rf"|\b(?:is|for) {_CAPITAL}\w+, (?:the|our|my) (?:[\w-]+ )*(?:project|network|survey|study|show|programme|app"
        rf"|map)\b|^For {_CAPITAL}\w+,? we\b"
        rf"|\bthe {_CAPITAL}\w+ (?:funding|project|launch|budget|grant|codebase|rollout)\b"
        rf"|^{_CAPITAL}\w+, .*\bprojects?\b"
        rf"|^{_CAPITAL}\w+ is (?:our|my|the|a|an) (?:[\w’'-]+ )*(?:project|network|survey|show|programme|program|app"
        rf"|game|festival|exhibition|study|series|website|platform|map)\b",
    ),
    _sort(
        Kind.EPISODIC_EVENT,
        0.4,
        r"\b(?:i|we|my \w+|our \w+|he|she|they)(?:[’']ve|[’']d| have| had|) (?:just |recently |also |even"
        r" |finally |really |already )?"
        r"(?:went|got|took|came|made|met|saw|found|left|bought|began|told|gave|ran|ate|sold|lost|spent"
        r"|held|wrote|read|flew|drove|had|did|was|were|been|felt|talked|[a-z]{3,}ed)\b"
        rf"|\bdecision\b.*:|{_CAPITAL}\w+,[^,]{{1,40}}, found\b|^(?:just |already )?(?:decided|agreed|chose|settled"
        rf"|discussed|presented|visited|met|talked|spoke)\b"
        r"|\b(?:yesterday|last (?:night|week|weekend|month|year|mon|tue|wed|thu|fri|sat|sun)\w*|ago)\b"
        r"|(?-i:\b[A-Z])\w+ (?:found|went|came|met|gave|wrote|said|presented|decided|visited|fixed|broke"
        r"|won|lost|sent|told|rang)\b",
    ),
)
_FACT = Sort(Kind.SEMANTIC_FACT, 0.5, re.compile(""))


def sort_of(text: str, *, is_owner: bool = True) -> Sort:
    """The first sort that fits; a plain fact else. Peers (`is_owner` false) lay down nothing for an agent."""
    for sort in SORTS:
        if sort.pattern.search(text) or (is_owner and sort.own and sort.own.search(text)):
            return sort
    return _FACT


LESSON = Sort(Kind.TOOL_OR_WORKFLOW_LESSON, 0.8, re.compile(""))
