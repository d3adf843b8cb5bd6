"""Which language a text is in, by its commonest words; and its words where a search by spaces alone would not see them.

What a language is told by is also what makes its questions questions: left out, the rest says what is asked about. A modest list on
purpose; a language that is not here is searched as it stands. Nights and readers do alike what `pieces` says.
"""

from __future__ import annotations

import re
from itertools import pairwise

ENGLISH, JAPANESE = "en", "ja"

_SMALL_WORDS: dict[str, frozenset[str]] = {
    language: frozenset(words.split())
    for language, words in {
        ENGLISH: "a about after all am an and any are as at be been before but by can could did do does for from had has have he "
        "her his how i if in is it its just man me my no not of on or our out she should so some than that the their them then "
        "there these they this those to up us was we were what when where which who whom whose why will with would you your",
        "nl": "aan al alle als ben bent bij daar dan dat de deze die dit doe doen doet door dus een en er gaan gaat ga geen had "
        "hadden heb hebben hebt heeft hem het hij hoe hoeveel hun ik in is je jij jou jouw jullie kan kun kunnen maar me met mij "
        "mijn moest moet moeten na naar niet nog nu of om onder ons onze ook op over te tegen toen tot u uit uw van voor waar "
        "waarom wanneer waren was wat we welk welke werd wie wij wil word worden wordt zal ze zich zij zijn zo zou",
        "fr": "a ai aller alors as au aux avait avec avez avoir avons ce cela ces cet cette ceux chez combien comme comment dans "
        "de depuis des dois doit donc du elle elles en est et eu eux faire fait faut il ils je jusque la lequel laquelle le "
        "les leur leurs lui ma mais me mes moi mon ne nos notre nous on ont ou où par pas peut peux plus pour pourquoi qu quand "
        "que quel quelle quelles quels qui quoi sa sans se sera ses si son sont sous sur ta te tes toi ton tu un une va vais vas "
        "votre vos vous y à ça était être",
        "de": "aber als am an auch auf aus bei bin bis bist da das dass dein deine deinem deinen deiner "
        "dem den denn der des dich die dir doch du ein "
        "eine einem einen einer er es euch für ging habe haben habt hat hatte ich ihm ihn ihr ihre im in ist ja kann kein keine "
        "man mein meine meinem meinen meiner meines mich mir mit muss nach nicht noch nun nur ob oder sein seine sich sie sind "
        "so soll um und uns unser unsere unserem unseren unserer von vor wann war waren warum was weil welche welchem welchen "
        "welcher welches wem wen wenn wer werde werden wessen wie wieviel will wir wird wo wohin worüber wurde zu zum zur über",
    }.items()
}
# What asks, and what closes a polite sentence; the particles between two words that are not written in hiragana.
_ASKING = re.compile(
    "(?:何(?:ですか)?|誰|どこ|いつ|なぜ|どうして|どう|どの(?:くらい)?|どんな|どれ(?:くらい)?|どちら|いくら|いくつ|どなた|私|僕|俺|あなた)"
    "|(?:でしょう|でした|です|ましょう|ました|ません|ます|まし|ください|だった)(?:か|ね|よ|か)?(?=[\\s。、？?!！]|$)"
)
_PARTICLE = re.compile(
    "(?<=[\u30a0-\u30ff\u3400-\u9fff々\\s])[はがをにでとのもへや](?=[\u30a0-\u30ff\u3400-\u9fff々\\s。、？?]|$)"
)
_KANA, _HAN = re.compile("[\u3041-\u30ff]"), re.compile("[\u3400-\u9fff]")
# Runs of one script: ideographs, katakana and hangul. Hiragana is mostly endings, and is left to the index's own dictionary.
_RUN = re.compile("[\u3400-\u9fff\uf900-\ufaff々]+|[\u30a1-\u30fa\u30fc]{2,}|[\uac00-\ud7a3]{2,}")
_KATAKANA = re.compile("[\u30a1-\u30fa\u30fc]+")
_UNSPACED = re.compile("[\u3041-\u3096\u3400-\u9fff\uf900-\ufaff々]{2,}")
_VOWEL = "aeiouyhàâäéèêëîïôöœùûü"
_ELIDED = re.compile(rf"\b(?:[cdjlmnst]|(?:jus|lors|puis|quoi)?qu)['’](?=[{_VOWEL}])", re.IGNORECASE)
# "Apprend-elle", "a-t-il", "dois-je": who does it hangs on the verb.
_HANGING = re.compile(r"-(?:t-)?(?:je|tu|ils?|elles?|on|nous|vous|ce|moi)\b", re.IGNORECASE)
_WORD = re.compile(r"\w+")
_ENDINGS = {
    "nl": re.compile(r"(?<=\w{3})(?:en|e|s|t)$"),
    "fr": re.compile(r"(?<=\w{3})(?:ées?|és?|er|re|ez|ent|ons|ait|ais|aient|es|e|s|x)$"),
    "de": re.compile(r"(?<=\w{3})(?:e[mnrs]?|st|s|t)$"),
}
# "Les", "dag" and "zee" are words; a shorter part is an ending.
_COMPOSED, _COMPOUND_LETTERS, _PART_LETTERS = ("nl", "de"), 7, 3
# What is longer is no word, and cutting it everywhere would cost its square.
_MAX_LETTERS = 40
_NO_PART = re.compile(r"\we[nr]")
# Where a syllable may begin: what a word may begin with, and a vowel.
_ONSET = re.compile("(?=(?:sch|str|st|sp|[bfgkp][lr]|[dtvw]r|kn|[bcdfghjklmnpqrstvwxz])[aeiouyäöüéëï])")


