"""`python -m tertium.cli`."""

import sys

from tertium.cli import main

sys.exit(main())
