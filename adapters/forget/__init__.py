"""Forgetting: tombstones on disk, and the hands that take what they name out of every file of a store.

    stones   tombstones, and which of them is not carried out yet
    erase    captures, inbox and answers rewritten without it (how a row is, says `adapters.capture.forgotten`)
    purge    versions and runs that held it removed
    scan     whether a byte of it is left

Belongs here: files. Does not belong here: what a request reaches (`tasks.trace`), and in which order all this is done (`flows.forget`).
"""
