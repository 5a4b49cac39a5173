"""`python -m playmill`: the command line."""

import sys

from playmill.cli import main

sys.exit(main())
