"""What a campaign file says, checked key by key before anything is made."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from tertium.errors import InputError, did_you_mean
from tertium.human.campaigns.designs import Design, default_instructions, design_named

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_PAIR = re.compile(r"[A-Za-z]{2,3}(?:[_-][A-Za-z0-9]+)*")
TEXT_KEYS = (
    "testset",
    "segments",
    "challenge",
    "outputs",
    "units",
)  # where texts come from: the loader's part
_TOP = (
    "name",
    "title",
    "design",
    "languages",
    "seed",
    "instructions",
    "systems",
    "annotators",
    "sampling",
    "options",
    "controls",
    *TEXT_KEYS,
)
_ANNOTATORS = ("names", "number", "items", "sample", "shared", "reserve")
_SAMPLING = ("how", "different", "length", "documents", "metrics", "quality")
_QUALITY = ("metric", "above", "below")
_HOW = ("random", "disagreement", "documents")
MOST_ITEMS = 100_000
MOST_ANNOTATORS = 5_000

Where = Callable[[str], str]  # file and line of a key such as "sampling.how"


@dataclass(frozen=True)
class Quality:
    """Only systems whose corpus score by a metric lies above (or below) something."""

    metric: str
    above: float | None = None
    below: float | None = None


@dataclass(frozen=True)
class Sampling:
    """Which segments are taken."""

    how: str = "random"
    different: bool = False  # only segments whose outputs differ
    length: tuple[int, int] | None = None  # tokens
    documents: tuple[str, ...] = ()
    metrics: tuple[str, str] = ("bleu", "chrf")  # whose disagreement is looked for
    quality: Quality | None = None


@dataclass(frozen=True)
class Settings:
    """A campaign as somebody wants it. Made by `Settings.of`.

    >>> settings = Settings.of({"name": "demo", "design": "pairwise", "annotators": {"number": 2}})
    >>> settings.annotators, settings.items, settings.options["undecided"]
    (('annotator-1', 'annotator-2'), 50, True)
    """

    name: str
    design: Design
    title: str
    seed: int
    instructions: str
    annotators: tuple[str, ...]
    items: int  # screens for each annotator
    sample: str  # "same" or "different"
    shared: int  # of different samples, so many items are everybody's
    reserve: int  # items kept for annotators who come later
    sampling: Sampling
    options: Mapping[str, Any]
    controls: Mapping[str, int]  # of a hundred screens
    languages: tuple[str, str] = ("", "")
    systems: tuple[str, ...] | None = None

    def stored(self) -> dict[str, Any]:
        """Everything that was settled, defaults included, so that a later version finds the same campaign.

        >>> settings = Settings.of({"name": "demo", "design": "pairwise"})
        >>> Settings.of(settings.stored()) == settings
        True
        """
        sampling = {key: value for key, value in vars(self.sampling).items() if value not in (None, ())}
        if self.sampling.quality is not None:
            edges = vars(self.sampling.quality).items()
            sampling["quality"] = {key: value for key, value in edges if value is not None}
        found: dict[str, Any] = {
            "name": self.name,
            "design": self.design.name,
            "title": self.title,
            "seed": self.seed,
            "instructions": self.instructions,
            "annotators": {
                "names": self.annotators,
                "items": self.items,
                "sample": self.sample,
                "shared": self.shared,
                "reserve": self.reserve,
            },
            "sampling": sampling,
            "options": dict(self.options),
            "controls": dict(self.controls),
        }
        if self.languages[0]:
            found["languages"] = "-".join(self.languages)
        if self.systems is not None:
            found["systems"] = self.systems
        return found

    @property
    def batch(self) -> int:
        return int(self.options.get("batch", 100))

    @classmethod
    def of(cls, given: Mapping[str, Any], where: Where = lambda key: key or "campaign") -> Settings:
        """Check everything that a campaign file or a script says; `where` gives the place of a key."""
        for key in given:
            if key not in _TOP:
                raise InputError(f"{where(key)}: unknown key{did_you_mean(key, _TOP)}")
        for key in ("name", "design"):
            if key not in given:
                raise InputError(f"{where('')}: {key!r} is missing")
        name = given["name"]
        if not isinstance(name, str) or not _NAME.fullmatch(name):
            raise InputError(
                f"{where('name')}: a campaign's name has up to 64 letters, digits, dots, - and _, not {name!r:.80}"
            )
        design = design_named(given["design"], where("design"))
        annotators = _table(given, "annotators", _ANNOTATORS, where)
        names = _annotators(annotators, where)
        items = _whole(annotators, "annotators.items", design.items, 1, MOST_ITEMS, where)
        sample = annotators.get("sample", "same")
        if sample not in ("same", "different"):
            raise InputError(f'{where("annotators.sample")} must be "same" or "different", not {sample!r}')
        shared = _whole(annotators, "annotators.shared", 0, 0, items, where)
        reserve = _whole(annotators, "annotators.reserve", items * 2, 0, MOST_ITEMS, where)
        options = _table(given, "options", tuple(design.options), where, f" for the design {design.name}")
        controls = _table(given, "controls", tuple(design.controls), where, f" for the design {design.name}")
        wanted = {
            key: _whole(controls, f"controls.{key}", default, 0, 30, where)
            for key, default in design.controls.items()
        }
        seed = given.get("seed", 12345)
        if isinstance(seed, bool) or not isinstance(seed, int) or seed < 0:
            raise InputError(f"{where('seed')} must be a whole number, not {seed!r}")
        systems = given.get("systems")
        if systems is not None and (not _strings(systems) or len(set(systems)) < len(systems)):
            raise InputError(
                f"{where('systems')} must be a list of different names of systems, not {systems!r}"
            )
        return cls(
            name=name,
            design=design,
            title=_text(given, "title", name, where),
            seed=seed,
            instructions=_text(
                given, "instructions", default_instructions(design.name), where, longest=50_000
            ),
            annotators=names,
            items=items,
            sample=sample,
            shared=shared,
            reserve=reserve,
            sampling=_sampling(_table(given, "sampling", _SAMPLING, where), where),
            options={
                key: option.checked(options[key], where(f"options.{key}"))
                if key in options
                else option.default
                for key, option in design.options.items()
            },
            controls=wanted,
            languages=_languages(given.get("languages", ""), where),
            systems=None if systems is None else tuple(systems),
        )


def _annotators(given: Mapping[str, Any], where: Where) -> tuple[str, ...]:
    if "names" in given and "number" in given:
        raise InputError(f"{where('annotators.number')}: give names or a number of annotators, not both")
    if "names" not in given:
        number = _whole(given, "annotators.number", 1, 1, MOST_ANNOTATORS, where)
        return tuple(f"annotator-{i}" for i in range(1, number + 1))
    names = given["names"]
    if not _strings(names):
        raise InputError(f"{where('annotators.names')} must be a list of names, not {names!r}")
    return tuple(annotator_name(name, where("annotators.names")) for name in _once(names, where))


def annotator_name(name: Any, where: str) -> str:
    """A name that can stand in every table: one line, up to 80 characters.

    >>> annotator_name("Anna", "annotators.names")
    'Anna'
    """
    if not isinstance(name, str) or not name.strip() or name != name.strip() or len(name) > 80:
        raise InputError(
            f"{where}: an annotator's name has 1 to 80 characters, no spaces at its ends: {name!r:.100}"
        )
    if not name[0].isalnum():
        raise InputError(
            f"{where}: a name begins with a letter or a digit, so that no table takes it for a formula"
        )
    if not name.isprintable():
        raise InputError(f"{where}: {name!r:.100} holds a character that cannot be printed")
    return name


def _once(names: list[str], where: Where) -> list[str]:
    for i, name in enumerate(names):
        if name in names[:i]:
            raise InputError(f"{where('annotators.names')}: {name!r} stands twice")
    return names


def _sampling(given: Mapping[str, Any], where: Where) -> Sampling:
    found: dict[str, Any] = {}
    if "how" in given:
        if given["how"] not in _HOW:
            hint = did_you_mean(given["how"], _HOW) if isinstance(given["how"], str) else ""
            raise InputError(f"{where('sampling.how')}: there is no sampling {given['how']!r}{hint}")
        found["how"] = given["how"]
    if "different" in given:
        if not isinstance(given["different"], bool):
            raise InputError(
                f"{where('sampling.different')} must be true or false, not {given['different']!r}"
            )
        found["different"] = given["different"]
    if "length" in given:
        length = (8, 24) if given["length"] is True else given["length"]
        pair = isinstance(length, list | tuple) and len(length) == 2 and all(type(n) is int for n in length)
        if length is not False:
            if not pair or not 0 <= length[0] <= length[1]:
                raise InputError(
                    f"{where('sampling.length')} must be true (8 to 24 tokens) or two numbers such as [8, 24], "
                    f"not {length!r}"
                )
            found["length"] = tuple(length)
    if "documents" in given:
        if not _strings(given["documents"]):
            raise InputError(f"{where('sampling.documents')} must be a list of documents")
        found["documents"] = tuple(given["documents"])
    if "metrics" in given:
        if not _strings(given["metrics"]) or len(given["metrics"]) != 2:
            raise InputError(f"{where('sampling.metrics')} must name two metrics, not {given['metrics']!r}")
        found["metrics"] = tuple(_metric(spec, where("sampling.metrics")) for spec in given["metrics"])
    if "quality" in given:
        quality = _table(given, "quality", _QUALITY, lambda key: where(f"sampling.{key}"))
        edges = {
            key: quality[key]
            for key in ("above", "below")
            if isinstance(quality.get(key), int | float) and not isinstance(quality[key], bool)
        }
        if not edges or set(quality) - {"metric"} != set(edges):
            raise InputError(
                f'{where("sampling.quality")} needs numbers: {{ metric = "bleu", above = 30 }} or below'
            )
        found["quality"] = Quality(_metric(quality.get("metric", "bleu"), where("sampling.quality")), **edges)
    return Sampling(**found)


def _metric(spec: Any, where: str) -> str:
    from tertium.errors import SpecError
    from tertium.registry import metric

    if not isinstance(spec, str):
        raise InputError(f"{where}: a metric is named by a string, not {spec!r}")
    try:
        found = metric(spec)
    except SpecError as error:
        raise InputError(f"{where}: {error}") from None
    if found.runs_programs:  # a campaign may come over the network
        raise InputError(f"{where}: {found.name} runs a program, which a campaign may not")
    return spec


def _languages(value: Any, where: Where) -> tuple[str, str]:
    if value == "":
        return ("", "")
    parts = value.split("-", 1) if isinstance(value, str) else ()
    if len(parts) != 2 or not all(_PAIR.fullmatch(part) for part in parts):
        raise InputError(f"{where('languages')} must be a pair such as de-en, not {value!r:.60}")
    return (parts[0], parts[1])


def _table(
    given: Mapping[str, Any], key: str, known: tuple[str, ...], where: Where, what: str = ""
) -> Mapping[str, Any]:
    table = given.get(key, {})
    if not isinstance(table, Mapping):
        raise InputError(f"{where(key)} must be a table, not {table!r:.60}")
    for own in table:
        if own not in known:
            hint = did_you_mean(own, known) if known else " (there is nothing to set)"
            raise InputError(f"{where(f'{key}.{own}')}: unknown key{what}{hint}")
    return table


def _whole(given: Mapping[str, Any], key: str, default: int, low: int, high: int, where: Where) -> int:
    value = given.get(key.rpartition(".")[2], default)
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise InputError(f"{where(key)} must be a whole number from {low} to {high}, not {value!r}")
    return value


def _text(given: Mapping[str, Any], key: str, default: str, where: Where, longest: int = 200) -> str:
    from tertium.human.campaigns.segments import text_checked

    value = given.get(key, default)
    if not isinstance(value, str) or not value.strip() or len(value) > longest:
        raise InputError(f"{where(key)} must be a text of 1 to {longest} characters, not {value!r:.60}")
    return text_checked(value, where(key)) if len(value) <= 20_000 else value


def _strings(value: Any) -> bool:
    return isinstance(value, list | tuple) and bool(value) and all(isinstance(v, str) and v for v in value)
