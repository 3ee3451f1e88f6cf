"""Features of n-best lists (`LM= -1.8 TM= -1.4 -2.2`), their weights (`[weight]` of Moses' ini files, or tables), and
lists of several rounds as one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from tertium.errors import InputError, did_you_mean, many
from tertium.io.files import write_atomically
from tertium.io.nbest import NBest, read_nbest
from tertium.io.records import numbered_lines, real_number
from tertium.io.streams import FilePath, display_name

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

LARGEST = 1e30  # of a feature or a weight: their products must stay finite
Layout = tuple[tuple[str, int], ...]  # names, and how many values each has


@dataclass(frozen=True, eq=False)
class FeatureLists:
    """An n-best list with its features as numbers.

    >>> nbest = NBest((0, 0), ("a", "b"), (0.0, 0.0), ("LM= -1 TM= 2 3", "LM= -2 TM= 1 5"))
    >>> found = FeatureLists.of(nbest)
    >>> found.names, found.values.tolist()
    (('LM', 'TM[1]', 'TM[2]'), [[-1.0, -2.0], [2.0, 1.0], [3.0, 5.0]])
    """

    nbest: NBest
    layout: Layout
    values: Array  # features x candidates

    @classmethod
    def of(cls, nbest: NBest) -> FeatureLists:
        """The features of a list; every candidate has the same, in the same order."""
        if not nbest.features:
            raise InputError(f"{nbest.origin or 'the n-best list'} has no features to find weights of")
        layout: Layout | None = None
        rows = []
        for i, text in enumerate(nbest.features):
            where = f"{nbest.origin}: line {i + 1}" if nbest.origin else f"candidate {i + 1}"
            own, numbers = _parsed(text, where)
            if layout is None:
                layout = own
            elif own != layout:
                raise InputError(f"{where}: {_differs(own, layout)}")
            rows.append(numbers)
        assert layout is not None
        return cls(nbest, layout, np.ascontiguousarray(np.array(rows, dtype=np.float64).T))

    @property
    def names(self) -> tuple[str, ...]:
        """A name for each value: `LM`, `TM[1]`, `TM[2]`."""
        return tuple(
            name if number == 1 else f"{name}[{i + 1}]" for name, number in self.layout for i in range(number)
        )

    def weights(self, given: Mapping[str, Sequence[float]], origin: str) -> Array:
        """These weights in the order of our features; others than ours are not looked at."""
        found: list[float] = []
        for name, number in self.layout:
            if name not in given:
                raise InputError(f"{origin}: there is no weight of {name}{did_you_mean(name, given)}")
            if len(given[name]) != number:
                has = many(len(given[name]), "weight")
                raise InputError(f"{origin}: {name} has {has} for {many(number, 'value')} in the list")
            found += given[name]
        return np.array(found)

    def named(self, weights: Sequence[float] | Array) -> dict[str, tuple[float, ...]]:
        """Weights by the names of features."""
        flat, found = [float(weight) for weight in weights], {}
        for name, number in self.layout:
            found[name], flat = tuple(flat[:number]), flat[number:]
        return found


def _parsed(text: str, where: str) -> tuple[Layout, list[float]]:
    names: list[tuple[str, int]] = []
    numbers: list[float] = []
    for word in text.split():
        if word[-1] in "=:" and len(word) > 1:
            names.append((word[:-1], 0))
            continue
        if not names:
            raise InputError(f"{where}: features must be 'name= value...', not {text[:40]!r}")
        name, number = names[-1]
        value = real_number(word, f"feature {name}", where)
        if abs(value) > LARGEST:
            raise InputError(f"{where}: the feature {name} is too large: {word}")
        numbers.append(value)
        names[-1] = name, number + 1
    if not names:
        raise InputError(f"{where} has no features")
    for name, number in names:
        if not number:
            raise InputError(f"{where}: the feature {name} has no value")
    if len({name for name, _ in names}) < len(names):
        raise InputError(f"{where}: a feature is there twice: {text[:60]!r}")
    return tuple(names), numbers


def _differs(own: Layout, first: Layout) -> str:
    """What is different from the first line."""
    ours, theirs = dict(own), dict(first)
    for name, number in first:
        if name not in ours:
            return f"the feature {name} is missing"
        if ours[name] != number:
            return f"the feature {name} has {many(ours[name], 'value')}, but {number} in the first line"
    for name, _ in own:
        if name not in theirs:
            return f"the feature {name} is not in the first line"
    return "features are in another order than in the first line"


def merged(lists: Sequence[FeatureLists]) -> FeatureLists:
    """Lists of the same sentences as one, those of the first list first; a candidate with the text and the features of
    one before it is dropped.

    >>> one = FeatureLists.of(NBest((0, 0), ("a", "b"), (0.0, 0.0), ("LM= 1", "LM= 2")))
    >>> two = FeatureLists.of(NBest((0, 0), ("b", "c"), (0.0, 0.0), ("LM= 2", "LM= 3")))
    >>> merged([one, two]).nbest.hypotheses
    ('a', 'b', 'c')
    """
    first = lists[0]
    for other in lists[1:]:
        if other.layout != first.layout:
            raise InputError(
                f"{other.nbest.origin}: {_differs(other.layout, first.layout)} of {first.nbest.origin}"
            )
        if other.nbest.n_sentences != first.nbest.n_sentences:
            raise InputError(
                f"{other.nbest.origin} has candidates of {other.nbest.n_sentences} sentences, but "
                f"{first.nbest.origin} of {first.nbest.n_sentences}"
            )
    kept: list[list[tuple[int, int]]] = [[] for _ in range(first.nbest.n_sentences)]
    seen: set[tuple[int, str, bytes]] = set()
    for place, own in enumerate(lists):
        columns = np.ascontiguousarray(own.values.T + 0.0)  # -0.0 is 0.0
        for i, (segment, text) in enumerate(zip(own.nbest.segments, own.nbest.hypotheses, strict=True)):
            key = segment, text, columns[i].tobytes()
            if key not in seen:
                seen.add(key)
                kept[segment].append((place, i))
    order = [pair for sentence in kept for pair in sentence]
    lone = [own.nbest for own in lists]
    nbest = NBest(
        tuple(lone[place].segments[i] for place, i in order),
        tuple(lone[place].hypotheses[i] for place, i in order),
        tuple(lone[place].model_scores[i] for place, i in order),
        tuple(lone[place].features[i] for place, i in order),
        origin=", ".join(own.origin for own in lone),
    )
    starts = np.cumsum([0, *(len(own) for own in lone[:-1])])
    columns = np.concatenate([own.values for own in lists], axis=1)
    return FeatureLists(nbest, first.layout, columns[:, [int(starts[place]) + i for place, i in order]])


def read_features(paths: Sequence[FilePath], **how: Any) -> FeatureLists:
    """n-best lists of one or several rounds, without repeated candidates."""
    return merged([FeatureLists.of(read_nbest(path, **how)) for path in paths])


def read_weights(path: FilePath) -> dict[str, tuple[float, ...]]:
    """Weights of features: the section `[weight]` of Moses' ini file, or a table of names and weights.

    >>> read_weights(written("weights.ini", "[weight]\\nLM= 0.5\\nTM= 0.2 0.3\\n"))
    {'LM': (0.5,), 'TM': (0.2, 0.3)}
    """
    name = display_name(path)
    lines = [(where, line.partition("#")[0].strip()) for where, line in numbered_lines(path)]
    sections = any(line.startswith("[") for _, line in lines)
    inside = not sections
    found: dict[str, list[float]] = {}
    for where, line in lines:
        if line.startswith("["):
            inside = line.lower() == "[weight]"
        elif line and inside and not (not sections and line == "feature\tweight"):
            words = line.split() if sections else line.split("\t")
            feature = words[0].removesuffix("=") if sections else words[0].partition("[")[0]
            if len(words) < 2 or (sections and words[0] == feature) or (not sections and len(words) != 2):
                form = "name= weight..." if sections else "two columns, feature and weight"
                raise InputError(f"{where}: expected {form}, not {line[:60]!r}")
            if sections and feature in found:
                raise InputError(f"{where}: {feature} is there twice")
            for word in words[1:]:
                found.setdefault(feature, []).append(_weight(word, feature, where))
    if not found:
        raise InputError(f"{name}: there are no weights (a section [weight], or a table)")
    return {feature: tuple(weights) for feature, weights in found.items()}


def _weight(word: str, feature: str, where: str) -> float:
    weight = real_number(word, f"weight of {feature}", where)
    if abs(weight) > LARGEST:
        raise InputError(f"{where}: the weight of {feature} is too large: {word}")
    return weight


def write_weights(path: FilePath, weights: Mapping[str, Sequence[float]]) -> None:
    """As Moses' ini file has them, or as a table if the file's name ends in .tsv."""
    lines = _rows(weights) if str(path).endswith(".tsv") else _section(weights)
    with write_atomically(path) as file:
        file.writelines(f"{line}\n" for line in lines)


def _section(weights: Mapping[str, Sequence[float]]) -> Iterator[str]:
    yield "[weight]"
    for name, own in weights.items():
        yield f"{name}= {' '.join(map(repr, own))}"


def _rows(weights: Mapping[str, Sequence[float]]) -> Iterator[str]:
    yield "feature\tweight"
    for name, own in weights.items():
        for i, weight in enumerate(own):
            yield f"{name if len(own) == 1 else f'{name}[{i + 1}]'}\t{weight!r}"
