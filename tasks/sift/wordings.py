"""Wordings: how the owner says that something is to be kept out of memory, in several languages.

Belongs here: the patterns, in the order in which they are tried. Does not belong here: what a wish reaches (`wishes`, `forget`), and the
words without which a text holds none (`hints`).
"""

from __future__ import annotations

import re

_LEAD = (
    r"(?:^|[.!?;:,)–—-]\s+|\b(?:please|pls|plz|just|but|and|then|so|now|okay|ok|yes|no|actually|also|sorry|wait|well|better|kindly"
    r"|you (?:can|should|must|may|need to|have to)|(?:can|could|would|will) you|(?:want|like|need|ask|asking|tell|telling) you to"
    r"|maar|en|aber|und|bitte|mais|et|pero|y|por favor)[, ]+)"
)
_SAID = (
    r"(?:that |which )?(?:i|we)(?:[’']ve| have|[’']d| had)? (?P<just>just |only just )?(?:ever )?"
    r"(?:said|told|wrote|mentioned|shared|asked|typed|sent|brought up|confided|(?:was|were) (?:just )?(?:saying|telling))"
    r"(?: anything| something)?(?: to)?(?: you)?"
    r"(?P<just2> just now| here)?(?: earlier| before| today| tonight| yesterday| last \w+| the other day)?"
)
_RAISED = (
    r"(?:that )?(?:i|we)(?:[’']ve| have)? (?:ever |just )?"
    r"(?:mentioned|brought up|(?:said|told you) (?:anything|something)? ?(?:about|on)|(?:talked|spoke) (?:to you )?about)"
)
_TOPIC = r" (?P<topic>[^.!?;,:\n]{1,80})"
_ABOUT = rf" (?:about|of|on|regarding|concerning){_TOPIC}"
_THING = r"(?:everything|anything|all|whatever|what|(?:all )?the (?:things?|part|bit|stuff|message|story))"
_KNOWN = r"(?:everything|anything|all)(?: (?:that )?you (?:know|have|stored|saved|remember))?"
_TALK = r"(?:this|the|our) (?:whole |entire )?(?:conversation|chat|session|talk)\b"
_WORDS = r"(?:messages?|sentences?|remarks?|comments?|statements?|words?|stor(?:y|ies)|mentions?|claims?)"
_LAST = rf"(?:my|the|that|this) (?:last|previous|prior|earlier) (?:{_WORDS}|thing|part|bit|one)\b"
_MINE = (
    rf"(?:all |any )?(?:of )?my (?:(?:last|first|earlier|previous|prior|other|own|whole|silly|stupid) ){{0,2}}{_WORDS}"
)
_THIS = r"(?P<this>this|that|it|these|those|any of (?:this|that)|all (?:of )?(?:this|that))"
_THAT = (
    r"(?P<this>this|that|any of (?:this|that)|it (?:in|to) (?:your )?memory)(?: (?:in|to) (?:your )?memory| on file)?"
)
_TOLD = (
    r"(?P<this>(?:that )?(?:i|we)(?:[’']ve| have)? (?:ever |even |just )?(?:told you|said|mentioned|wrote|shared|asked)"
    r"(?: (?:that|this|it|so|anything))?(?: to you)?)"
)
_END = r"(?= *(?:[.!?,;:)–—-]|$| (?:please|now|again|anywhere|at all|ok|okay|will you|would you|right)\b))"
_RECORD = r"(?:off the record|off-the-record(?! \w))"
_OFF = rf"(?:{_RECORD}|between (?:us|you and me|ourselves)|out of (?:your|the) (?:memory|notes|records))"
_STAYS = r"(?:[’']s| is| was| stays?| (?:must|should|has to|needs to) stay| remains?)(?: all| strictly| just)?"
_FORGET = rf"{_LEAD}(?:forget|unlearn)"
_ERASE = rf"{_LEAD}(?:forget|unlearn|delete|erase|wipe)"
_NO = rf"(?:{_LEAD}(?:don[’']t|do not|never|you (?:must|should|may) not|you mustn[’']t|not to)|\byou not to)"
_KEEP = rf"{_NO} (?:remember|store|save|record|keep|memori[sz]e|log|note)"
# The same in Dutch, German, French, Spanish and Portuguese.
_KINDLY = r",?(?: (?:alsjeblieft|bitte|por favor|maar|doch|einfach|mal|gewoon|s[’']il te plaît),?)* (?:alles,? |das,? |tout |todo |tudo )?"
_ABROAD = rf"{_LEAD}(?:vergeet|vergiss|vergesst|oublie\w*|olvid\w+|esque[cç]\w+){_KINDLY}"
_WHAT_I = r"(?:wat|was|ce que?|lo que|o que)\b"
_ABOUT_IT = (
    r"[^.!?\n]{0,40}? (?:over|über|sobre|sur|à propos de|au sujet de|acerca de|bezüglich|zum|zur|zu|van|von|de)"
    rf"{_TOPIC}"
)
# A wish that what was said shall count for nothing: no word of it is to stand, so it goes as what is to be forgotten does.
_IGNORE = (
    rf"(?:{_LEAD}(?:never ?mind|ignore|disregard|discard|scratch|strike|pay no (?:attention|mind|heed) to)"
    r"|\b(?:take|taking)(?: back|(?=[^.!?\n]*\bback\b)))"
)
_IGNORE_ABROAD = (
    rf"(?:{_LEAD}|\b(?:ik|ich) )(?:negeer|schrap|streep|laat|let niet op|trek je niets aan van"
    r"|neem(?: terug|(?=[^.!?\n]* terug\b))|ignorier\w*|streiche?|beachte? nicht|achte? nicht auf"
    r"|nehme?(?: zurück|(?=[^.!?\n]* zurück\b))|ignore[zs]?|laisse tomber|ne tiens pas compte de|ignora\w*"
    rf"|no hagas caso (?:a|de)|desconsider\w+|vergeet|vergiss|vergesst|oublie\w*|olvid\w+|esque[cç]\w+){_KINDLY}"
    r"(?:(?:wat ik|was ich|ce que (?:je|j[’'’])|lo que|o que eu|o que)\b|(?:mijn|meine?n?|mon|ma|mes|mis?|a minha|o meu) (?:\w+ )?"
    r"(?:opmerking(?:en)?|bericht(?:en)?|verhaal|woorden|bemerkung(?:en)?|nachricht(?:en)?|aussagen?|kommentare?|geschichte|worte|remarques?"
    r"|messages?|commentaires?|histoire|comentarios?|mensajes?|comentários?|mensage(?:m|ns)))"
)
_STRUCK = (
    r"^(?:(?:no|sorry|wait|actually|oh|hm+|ok(?:ay)?|please|and|but|so|well|nee|nein|bitte)[,.]? )*"
    r"(?:(?:scratch|strike|disregard|ignore) (?:all )?(?:of )?(?:that|this)(?: last (?:bit|part|one))?"
    r"|i (?:take|am taking) (?:all )?(?:that|this|it) back|(?:streiche?|ignorier\w*) das|(?:schrap|negeer) dat|streep dat(?: maar)? door"
    r"|ik neem dat terug|ich nehme? das zurück|ignore (?:ça|cela)|ignora (?:eso|esto|isso)|desconsidere? isso)"
    r"(?: from the record)?(?:,? (?:please|bitte|alsjeblieft|maar|wieder|por favor))?[\s.!…]*$"
)
# Said alone, these point at what somebody else just said as often as at one's own words.
STRUCK_IN_PLACE = re.compile(r"\b(?:ignor|negeer)\w*", re.IGNORECASE)
_US = r"(?:between (?:us|you and me|ourselves)|onder ons(?: gezegd)?|unter uns(?: gesagt)?|entre nous)\b"

