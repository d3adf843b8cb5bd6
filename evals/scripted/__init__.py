"""Conversations of our own, made from a seed, with questions whose evidence is known because it was put there.

Everything that is set by trial is set on these: the other data set's licence is non-commercial, so it is only reported on.
"""
