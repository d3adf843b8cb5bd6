"""VERBS: pure stages, one verb a file. Tables in, tables out; no file, clock, environment, network or random number."""
