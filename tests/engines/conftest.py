"""Running the command line, as the tests of commands do."""

from tests.cli.conftest import run

__all__ = ["run"]
