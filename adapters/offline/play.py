"""What is said for its own sake: small talk, and the stories and games that a speaker asks for. Neither is anyone's life."""

from __future__ import annotations

import re
from datetime import timedelta

from models.ask import Line
from models.supposed import PRETENDED

_LAUGH = re.compile(
    r"(?:^|[\s,])(?:ha(?:ha)*|lol|hehe|hihi|honestly|cheeky \w+)[.!,]*$|^(?:ha|haha|lol)\b|[😂🤣😅😹]", re.IGNORECASE
)
_WEATHER_OR_ANIMAL = re.compile(
    r"\b(?:rain(?:ing|s)?|drizzle|sleet|hail|snow(?:ing|s)?|fog|storm|gale|heatwave|thunder|sunshine|weather|mud|slush"
    r"|gulls?|seagulls?|seals?|possums?|foxe?s?|hedgehogs?|squirrels?|pigeons?|crows?|magpies?|ducks?|geese|goose"
    r"|rats?|mouse|mice|spiders?|wasps?|bees?|cats?"
    r"|dogs?|cows?|sheep|goats?|frogs?|badgers?|otters?|raccoons?|deer|tomato(?:es)?|sandwich(?:es)?)\b",
    re.IGNORECASE,
)
_OWN_ANIMAL = re.compile(
    r"\b(?:i|i[’'](?:m|ve|ll|d)|we|we[’'](?:re|ve|ll|d))\b(?! (?:saw|heard|think|guess|swear))"
    r"|\bmy (?:cat|dog)s?[’']? (?:is|has|needs|name)\b|\ballerg|\b(?:named|called)\b",
    re.IGNORECASE,
)
# What makes a remark about the weather worth a note after all.
_OF_NOTE = re.compile(
    r"\d|\b(?:must|never|always|every|each|until|deadline|due|allerg\w*|prefer\w*|remember|cancel\w*|remind|promise\w*"
    r"|by (?:mon|tues|wednes|thurs|fri|satur|sun)day)\b"
    r"|\b(?:mon|tues|wednes|thurs|fri|satur|sun)days\b|(?<=[a-z,] )[A-Z][a-z]{2,}",
)
_MADE_UP = (
    r"(?:short |little |bedtime |silly )*(?:stor(?:y|ies)|scenes?|novels?|chapters?|poems?|limericks?|fairy ?tales?"
    r"|fables?|plays?|scripts?|songs?|lyrics"
    r"|dialogues?|monologues?|ballads?)"
)
_ASKS_FICTION = re.compile(
    rf"\b(?P<verb>write|continue|draft|invent|make up|compose|tell|give)\b[^.?!]{{0,30}}\b{_MADE_UP}\b"
    rf"|\b(?:bit|part|page|opening|line|draft|excerpt) (?:of|from) (?:my|the|a) {_MADE_UP}\b"
    rf"|{PRETENDED}"
    r"|(?:^|[,;:] |\b(?:let[’']?s|please|(?:can|could|shall) we|want to|now) )role-?play\b"
    r"|^(?:(?:bitte|alsjeblieft|por favor|ok(?:ay)?|nu|dan|en|und|jetzt|nun|et|e|y),? ){0,2}"
    r"(?:schrijf|vertel|schreibe?|erzähle?|écris|raconte|escribe|cuenta|escreve|conta)\b[^.?!]{0,30}"
    r"\b(?:verhaal(?:tje)?|gedicht|scène|geschichte|szene|histoire|poème|cuento|historia|poema|conto|história)\b"
    r"|\byou (?:are|be|play) (?:the|a) \w+ and i(?:[’']m| am"
    r"| play)\b|^(?:first|third) person\b",
    re.IGNORECASE,
)
_GAME = re.compile(rf"{PRETENDED}|\brole-?play\b|\band i(?:[’']m| am| play)\b", re.IGNORECASE)
# Who says "I live in Prague and write novels" asks for none, unless it is the hearer or both together that shall.
_OWN_DOING = re.compile(
    r"\b(?:i|i[’']\w+|we|we[’']\w+|they|they[’']\w+|my|our|his|her|their|who|that|people|ik|wij|ich|wir|je|nous|yo|eu)\b",
    re.IGNORECASE,
)
_HEARERS_DOING = re.compile(
    r"\b(?:you|you to|you please|let[’']?s|help me(?: to)?)(?: (?:please|just|now))*\s+$", re.IGNORECASE
)
_CLAUSE = re.compile(r"[.;:!?–—]\s")
_BACK_TO_LIFE = re.compile(
    r"\b(?:by the way|btw|anyway|back to|other(?:wise)? (?:thing|topic|question)|something else|for real|seriously"
    r"|remind me|from now on|now for"
    r"|unrelated|out of character|enough of|end of story|in real life|remember)\b",
    re.IGNORECASE,
)
FICTION_MINUTES = 30


def is_small_talk(text: str) -> bool:
    """Whether it is weather, an animal or a laugh, told for its own sake: no one's name, plan or number is in it."""
    if _OF_NOTE.search(text):
        return False
    return bool(_LAUGH.search(text) or (_WEATHER_OR_ANIMAL.search(text) and not _OWN_ANIMAL.search(text)))


def asks_fiction(text: str) -> bool:
    """Whether it asks for a story, a song or a game, or brings a piece of one along."""
    for asked in _ASKS_FICTION.finditer(text):
        head = _CLAUSE.split(text[: asked.start()])[-1]
        if not asked["verb"] or _HEARERS_DOING.search(head) or not _OWN_DOING.search(head):
            return True
    return False


# "Suppose I were a nurse. I work nights." supposes all that the message says; what comes after it is life again.
_SUPPOSED_SELF = re.compile(
    r"\b(?:suppose|supposing|imagine|let[’']?s say|let us say|say)\b,? (?:that )?(?:i|you|we)(?:[’'](?:m|re|d)| am| are| were| was| had)\b",
    re.IGNORECASE,
)


class Fiction:
    """Follows a story or a game that the speaker asked for: what is said inside it is no one's life."""

    def __init__(self) -> None:
        self._since: Line | None = None
        self._is_game = False
        self._is_short = False

    def is_inside(self, line: Line, text: str) -> bool:
        """Whether this sentence asks for a story, or stands in one: till half an hour has passed, or the talk turns back to life."""
        if line.role == "user" and asks_fiction(text):
            self._since, self._is_game, self._is_short = line, bool(_GAME.search(text)), False
            return True
        since = self._since
        if since is None or line.speaker != since.speaker:
            return self._supposes(line, text)
        is_late = bool(
            line.said_at and since.said_at and line.said_at - since.said_at > timedelta(minutes=FICTION_MINUTES)
        )
        # The turning word may stand in the sentence's opening, which its words to be judged are without.
        if is_late or _BACK_TO_LIFE.search(line.text) or (self._is_short and line.said_at != since.said_at):
            self._since = None
            return self._supposes(line, text)
        # A game lasts as long as it is played; a story that was asked for is told once.
        self._since = line if self._is_game else since
        return True

    def _supposes(self, line: Line, text: str) -> bool:
        if line.role == "user" and _SUPPOSED_SELF.search(text):
            self._since, self._is_game, self._is_short = line, False, True
            return True
        return False
