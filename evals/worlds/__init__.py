"""Worlds: a made person's year over several platforms, drawn from one seed, with the truth known because it was put there.

`bank` holds the words, `life` what happens and what is true, `scenes` where and when it is said, `files` how each platform writes it down,
`teller` a model that answers with the known labels, `truth` and `asking` what a memory made of it, `guardian` whether it learns when to
speak, `measure` the walk. Nothing here is set by how our rules read: the same words go to the rules and to the labelled answers.
"""
