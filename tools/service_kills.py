"""The service, killed under load: `python -m tools.service_kills [KILLS]` (50), once on SQLite and once on PostgreSQL.

Eight senders write documents, each by its own idempotency key, and insist until they are acknowledged; SIGKILL hits all
processes of the service at random moments, and it is started again. Then every acknowledged evaluation must be in the
database once, with the scores that were answered, and nothing else may be there.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

from tests.app.test_kill import postgres
from tests.service.killing import killed_under_load


def main() -> None:
    """Print what survived; an assertion fails where something did not."""
    kills = int(sys.argv[1]) if len(sys.argv) > 1 else 50
    with tempfile.TemporaryDirectory() as folder, postgres(Path(folder)) as url:
        for name, where, workers in (("SQLite", f"{folder}/office", 1), ("PostgreSQL", url, 2)):
            begin = time.monotonic()
            found = killed_under_load(where, kills=kills, senders=8, workers=workers)
            print(
                f"{name}: killed {found.kills} times, {found.acknowledged} evaluations acknowledged, "
                + f"none lost, none doubled; {found.again} calls made again ({time.monotonic() - begin:.0f} s)",
                flush=True,
            )


if __name__ == "__main__":
    main()
