"""The errors that people see, one clear line that says what is wrong, where, and what to do; and words for them."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class TertiumError(ValueError):
    """Something the user gave cannot be used. The message is one line; the command line exits with status 2."""


class InputError(TertiumError):
    """Texts or files that cannot be scored: wrong shape, wrong length, damaged."""


class TextError(InputError):
    """What is known of a text does not fit it: parses of another text, chains of none. Whoever knows where the text
    comes from can say so."""

    def __init__(self, message: str, text: str) -> None:
        super().__init__(message)
        self.text = text

    def __reduce__(self) -> tuple[type[TextError], tuple[str, str]]:
        return type(self), (str(self), self.text)


class SpecError(TertiumError):
    """A metric, tokeniser or option that does not exist or has an impossible value."""


class MissingExtraError(TertiumError):
    """An optional part of Tertium is not installed."""

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(f"{what} needs an extra: pip install 'tertium[{extra}]'")
        self.what, self.extra = what, extra

    def __reduce__(self) -> tuple[type[MissingExtraError], tuple[str, str]]:
        return type(self), (self.what, self.extra)


class TertiumWarning(UserWarning):
    """Input that was scored but looks wrong."""


class ScriptWarning(TertiumWarning):
    """A note on the tokenisers of texts in languages without spaces between words."""


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """`"; did you mean 'chrf'? (known: bleu, chrf, ter)"`: the tail of a message about an unknown name.

    >>> did_you_mean("blue", ["bleu", "chrf"])
    "; did you mean 'bleu'? (known: bleu, chrf)"
    """
    names = sorted(set(known))
    near = difflib.get_close_matches(name, names, n=1, cutoff=0.5)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    return f"{hint} (known: {', '.join(names)})"


def shortened(text: str, most: int = 60) -> str:
    """The beginning of a text, as messages quote it.

    >>> shortened("one two three", 10)
    'one two...'
    """
    return text if len(text) <= most else text[: most - 3].rstrip() + "..."


def many(number: int, noun: str) -> str:
    """A number of things, as messages say it.

    >>> many(1, "segment"), many(2, "segment")
    ('1 segment', '2 segments')
    """
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
