"""The night report: what a night learned, changed, put off and cost, with quotes, on one page that needs no network.

It is the owner's own page, in the owner's private store: unlike the audit (`expectations.page`) it says what was said. Belongs here:
what the page says and how it looks. Does not belong here: reading it together (`flows.telling`).
"""
