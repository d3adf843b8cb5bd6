"""The words of private matters: health, money, minors, beliefs, troubles. English first, with the plain ones of other languages.

Belongs here: the words. Does not belong here: what follows for a claim or a message (`privacy`).
"""

from __future__ import annotations

import re

from models.cue import Cue


def _list(words: str) -> tuple[str, ...]:
    return tuple(words.split())


_HEALTH = (
    r"diagnos\w+|clinic|hospital|surgery|therap(?:y|ist)|depress\w+|anxiety|pregnan\w+|miscarriage"
    r"|cancer|tumou?r|diabet\w+|medication|medicine"
    r"|antidepress\w+|prescri\w+|illness|disease|disorder|hiv|std|rehab|addict\w*|alcoholi\w+|suicid\w+"
    r"|self-harm|panic attack|mental health|adh[ds]|autis\w+"
    r"|epilep\w+|seizure|biops\w+|chemo\w*|symptoms?|blood (?:pressure|test)|krank\w*|maladie|ziekte|operatie"
    r"|pills|insulin\w*|sertralin\w*|dementia|alzheimer\w*|heart attack|\w*krebs|\w*kanker|cáncer|câncer|cancro"
    r"|schwanger\w*|zwanger\w*|enceinte|embarazada|grávida"
    r"|rash|eczema|asthma\w*|migraines?|lupus|arthritis|thyroid|infections?|abortion|infertil\w*|ivf|antibiotics?|inhaler"
    r"|bipolar|ptsd|ocd|overdose|relapsed?|burn-?out|fausse couche|tested positive"
)
_MONEY = (
    r"salary|wages?|income|debts?|loan|mortgage|bankrupt\w*|overdraft|savings|inheritance|tax(?:es)?"
    r" (?:return|bill)|credit (?:card|score)|account number|iban"
    r"|net worth|alimony|owe[sd]?|evict\w+|foreclos\w+|arrears|behind on (?:the |my |our |his |her )?(?:rent|bills|payments)"
    r"|(?:gets?|getting|got|am|is|are|being|[’']m|[’']s) paid [€$£]? ?\d[\d.,]*|earns? [€$£]? ?\d[\d.,]*"
)
_MINORS = (
    r"(?:my|our|his|her|their) (?:\w+ )?(?:son|daughter|kids?|child(?:ren)?|toddler|baby|newborn"
    r"|grandson|granddaughter|nephew|niece)|bullied|bullying"
    r"|(?:mijn|onze|ons|zijn|haar|hun|meine?[nrm]?|unsere?[nrm]?|seine?[nrm]?|ihre?[nrm]?|mon|ma|mes|notre|nos|son|sa|ses|mi|mis"
    r"|nuestr[oa]s?|su|sus|meus?|minhas?|noss[oa]s?|mi[oae]|nostr[oaie])"
    r" (?:\w+ )?(?:zoon|zoontje|dochter|dochtertje|kind|kinder[en]?|kinderen|baby|sohn|tochter|fils|fille|enfants?|bébé|hij[oa]s?|niñ[oa]s?"
    r"|filh[oa]s?|bebé|bebê|figli[oae]?)"
)
_TROUBLE = (
    r"divorc\w+|affair|cheat(?:ed|ing)|arrest\w*|prison|jail|lawsuit|sued|fired|laid off|abus\w+"
    r"|assault\w*|funeral|break-?up|broke up|separat(?:ed|ion)|custody|shoplift\w*"
)
_BELIEF = (
    r"gay|lesbian|bisexual|transgender|trans (?:woman|man)|coming out|sexual\w*|religio\w+|church"
    r"|mosque|synagogue|muslim|christian|jewish|hindu|buddhist|atheist|catholic|queer|homo"
    r"|voted? for|trade union|passport number|social security"
)
# In small letters and as one: a pattern that ignores case takes several times as long, and every claim is looked at.
_WORDS = re.compile(rf"\b(?:{'|'.join((_HEALTH, _MONEY, _MINORS, _BELIEF, _TROUBLE))})\b")
# How such words begin elsewhere; none begins an English word of another sense.
_STEMS = _list(
    """psychiat psycholo depressi dépressi ziekenh medicijn medikament médicament medicament miskraam verslaafd angststoornis
fehlgeburt abtreib süchtig alkoholi alcoholi therapeut krankenh herzinfarkt schlaganfall behinder grossesse avortement
hôpital malad anxiété embaraz grávid gravidez aborto enfermedad enferm doença doente malatti malato ospedale remédio incinta
ansiedad anorexi bulimi salaris schulden verdien hypothee hypothek hipotec salaire salario salário sueldo stipendio gehalt
kredit krediet insolven dettes deuda dívida debiti emprunt impôt belasting gescheiden scheiding scheidung geschieden
ontslagen entlassen verhaftet gearresteerd gefängnis gevangenis begrafenis beerdigung mishandel missbrauch licencié licenziat
obsèques despedid demitid cárcel schwul lesbi homosex homoseks kerk moskee kirche moschee église mosquée musulman moslim
katholi catholi católic iglesia mezquita igreja mesquita"""
)
_TOKEN = re.compile(r"[^\W\d_]+")
# Of each of the words above, one that stands wherever it does: most texts hold none.
_HINTS = Cue(
    _WORDS,
    """
diagnosis clinic hospital surgery therapy therapist depress anxiety pregnant miscarriage cancer tumor tumour diabetes medication
medicine antidepressant prescribe illness disease disorder hiv std rehab addict alcoholic suicide harm panic mental adhd adhs autism
epilepsy seizure biopsy chemo symptom blood krank maladie ziekte operatie pills insulin sertraline dementia alzheimer heart cáncer câncer
cancro schwanger zwanger enceinte embarazada grávida rash eczema asthma migraine lupus arthritis thyroid infection abortion infertile ivf
antibiotic inhaler bipolar ptsd ocd overdose relapse burn burnout fausse positive
salary wage wages income debt debts loan mortgage bankrupt overdraft savings inheritance tax taxes credit account iban worth alimony owe
owes owed evict foreclose arrears behind paid earn
son daughter kid kids child children toddler baby newborn grandson granddaughter nephew niece bullied bullying zoon dochter kind sohn
tochter fils fille enfant bébé hijo hija hijos niño niña filho filha bebé bebê figli
gay lesbian bisexual transgender trans coming sexual religion church mosque synagogue muslim christian jewish hindu buddhist atheist
catholic queer homo vote union passport security
divorce affair cheat arrest prison jail lawsuit sued fired laid abuse assault funeral breakup break broke separate custody shoplift
"""
    + " ".join(_STEMS),
)
# A word may end in these, however it begins.
_ENDINGS = ("krebs", "kanker")
# Written without spaces, so that no edge of a word is looked for.
_SIGNS = re.compile(
    "病|癌|うつ|鬱|抑郁|妊娠|怀孕|懷孕|流産|流产|糖尿|薬|药|通院|入院|手術|手术|診断|诊断|精神科|給料|年収|月収|借金|工资|债|離婚|离婚|逮捕|息子|娘|儿子|女儿|宗教|同性"
)


def is_private_matter(text: str) -> bool:
    """Whether a text speaks of health, money, minors, beliefs or troubles, as far as its words tell."""
    if not _may_be(text):
        return False
    small = text.lower()
    if _WORDS.search(small) or any(word.startswith(_STEMS) for word in _TOKEN.findall(small)):
        return True
    return not small.isascii() and _SIGNS.search(small) is not None


def _may_be(text: str) -> bool:
    return _HINTS.may_be_in(text) or any(ending in text.lower() for ending in _ENDINGS)
