"""Words with content and without: counted by hand, and learnt from."""

from __future__ import annotations

import numpy as np
import pytest

from tertium._native import Lines
from tertium.errors import SpecError
from tertium.families.features import Component
from tertium.text.segments import References
from tertium.training.training import train
from tests.training.test_training import judged


def row(hypothesis: str, reference: str, spec: str = "content.*") -> dict[str, float]:
    one = Component.of(spec)
    (found,) = one.rows(Lines([hypothesis]), References((Lines([reference]),)), None, 1).tolist()
    return dict(zip(one.names, found, strict=True))


def test_by_hand() -> None:
    """the, on, the are function words; Cats, sat, mat, mats have content."""
    found = row("Cats sat on the mat .", "the cats sat on the mats")
    assert found["content.all.precision"] == pytest.approx(4 / 5)
    assert found["content.all.recall"] == pytest.approx(4 / 6)
    assert found["content.content.precision"] == found["content.content.f1"] == pytest.approx(2 / 3)
    assert (found["content.function.precision"], found["content.function.recall"]) == (
        1,
        pytest.approx(2 / 3),
    )
    assert found["content.function.f1"] == pytest.approx(2 * 2 / 5)


def test_texts_without_words() -> None:
    assert set(row("", "...").values()) == {1.0}
    assert set(row("", "the cat").values()) == {0.0}
    assert row("cat", "the cat")["content.function.precision"] == 0.0


def test_languages_and_options() -> None:
    assert row("der Hund", "die Katze", "content.*:lang=de")["content.function.recall"] == 0
    assert row("der Hund", "der Hut", "content.*:lang=de")["content.function.recall"] == 1
    assert "lang:de" in Component.of("content.*:lang=de").signature
    with pytest.raises(SpecError, match=r"content\.\* has no option 'language'"):
        Component.of("content.*:language=de")


def test_they_can_be_learnt_from() -> None:
    found = train(judged(noise=0.5), ["content.*"], learner="ridge")
    assert found.correlation > 0.6
    assert np.ptp(found.model.weights) > 0
