"""PROMISES: what every published version keeps, checked before it goes live."""
