"""Words by which names are told from what is no name: openers of sentences, words that name nothing, roles, places, dates."""

from __future__ import annotations

import re


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


# Words that open sentences with a capital, and are no names and no part of one.
_NO_NAMES = _set(
    "the a an my our his her their its your this that these those i i'm i'll i've i'd we we're we've we'll you you're he he's "
    "she she's it it's they they're they've there there's here here's that's what's who's if when while and but or so as not "
    "no yes in on at by for from with to of about after before until since who what why how where which one first next last "
    "also ok okay please let let's maybe now then all both everyone everybody people every each some any is are was were do "
    "does did has have had will would can could yeah yea yep yup nope oh ah aw wow whoa haha lol ha glad dear hi hey hello "
    "hiya thanks thank thx morning moin hallo hoi beste lieve liebe lieber oi olá caro cara"
)
# Words of a description by which nothing is known again.
VAGUE = _set(
    "usual same rest other others latter former whole first second last next one ones thing things way most least morning "
    "afternoon evening night day week month year moment end beginning question answer problem point only idea"
)
# Before "the": what follows stands in a place or time, and is no subject.
PLACING = _set(
    "in at on of after during before since until by for from about near over under through into within between behind"
)
# Roles that one person of somebody's life has at a time.
ONE_ROLE = (
    r"(?:manager|boss|supervisor|team lead|lead|landlord|landlady|wife|husband|partner|fianc[ée]e?|girlfriend|boyfriend|mother|mum|mom"
    r"|father|dad|doctor|gp|dentist|therapist|accountant|lawyer|solicitor|advis[eo]r|director|professor|coach|vet|tutor|editor|publisher)"
)
CALENDAR = re.compile(
    r"\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|january|february|march|april|may|june|july|august|september|october|november"
    r"|december|spring|summer|autumn|winter|easter|christmas)\b"
)
ORGANISATION = re.compile(
    r"(?i)\b(inc|ltd|llc|gmbh|corp|company|university|college|school|institute|bank|trust|board|council|collective|"
    r"foundation|fund|hospital|museum|library|association|society|group|agency|ministry|department|team|cooperative)\b"
)
PLACE = re.compile(
    r"(?i)\b(street|lane|avenue|road|square|park|bay|beach|lake|river|mount(ain)?|island|forest|valley|harbour|harbor|"
    r"city|town|village|county|cafe|café)\b"
)


def is_no_name(word: str) -> bool:
    """Whether a word is neither a name nor a part of one, whatever its place made of its first letter."""
    return word.casefold().replace("’", "'") in _NO_NAMES
