"""NOUNS: tables, rules, ids and the questions a stage may ask. pydantic, pyarrow and polars and nothing else.

No file, clock, environment, network or random number is touched here.
"""
