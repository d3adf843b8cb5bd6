"""Words that a statement adds to its lines: a name in small letters, a place, a thing that nobody spoke of.

Who tells of somebody in the third person brings joining words and plain verbs along ("has", "lives", "prefers"); those say nothing new.
Belongs here: those words, and which others are new. Does not belong here: names in capitals and numbers (`names`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from tasks.extract import names

_LEAST_SHARED, _LEAST_SHARE = 4, 0.6
_PART = re.compile(r"[^\W\d_]+")


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


# Verbs of telling, having, doing and going; their endings are left to the stem.
_VERBS = _set(
    """is has do does did done go goes gone went come came get got make made take took taken give gave given keep kept put set let use
used want wish need like love enjoy prefer hate dislike hope plan intend aim try promise agree accept decide choose chose chosen
ask request tell told say mention state report note describe explain call name know knew known think thought believe feel felt
find found consider remember forget see saw seen hear heard read write wrote speak spoke live reside stay work study teach taught
learn play visit travel move leave left return meet met join attend start begin began begun stop finish end continue remain become
became change switch replace own have hold held buy bought sell sold pay paid send sent bring brought eat ate eaten drink drank
avoid allow require expect owe remind help support lead led run ran manage handle include concern belong seem appear look regard
refer relate"""
)
# What says when, how surely, how often and in which sense, and nothing of what.
_PLAIN = _set(
    """new current currently former formerly previous previously usual usually regular regularly often sometimes always ever never again
still already recent recently later soon early both other others another same different own whole each every either neither none
someone somebody anyone something anything everything thing things one ones time times day days date way ways part kind type sort
place fact preference preferences goal goals rule habit routine name named person people speaker owner currently together really
during within without between among through across against around near under above below toward towards upon per via despite
except like unlike instead rather than whether whose whom how why yes yet since until till once due least much many few several
lot lots bit well able likely possible possibly maybe perhaps probably certain certainly longer anymore because therefore thus
however though although herself himself themselves itself myself yourself ourselves theirs hers yours ours not cannot"""
)
_ABROAD = _set(
    """de het een die dat deze dit der das den dem des ein eine einen einem einer le la les un une du el los las lo os as um uma dos das
da do van von zu zum zur vom beim met mit avec con com voor für pour para por par en und et oder ou op auf sur sobre aan an am im
bei chez uit aus dans em no na nos nas al aux au zijn haar hun ihr ihre ihren ihrem sein seine seinen seinem son sa ses leur su
sus seu sua seus suas er sie es hij zij ze il elle ele ela sich zich se si niet nicht geen kein keine pas não como comme wie als
que qui dass gebruiker gebruikster nutzer nutzerin benutzer benutzerin utilisateur utilisatrice usuario usuaria usuário usuária
utilizador utilizadora heeft hat hebben haben tem tiene ist est são son sind está war was wordt wird woont wohnt habite vive mora
werkt arbeitet travaille trabaja trabalha houdt mag aime gusta gosta wil will veut quiere quer moet muss doit debe deve gaat geht
va vai drinkt trinkt boit bebe eet isst mange come speelt spielt joue juega joga prefiere prefere préfère bevorzugt"""
)


_FREE = _VERBS | _PLAIN | _ABROAD
_FREE_STEMS = frozenset(map(names.stem, _VERBS))


def added(text: str, known: Iterable[str]) -> list[str]:
    """The words of a text that none of the `known` texts holds, in whatever ending, and that say something; in order, each once."""
    held = {part for told in known for part in _parts(told)}
    new = [word for word in dict.fromkeys(_parts(text)) if word not in held]
    if not new:
        return []
    stems = names.stems(held)
    judged = {part for name in names.proper_names(text) for part in _parts(name)}
    others = (word for word in new if names.stem(word) not in stems and _tells(word))
    return [word for word in others if word not in judged and not _is_kin(word, held)]


@lru_cache(maxsize=4_096)
def _parts(text: str) -> tuple[str, ...]:
    """Words without hyphens and endings after an apostrophe; signs of Chinese, Japanese and Korean are no words."""
    words = names.content_words(text)
    kept = words if text.isascii() else [word for word in words if not names.is_sign(word)]
    return tuple(_PART.findall(" ".join(kept)))


def _tells(word: str) -> bool:
    """Whether a word says more than that there is something; number words and dates are judged elsewhere."""
    if len(word) < 3 or word in _FREE or names.stem(word) in _FREE_STEMS or word in names.DATE_WORDS:
        return False
    return bool(names.content_words(word)) and not names.numbers(word)


def _is_kin(word: str, held: set[str]) -> bool:
    """Whether it is made of one of the words: "allergy" of "allergic"."""
    return any(
        _n_shared(word, other) >= max(_LEAST_SHARED, _LEAST_SHARE * max(len(word), len(other))) for other in held
    )


def _n_shared(one: str, other: str) -> int:
    return next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
