"""What a network and its training look like: three sizes, every number of which can be changed."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields, replace
from typing import Any

from tertium.errors import SpecError, did_you_mean


@dataclass(frozen=True)
class NetworkSetting:
    """A network, how it is trained, and how its examples are made. Nothing here depends on the machine."""

    pieces: int = 8000  # of the vocabulary
    width: int = 512
    encoder: int = 6  # layers
    decoder: int = 3
    heads: int = 8
    inner: int = 2048
    dropout: float = 0.3
    smoothing: float = 0.1
    tokens: int = 16000  # of a batch's longer side, padding counted
    steps: int = 10000  # updates; a run that is given minutes chooses them itself
    rate: float = 6e-4
    warmup: float = 0.2  # share of all steps
    decay: float = 0.01
    longest: int = 200  # pieces of a side
    sampling: float = 0.1  # of merges that are left out (BPE-dropout)
    tags: float = 0.5  # share of examples that show client and domain
    matches: float = 0.5  # share of examples that show their match, where they have one
    hard: float = 0.0  # share of examples drawn by how far they diverge
    seed: int = 1

    def with_(self, **changes: Any) -> NetworkSetting:
        """The same with other numbers."""
        known = [field.name for field in fields(self)]
        for name in changes:
            if name not in known:
                raise SpecError(f"unknown setting {name!r}{did_you_mean(name, known)}")
        return replace(self, **{name: value for name, value in changes.items() if value is not None})

    def data(self) -> dict[str, Any]:
        """As it is written beside a model."""
        return asdict(self)


SETTINGS = {
    "tiny": NetworkSetting(
        pieces=1000, width=96, encoder=1, decoder=1, heads=4, inner=192, dropout=0.0, smoothing=0.0, tokens=1200,
        steps=300, rate=4e-3, warmup=0.1, sampling=0.0, longest=80,
    ),
    "small": NetworkSetting(width=256, encoder=6, decoder=2, heads=4, inner=1024, dropout=0.2, rate=1e-3, steps=6000),
    "base": NetworkSetting(),
}  # fmt: skip


def setting(name: str, **changes: Any) -> NetworkSetting:
    """A size by its name, with other numbers where some are given.

    >>> setting("tiny", steps=10).steps
    10
    """
    if name not in SETTINGS:
        raise SpecError(f"unknown setting {name!r}{did_you_mean(name, SETTINGS)}")
    return SETTINGS[name].with_(**changes)
