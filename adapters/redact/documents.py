"""Numbers of a person's papers, known by the name said with them: passport, identity card, licence to drive, social security, tax.

Belongs here: what such papers are called, and what their numbers look like.
Does not belong here: numbers that prove themselves (`numbers`).
"""

from __future__ import annotations

import re

# In small letters, as they stand in a text that speaks of one: a text with none of these is not looked at.
WORDS = (
    *("passport", "passeport", "pasaporte", "passaport", "paspoort", "reisepass"),
    *("id card", "id-card", "id number", "identity card", "identity number", "national id", "national register", "residence permit"),
    *("identiteitskaart", "rijksregister", "burgerservice", "bsn", "personalausweis", "ausweis"),
    *("carte d", "registre national", "dni", "nie"),
    *("licence", "license", "rijbewijs", "führerschein", "fuehrerschein", "permis de conduire", "carnet de conducir"),
    *("carta de condu", "patente di guida", "social security", "ssn", "national insurance", "nino", "nhs", "sozialversicherung"),
    *("sécurité sociale", "securite sociale", "seguridad social", "sofi"),
    *("tax id", "tax number", "steuer", "cpf", "codice fiscale", "aadhaar", "pesel", "personnummer", "fiscaal nummer", "numéro fiscal"),
)  # fmt: skip
_NAMES = (
    r"passport|passeport|pasaporte|passaporte|passaporto|paspoort|reisepass|(?:id|identity)[ -]card|(?:my|his|her|our|their|national) id"
    r"|(?:id|identity)(?= number| no)|national (?:id|identity|register)|residence permit|identiteitskaart|rijksregister(?:nummer)?"
    r"|burgerservice(?:nummer)?|bsn|personalausweis|ausweis|carte d[’']identité|registre national|dni|nie"
    r"|(?:driving|driver[’']?s?|drivers[’']?) licen[cs]e|rijbewijs|führerschein|permis de conduire|carnet de conducir|carta de condução"
    r"|patente di guida|social security|ssn|national insurance|nino|nhs|sozialversicherungs?|sécurité sociale|seguridad social|sofi"
    r"|tax id|tax number|steuer-?(?:id|identifikations|identifikation)?|cpf|codice fiscale|aadhaar|pesel|personnummer|fiscaal nummer"
    r"|numéro fiscal"
)
_NOT_ITS_OWN = r"(?! office| photo| fee| appointment| control| test| lesson| exam| cent| agency| service| scandal)"
_CALLED = r"(?:[’']s)?(?:[ -]?(?:number|nummer|numéro|numero|número|num|no|nr|n°|#)\.?)?"
# In one piece, or in the groups in which it is printed.
_WHOLE = r"[A-Z]{0,6}-?\d[\dA-Z]{5,17}|(?-i:[A-Z]{1,3}) \d{5,9}"
_GROUPED = r"[A-Z]{0,3}[ -]?\d[\dA-Z]{0,4}(?:[ ./-]\d[\dA-Z]{0,8}){1,7}(?:[ ./-](?-i:[A-HJ-Z])(?![\w’']))?"
_DATE = re.compile(r"\d{4}[./-]\d\d?[./-]\d\d?(?!\d)|\d{1,2}[ ./-]\d{1,2}[ ./-](?:19|20)\d\d(?!\d)")
_MIN_DIGITS, _MIN_LETTERED_DIGITS = 6, 5


def label(says: str, sign: str, quote: str) -> str:
    """The pattern of such a paper with its number, from the words and signs that announce a value."""
    leads = rf"(?:[^\n.=:!?\d]{{0,30}}? {says}[ :]{{1,2}}|{quote}\s?{sign}\s{{0,2}}|[ ,]{{1,2}})"
    return rf"(?<![a-z])(?:{_NAMES}){_NOT_ITS_OWN}{_CALLED}{leads}{quote}(?P<value>{_WHOLE}|{_GROUPED})(?![\w%])"


def is_number(value: str) -> bool:
    """Whether it has the digits of such a number, and is no date."""
    n_digits = sum(c.isdigit() for c in value)
    least = _MIN_LETTERED_DIGITS if any(c.isalpha() for c in value) else _MIN_DIGITS
    return n_digits >= least and not _DATE.match(value)
