"""Hints: words without which a text holds no wish of the owner's, told for all texts at once.

Belongs here: the words. Does not belong here: how a wish is worded (`wishes`), and what it takes away (`forget`).
"""

# A text without one of these words wishes nothing: the cheap look before the dear one, in the syntax of both engines.
HINT = (
    r"(?i)\b(?:forget|unlearn|vergeet|vergiss|vergesst|oublie\w*|olvid\w+|esque[cç]\w+|onder ons|unter uns|entre nous)\b"
    r"|off[ -]the[ -]record|between (?:us|you and me|ourselves)|out of (?:your|the) (?:memory|notes|records)"
    r"|(?:n[’']t|not|not to|never) (?:remember|store|save|record|keep|memori[sz]e|log|note)"
    r"|(?:delete|erase|wipe) (?:about|everything|anything|all|what|the|this|our)"
    r"|\b(?:never ?mind|ignor|disregard|scratch (?:about|every|any|all|of|what|the|this|that|my)|strike|discard"
    r"|tak(?:e|ing) [^.!?\n]*\bback\b|pay no|negeer|schrap|streep|laat,? |let niet|neem|trek je|streich|beacht|achte? nicht|nehme?"
    r"|laisse tomber|tiens pas compte|desconsider|hagas caso|remove (?:about|everything|anything|all|what|the))"
    r"|your (?:long-term )?(?:memor|notes|records)"
)
# Both engines fold case, but only one of them takes these for an i.
ODD_I = "[ıİ]"
# More than one space between words, or another one than the usual, in the syntax of the columns' engine.
ODD_SPACE = r"[\s&&[^\r\n]]{2,}|[\s&&[^\r\n ]]"

_KEEPING = ("remember", "store", "save", "record", "keep", "memorise", "memorize", "log", "note")
# What stands in every text, folded, that the hint is found in.
SIGNS = (
    *("forget", "unlearn", "vergeet", "vergiss", "vergesst", "oublie", "olvid", "esquec", "esqueç", "onder ons"),
    *(
        "unter uns",
        "entre nous",
        "off the record",
        "off-the-record",
        "off the-record",
        "off-the record",
        "between us",
        "between you and me",
        "between ourselves",
    ),
    *("out of your ", "out of the ", "delete ", "erase ", "wipe ", "nevermind", "never mind", "ignor", "disregard"),
    *(
        "scratch ",
        "strike",
        "discard",
        "take ",
        "taking ",
        "pay no",
        "negeer",
        "schrap",
        "streep",
        "let niet",
    ),
    *(
        "neem",
        "laat",
        "trek je",
        "streich",
        "beacht",
        "acht nicht",
        "achte nicht",
        "nehm",
        "laisse tomber",
        "tiens pas compte",
    ),
    *("desconsider", "hagas caso", "remove ", "your memor", "your notes", "your records", "your long-term "),
    *(f"{no} {word}" for no in ("n't", "n’t", "not", "not to", "never") for word in _KEEPING),
)
