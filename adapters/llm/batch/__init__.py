"""Batches: many questions put to a provider at once, at its lower price; what they don't answer is left to single calls.

Belongs here: submitting, waiting, collecting, and finding a batch again after a crash. Does not belong here: whether an answer is
good, and what is asked again (`ask`); nor what may be spent (`books`). Nothing is paid for twice: as long as a batch may still be
answered, its questions are put off and never asked singly.
"""

from adapters.llm.batch.going import Item, Terms
from adapters.llm.batch.wait import Batches

__all__ = ["Batches", "Item", "Terms"]
