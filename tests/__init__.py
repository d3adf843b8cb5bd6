"""The tests of all rooms. No example of a property is late: machines differ, and speed is measured elsewhere."""

from hypothesis import settings

settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")
