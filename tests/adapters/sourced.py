"""A metric that compares with the source: chrF of the translation against it."""

from __future__ import annotations

from typing import Any, ClassVar

from tertium.families.chrf import ChrF
from tertium.text.segments import References


class ToSource(ChrF):
    needs_source: ClassVar[bool] = True

    def _rows(self, hypotheses: Any, prepared: Any, sources: Any, threads: int) -> Any:
        own = super()._prepare(References.of(sources), threads)
        return super()._rows(hypotheses, own, None, threads)
