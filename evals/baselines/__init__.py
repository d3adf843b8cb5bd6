"""What there is without a memory of ours: all of the talk, full text, vectors, both together.

`corpus` is what was said and what is asked, `raw` the searches over turns as they were said, `ours` our memory of it,
`inside` one system in a process of its own, `measure` the table. Every system hears the same, is asked the same, and is judged by one rule.
"""