_NOTES = r"your (?:long-term )?(?:memory|memories|notes|records)\b"
# What is to be removed from a draft stays in memory.
_NO_DRAFT = r"(?![^.!?\n]* (?:from|in|out of) (?:the|my|our|this|that|his|her|their|an?) )"

# In this order: what names its topic before what only points.
_FORMS: tuple[tuple[str, str], ...] = (
    ("topic", rf"{_ERASE} (?:about )?{_THING} {_SAID}{_ABOUT}"),
    ("topic", rf"{_FORGET} {_RAISED}{_TOPIC}"),
    ("topic", rf"{_ERASE} {_KNOWN}{_ABOUT}"),
    ("topic", rf"\bplease forget about{_TOPIC}"),
    ("topic", rf"{_LEAD}remove{_NO_DRAFT} (?:about )?{_THING} {_SAID}{_ABOUT}"),
    ("topic", rf"(?:{_ERASE}|{_LEAD}remove)(?P<topic> [^\s.!?;,:][^.!?;,:\n]{{0,80}}?) from {_NOTES}"),
    ("topic", rf"{_KEEP} (?:anything|{_THING} {_SAID}){_ABOUT}"),
    ("topic", rf"{_IGNORE} (?:about )?{_THING} {_SAID}{_ABOUT}"),
    ("topic", rf"(?:{_IGNORE}|{_FORGET}) {_MINE}{_ABOUT}"),
    ("topic", rf"(?:{_ABROAD}{_WHAT_I}|{_IGNORE_ABROAD}){_ABOUT_IT}"),
    ("session", rf"{_ERASE} {_TALK}|{_KEEP} {_TALK}"),
    ("session", rf"{_FORGET} (?:everything|all|anything) {_SAID}"),
    ("before", rf"{_ERASE} {_THING} {_SAID}|{_FORGET} {_LAST}|{_ABROAD}{_WHAT_I}"),
    ("before", rf"{_IGNORE} (?:{_THING} {_SAID}|{_LAST}){_END}"),
    ("struck", _STRUCK),
    ("back", r"\b(?:back on the record|on the record again)\b"),
    ("this", rf"{_FORGET} (?!it\b){_THIS}{_END}"),
    ("this", rf"{_FORGET} {_TOLD}{_END}"),
    ("this", rf"\bplease forget it{_END}"),
    ("this", rf"{_NO} (?:remember|memori[sz]e) {_THIS}{_END}"),
    ("this", rf"{_NO} (?:store|save|record|keep|log|note) {_THAT}{_END}"),
    ("this", rf"{_NO} (?:put|write|add) {_THIS}(?: down)? (?:in|into|to) {_NOTES}"),
    ("this", rf"{_ABROAD}(?:dit|dat|das|dies|ça|cela|ceci|eso|esto|isso)\b"),
    ("this", rf"\b(?:keep|leave|treat|consider|put|hold) {_THIS}(?: all| strictly)? (?:as )?{_OFF}"),
    ("this", rf"\b{_THIS}(?: all)?{_STAYS} {_OFF}"),
    ("off", rf"(?:^|[,:;(–—-] ?)(?:this is |strictly |totally |completely |just )?{_RECORD}\b"),
    ("off", rf"^(?:(?:by the way|btw|well|so|oh|look|listen|honestly|ok(?:ay)?|and|but),? )?(?:just |strictly )?{_US}"),
    ("sentence", rf"\b{_RECORD}\b"),
)
WISHES = tuple((form, re.compile(pattern, re.IGNORECASE)) for form, pattern in _FORMS)
