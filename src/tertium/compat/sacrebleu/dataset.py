"""The name under which sacrebleu keeps its test sets. There are none here: Tertium downloads nothing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NoReturn

from tertium.compat.sacrebleu.utils import nothing_downloaded


class NoDatasets(Mapping[str, Any]):
    """Looks like a table of test sets, and refuses every look into it."""

    def _refuse(self) -> NoReturn:
        raise nothing_downloaded("sacrebleu's table of test sets")

    def __getitem__(self, name: str) -> NoReturn:
        self._refuse()

    def __contains__(self, name: object) -> NoReturn:
        self._refuse()

    def __iter__(self) -> NoReturn:
        self._refuse()

    def __len__(self) -> NoReturn:
        self._refuse()

    def __repr__(self) -> str:
        return "<no test sets: Tertium downloads nothing>"


DATASETS = NoDatasets()
