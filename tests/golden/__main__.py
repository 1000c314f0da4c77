"""Record a session anew: `python -m tests.golden NAME`."""

import sys

from tests.golden import SESSIONS, record

for name in sys.argv[1:] or SESSIONS:
    record(name)
