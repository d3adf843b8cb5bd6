"""Guards: checks that look after the owner's memory. One a file, pure: loaded rows and texts in, facts out.

`nights` guards against what one night could do; the others are the seven that `slowwave guard` runs over published memory and the files
that it governs. A guard detects and reports; it never changes what it watches. Does not belong here: reading (`adapters.watched`).
"""
