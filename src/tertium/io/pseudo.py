"""Pseudo-references: outputs of other systems that stand beside references, or instead of them, each with a label.

An output that is a pseudo-reference is not scored: no system is compared with its own output.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from tertium._native import Lines
from tertium.errors import InputError, did_you_mean
from tertium.text.segments import References, check_label

if TYPE_CHECKING:
    from tertium.io.bundles import Bundle, Texts


class PseudoReferences(NamedTuple):
    """What a command names: labels with their files, or of the outputs (no file).

    >>> PseudoReferences.of(["online-A=a.txt", "B"]).labelled
    (('online-A', 'a.txt'), ('B', ''))
    """

    labelled: tuple[tuple[str, str], ...]
    instead: bool = False

    @classmethod
    def of(cls, given: Sequence[str], *, instead: bool = False) -> PseudoReferences:
        return cls(
            tuple((label, path) for label, _, path in (text.partition("=") for text in given)), instead
        )

    @property
    def files(self) -> list[str]:
        return [path for _, path in self.labelled if path]

    def check(self, hypotheses: Sequence[str]) -> None:
        """What can be refused before anything is read."""
        if self.instead and not self.labelled:
            raise InputError("--without-references needs pseudo-references: --pseudo-references LABEL=FILE")
        for label, path in self.labelled:
            check_label(label)
            if path in hypotheses:
                raise InputError(
                    f"{path} is an output (-i) and pseudo-reference {label!r}: no system is compared with its own "
                    "output"
                )

    def among(self, systems: Sequence[str]) -> tuple[str, ...]:
        """The labels, if they fit to the outputs there are."""
        labels = tuple(label for label, _ in self.labelled)
        for label, path in self.labelled:
            if labels.count(label) > 1:
                raise InputError(f"two pseudo-references are called {label!r}")
            if not path and label not in systems:
                hint = did_you_mean(label, systems)
                raise InputError(
                    f"there is no system {label!r} to take as pseudo-reference{hint}; other files are LABEL=FILE"
                )
            if path and label in systems:
                raise InputError(f"pseudo-reference {label!r} has the name of a system: choose another label")
        if labels and systems and set(systems) <= set(labels):
            raise InputError("all systems are pseudo-references: none is left to be scored")
        return labels

    def beside(
        self, references: Sequence[Lines], files: Sequence[Lines], outputs: Mapping[str, Lines]
    ) -> References:
        """References of some segments, with pseudo-references behind them or in their place."""
        true = () if self.instead else tuple(references)
        given = iter(files)
        more = {label: next(given) if path else outputs[label] for label, path in self.labelled}
        return References((*true, *more.values()), tuple(more))


def only_output(bundle: Bundle, path: str) -> Texts:
    """The one output of a file that may hold several texts."""
    if len(bundle.systems) != 1:
        raise InputError(
            f"{path}: holds {len(bundle.systems)} outputs, and a pseudo-reference is one{bundle.hint}"
        )
    return next(iter(bundle.systems.values()))
