"""SENTENCES: when, and in what order. The only room that imports prefect, and only inside the functions that need it."""
