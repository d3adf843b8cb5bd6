"""`python -m slowwave`, for where the command `slowwave` is not on the path."""

from __future__ import annotations

import sys

from slowwave.cli import main

if __name__ == "__main__":
    sys.exit(main())
