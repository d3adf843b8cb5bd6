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
    r"|(?:a|an?other|my|our|his|her|their|the) shrinks?|counsell?(?:or|ing)|psychotherap\w*|bmi|body mass|obes\w+|overweight|underweight"
    r"|(?:i|he|she)(?:[’']m| am| is)? weigh(?:s|ed)?|cholesterol|blood sugar|hba1c|menopaus\w*|dialysis|chronic(?:ally)?"
    r"|palliative|hospice"
    # Groups and words of those who leave a habit.
    r"|aa (?:meetings?|sponsors?|group|chip)|go(?:es|ing)? to aa|(?:alcoholics|narcotics|gamblers|overeaters) anonymous|al-anon"
    r"|sobriety|sober|(?:twelve|12)[- ]steps?|detox\w*|gambling (?:problem|debts?)|methadone"
    r"|overgewicht|übergewicht\w*|surpoids|sobrepeso|(?:mon|ma|ta|ton|un|une|le|la) psy"
)
_MONEY = (
    r"salary|wages?|income|debts?|loan|mortgage|bankrupt\w*|overdraft|savings|inheritance|tax(?:es)?"
    r" (?:return|bill)|credit (?:card|score)|account number|iban"
    r"|net worth|alimony|evict\w+|foreclos\w+|arrears|behind on (?:the |my |our |his |her )?(?:rent|bills|payments)"
    # An answer may be owed as well: only what is paid is a matter of money.
    r"|ow(?:e[sd]?|ing) (?:[\w’'-]+ ){0,4}?(?:[€$£¥] ?\d[\d.,]*|\d[\d.,]* ?(?:[€$£¥]|k\b|euros?|dollars?|pounds?|quid|bucks"
    r"|francs?)|money|thousands|hundreds"
    r"|a fortune|rent|taxe?s?|the bank|\d{3,})"
    r"|(?:gets?|getting|got|am|is|are|being|[’']m|[’']s) paid [€$£]? ?\d[\d.,]*|earns? [€$£]? ?\d[\d.,]*"
)
_MINORS = (
    r"(?:my|our|his|her|their) (?:\w+ )?(?:son|daughter|kids?|child(?:ren)?|toddler|baby|newborn"
    r"|grandson|granddaughter|nephew|niece)|bullied|bullying"
    r"|(?:mijn|onze|ons|zijn|haar|hun|meine?[nrm]?|unsere?[nrm]?|seine?[nrm]?|ihre?[nrm]?|mon|ma|mes|notre|nos|son|sa|ses|mi|mis"
    r"|nuestr[oa]s?|su|sus|meus?|minhas?|noss[oa]s?|mi[oae]|nostr[oaie])"
    r" (?:\w+ )?(?:zoon|zoontje|dochter|dochtertje|kind|kinder[en]?|kinderen|baby|sohn|tochter|fils|fille|enfants?|bébé"
    r"|hij[oa]s?|niñ[oa]s?"
    r"|filh[oa]s?|bebé|bebê|figli[oae]?)"
)
_TROUBLE = (
    r"divorc\w+|affair|cheat(?:ed|ing)|arrest\w*|prison|jail|lawsuit|sued|fired|laid off|abus\w+"
    r"|assault\w*|parole|on probation|convict\w*|criminal record|restraining order|sentenced|on bail|bailiffs?|ankle (?:monitor|tag)|dui"
    r"|court (?:date|hearing|case|order)s?|domestic violence|violen(?:t|ce)|rap(?:e[ds]?|ist)|molest\w*|stalk(?:er|ing"
    r"|ed)|women[’']s (?:shelter|refuge)"
    r"|(?:beats?|beat(?:en|ing)|hits?|hitting|slap(?:s|ped)?|punch(?:es|ed)?|chok(?:es|ed)|kick(?:s|ed)?|threaten(?:s|ed)?|hurts?)"
    r" (?:up )?(?:his|her|my|our|their|the) (?:\w+ )?(?:wife|husband|partner|girlfriend|boyfriend|kids?|child(?:ren)?"
    r"|son|daughter|mother|mum|mom"
    r"|father|dad|sister|brother|ex)"
    r"|(?:he|she|husband|wife|partner|father|mother|dad|mum|mom|boyfriend|girlfriend|ex) (?:\w+ )?(?:beats?|hits?|hurts?|slaps?"
    r"|slapped|threaten(?:s|ed)|stalks"
    r"|choked|chokes) (?:me|us|her|him)"
    r"|huiselijk geweld|häusliche gewalt|violences? (?:conjugales?|domestiques?)|(?:frappe|bat) sa femme"
    r"|schlägt (?:seine|ihre|mich)|slaat (?:zijn|haar|me|mij)"
    r"|casier judiciaire|liberté conditionnelle|libertad condicional|antecedentes penales|auf bewährung|vorbestraft\w*"
    r"|funeral|break-?up|broke up|separat(?:ed|ion)|custody|shoplift\w*"
)
_BELIEF = (
    r"gay|lesbian|bisexual|transgender\w*|(?:is|am|are|as|being|[’']m|[’']s|[’']re|was) (?:a )?trans|trans (?:woman|man"
    r"|person|people|kid|boy|girl|guy)"
    r"|non-?binary|genderqueer|genderfluid|gender (?:identity|dysphoria|reassignment|transition|affirming)|pansexual|asexual|lgbt\w*"
    r"|came out (?:to|as)|coming out|sexual\w*|religio\w+|church"
    r"|mosque|synagogue|muslim|christian|jewish|hindu|buddhist|atheist|catholic|queer|homo"
    r"|voted? for|trade union|passport number|social security"
    r"|ramad[ah]n|(?:for|during|gave up [\w ]{2,20} for) lent|yom kippur|shabb?at|shabbos|sabbath|kosher|halal|hajj"
    r"|umrah|quran|koran|torah|rosary"
    r"|bar mitzvah|bat mitzvah|baptis\w+|bible|imam|rabbi|priest|pastor|parish|(?:to|at|attends?|sunday|after) mass"
    r"|pray(?:s|ed|ing|ers?)?"
    r"|(?:party|union) member(?:ship)?|member of the [\w ]{0,20}party|carême|cuaresma|vastenmaand|gottesdienst|la messe"
    r"|la misa|non-binaire|niet-binair"
    r"|nicht-?binär\w*|no binari[oa]"
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
katholi catholi católic iglesia mezquita igreja mesquita
verslav afkick reclassering strafblad veroordeeld voorwaardelijk geslachts bewährungs verurteilt transgesch geschlechtsangl
désintox condamné
probatoir adicci adicto desintox maltrat condenad psiquiatr psicólog terapeut obesidad obésité transgénero transsex transseks
bisexu biseksu
gebetet gebed oración"""
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
shrink counsellor psychotherapy bmi mass obese overweight underweight weigh cholesterol blood hba menopause dialysis chronic
palliative hospice
aa anonymous anon sobriety sober step detox gambling methadone
overgewicht übergewicht surpoids sobrepeso psy
salary wage wages income debt debts loan mortgage bankrupt overdraft savings inheritance tax taxes credit account iban worth alimony owe
owes owed evict foreclose arrears behind paid earn owing
son daughter kid kids child children toddler baby newborn grandson granddaughter nephew niece bullied bullying zoon dochter kind sohn
tochter fils fille enfant bébé hijo hija hijos niño niña filho filha bebé bebê figli
gay lesbian bisexual transgender trans coming sexual religion church mosque synagogue muslim christian jewish hindu buddhist atheist
catholic queer homo vote union passport security
trans binary binair binär binari nonbinary genderqueer genderfluid gender pansexual asexual lgbt came ramadan ramazan ramadhan lent kippur
shabbat shabat shabbos sabbath
kosher halal hajj umrah quran koran torah rosary mitzvah baptism bible imam rabbi priest pastor parish mass pray member membership
carême cuaresma
vastenmaand gottesdienst messe misa nichtbinär
divorce affair cheat arrest prison jail lawsuit sued fired laid abuse assault funeral breakup break broke separate custody shoplift
parole probation convict criminal restraining sentenced bail ankle dui court violent violence rape raped rapes rapist molest stalk women
beat beats hit hits slap slaps slapped punch choke chokes kick threaten hurt hurts huiselijk häusliche frappe bat schlägt slaat casier
conditionnelle condicional penales bewährung vorbestraft
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
