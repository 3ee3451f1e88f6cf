"""Components that earn nothing go, those that judgements are made of stay."""

from __future__ import annotations

from tertium.training.selection import select
from tests.training.test_training import judged


def test_what_judgements_are_made_of_stays() -> None:
    found = select(judged(), ["chrf", "bleu", "ter", "ol", "lengths.*"])
    assert {"chrf", "ter"} <= set(found.kept)
    assert [spec for spec, _ in found.dropped]
    assert found.selected > found.correlation - 0.001
    assert "components stay" in str(found)


def test_everything_may_earn_its_place() -> None:
    found = select(judged(noise=0), ["chrf", "ter"])
    assert found.kept == ("chrf", "ter")
    assert not found.dropped