# Which languages have a word among their commonest: most words are looked up once and are of none.
_KNOWN_TO: dict[str, list[str]] = {}
for _name, _small in _SMALL_WORDS.items():
    for _one in _small:
        _KNOWN_TO.setdefault(_one, []).append(_name)


def language(text: str) -> str:
    """The language whose commonest words a text has most of, English where no other has more; "ja" and "zh" by their scripts."""
    if not text.isascii():
        if _KANA.search(text):
            return JAPANESE
        if _HAN.search(text):
            return "zh"
    counts = dict.fromkeys(_SMALL_WORDS, 0)
    for known in [_KNOWN_TO[word] for word in _WORD.findall(text.casefold()) if word in _KNOWN_TO]:
        for name in known:
            counts[name] += 1
    most = max(counts.values())
    return ENGLISH if counts[ENGLISH] == most else next(name for name, count in counts.items() if count == most)


def is_small_word(word: str, of: str) -> bool:
    """Whether a word is one of another language's commonest, which say little of what is asked; English ones are told by `topic`."""
    return of != ENGLISH and word.casefold() in _SMALL_WORDS.get(of, ())


def is_commonest(word: str) -> bool:
    """Whether a word, in small letters, is one of the commonest of English."""
    return word in _SMALL_WORDS[ENGLISH]


def opened(text: str, of: str) -> str:
    """A question with spaces where its language hides them, and without what only makes it a question in scripts without any."""
    if of == "fr":
        return _HANGING.sub(" ", _ELIDED.sub(" ", text))
    if of == JAPANESE:
        return _PARTICLE.sub(" ", _ASKING.sub(" ", text))
    return text


def unelided(word: str) -> str:
    """A word without the article or pronoun that lost its vowel to it."""
    return _ELIDED.sub("", word)


def pieces(text: str) -> list[str]:
    """Words that an index of a text is given beside it, and a question beside its own.

    What follows an elision; ideographs alone and in pairs, since a dictionary cuts the same word in two ways in two sentences and pairs
    are cut the same in all; and, as the index itself knows the endings of English alone, stems and the parts of compounds.
    """
    # Most texts have no apostrophe, and are looked through once less.
    at_marks = _ELIDED.finditer(text) if "'" in text or "’" in text else ()
    elided = [
        found[0] for at in at_marks if (found := _WORD.match(text, at.end())) and not is_small_word(found[0], "fr")
    ]
    of = language(text)
    told = (
        [word for word in _WORD.findall(opened(text, of).casefold()) if not is_small_word(word, of)]
        if of in _ENDINGS
        else []
    )
    formed = [form for word in told for form in (stem(word, of), *_parts(word, of)) if form != word]
    return list(dict.fromkeys(elided + paired(text) + formed))


def stem(word: str, of: str) -> str:
    """A word in small letters without the ending that its language is likeliest to have put there; three letters stay at least."""
    root = _ENDINGS[of].sub("", word)
    if of != "nl":
        return root
    # "Lessen" is of "les", "gelopen" of "loop": an open syllable writes its long vowel once, and a short one doubles what closes it.
    root = re.sub(r"([bdfgklmnprst])\1$", r"\1", root)
    return re.sub(r"([aeou])\1(?=[bdfgklmnprstvz]$)", r"\1", root)


def _parts(word: str, of: str) -> list[str]:
    """What a long word may be composed of, cut before each syllable with enough on both sides."""
    if of not in _COMPOSED or not _COMPOUND_LETTERS <= len(word) <= _MAX_LETTERS:
        return []
    cuts = [at.start() for at in _ONSET.finditer(word) if _PART_LETTERS <= at.start() <= len(word) - _PART_LETTERS]
    parts = [part for at in cuts for part in (word[:at], word[at:])]
    return [stem(part, of) for part in parts if not _NO_PART.fullmatch(part)]


def paired(text: str) -> list[str]:
    """What is written in scripts without spaces, cut alike wherever it stands: ideographs alone, pairs, and whole runs."""
    return [] if text.isascii() else [piece for run in _RUN.findall(text) for piece in _pairs(run)]


def _pairs(run: str) -> list[str]:
    alone = list(run) if _HAN.match(run) else []
    return [*alone, *(a + b for a, b in pairwise(run)), run]


def runs(text: str, longest: int) -> set[str]:
    """What may be a name where no space says so: every stretch of two letters or more of a script without any, katakana whole."""
    if text.isascii():
        return set()
    found = set(_KATAKANA.findall(text))
    for run in _UNSPACED.findall(text):
        found |= {run[i : i + n] for n in range(2, longest + 1) for i in range(len(run) - n + 1)}
    return found


def asked(question: str) -> str:
    """What full text is asked for a question: in English the question, else the words of it that say something."""
    of = language(question)
    more = " ".join(pieces(question))
    if of == ENGLISH:
        return f"{question} {more}" if more else question
    words = [word for word in _WORD.findall(opened(question, of)) if not is_small_word(word, of)]
    return " ".join([*words, more]).strip() or question
