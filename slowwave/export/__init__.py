"""Export: published memory into an agent's own files, in each platform's layout and within its caps (`write.export`).

What is not ours in those files stays byte for byte; a line of ours that somebody changed stays theirs. A file a platform says what goes
where; `choice` says what may go at all; `region`, `entries` and `whole` merge. Nothing is imported here, since the command looks in.
"""
