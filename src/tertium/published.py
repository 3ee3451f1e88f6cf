"""Score lines as papers print them: read what they claim, so that it can be recomputed.

Today's signatures (`BLEU|nrefs:1|case:mixed|...|version:2.4.0 = 30.2`) and their short form, sacrebleu 1.x's
(`BLEU+case.mixed+lang.de-en+numrefs.1+smooth.exp+tok.13a+version.1.4.13 = 30.2`) and the MacroF authors'.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tertium import registry
from tertium.errors import InputError, SpecError, TertiumError
from tertium.io.escaping import UNDEFINED
from tertium.io.tables import Column, Table, number_column
from tertium.results import Result

if TYPE_CHECKING:
    from tertium.families.base import Metric

# sacrebleu's abbreviations: those of every metric, and those that mean something else in each.
_ABBREVIATIONS = {
    "version": "v",
    "nrefs": "#",
    "test": "t",
    "lang": "l",
    "subset": "S",
    "origlang": "o",
    "seed": "rs",
}
_FAMILY_ABBREVIATIONS = {
    "bleu": {"case": "c", "eff": "e", "smooth": "s"},
    "chrf": {"case": "c", "eff": "e", "space": "s"},
    "ter": {"case": "c", "tok": "t", "norm": "nr", "punct": "pn", "asian": "as"},
}
_OLD_CHRF_ABBREVIATIONS = {"numchars": "n"}

# What a signature may say beyond the metric: where texts come from, how intervals were drawn, who printed it.
_ABOUT_TEXTS = ("test", "origlang", "subset")
_ABOUT_RUN = ("nrefs", "lang", "version", "tertium", "bs", "ar", "seed")

DOWNLOADED_TOKENIZERS = ("spm", "flores101", "flores200", "spBLEU-1K")

_PAIR = re.compile(r'([\w#-]+):("[^"]*"|[^|]*)(\||$)')
_LINE = re.compile(
    r"""(?P<label>[A-Za-z]+ (?:\d+(?:\.\d+)?)? (?:\[[^\]]*\])? (?:\+{1,2}(?=[|\s=]))?)
        (?: (?:\||\s+) (?P<bars>[\w#-]+:(?:"[^"]*"|[^|\s=]*) (?:\|[\w#-]+:(?:"[^"]*"|[^|\s=]*))*)
          | (?P<pluses>(?:\+[\w#-]+\.[^+\s=]+)+) )?
        \s*(?:=|:|\s)\s* (?P<number>-?(?:\d+(?:[.,]\d+)?|[.,]\d+)) \s*%?(?P<rest>(?:[\s(;].*)?)$""",
    re.VERBOSE,
)


@dataclass(frozen=True)
class Claim:
    """What a published line says: a metric with all its options, and a number.

    >>> claim = parse("chrF2|nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|version:2.4.0 = 58.3")
    >>> str(claim.metric), claim.number, claim.n_references
    ('chrf', '58.3', 1)
    >>> claim.holds(58.3402), claim.holds(58.36)
    (True, False)
    """

    metric: Metric
    number: str  # as it was printed
    n_references: int | None  # None: the line does not say
    version: str  # of the program that printed it; empty: the line does not say
    verbose: str = ""  # what follows the number
    first_reference_only: bool = False
    notes: tuple[str, ...] = field(default=())

    @property
    def value(self) -> float:
        """The number, as printed."""
        return float(self.number.replace(",", "."))

    @property
    def digits(self) -> int:
        """How many digits were printed behind the point."""
        return len(re.split("[.,]", self.number)[1]) if re.search("[.,]", self.number) else 0

    def agreeing_scale(self, score: float | None) -> int | None:
        """100 if `score` rounds to the printed digits, 1 if a hundredth of it does (chrF was once 0.583)."""
        if score is None:
            return None
        half = 0.5 * 10.0**-self.digits + 1e-9
        scales = [100] if self.value > 2 or self.digits == 0 else [100, 1]
        return next((scale for scale in scales if abs(score * scale / 100 - self.value) <= half), None)

    def other_lengths(self, verbose: str) -> list[str]:
        """What the line counts otherwise than `verbose`, the parts of our score: a hint at other texts."""
        theirs, ours = (dict(re.findall(r"(\w+_len) = (\d+)", text)) for text in (self.verbose, verbose))
        return [
            f"the line counts {name} = {theirs[name]}, these files {ours[name]}: other texts or tokens?"
            for name in ours
            if theirs.get(name, ours[name]) != ours[name]
        ]

    def holds(self, score: float | None) -> bool:
        """Whether `score` is the number, to the printed digits."""
        return self.agreeing_scale(score) is not None


@dataclass(frozen=True)
class Verification(Result):
    """A claim, and what was found."""

    kind = "verification"
    claim: Claim
    score: float | None
    signature: str
    verbose: str = ""

    @property
    def holds(self) -> bool:
        return self.claim.holds(self.score)

    @property
    def found(self) -> str:
        """The score on the scale of the line, with two digits more."""
        scale = self.claim.agreeing_scale(self.score) or 100
        return UNDEFINED if self.score is None else f"{self.score * scale / 100:.{self.claim.digits + 2}f}"

    def contents(self) -> Mapping[str, Any]:
        metric = self.claim.metric
        claimed = {"metric": metric, "label": metric.label, "claimed": self.claim.number}
        found = {"score": self.score, "signature": self.signature, "verbose": self.verbose}
        return {**claimed, **found, "holds": self.holds, "notes": self.notes}

    @property
    def notes(self) -> tuple[str, ...]:
        return (*self.claim.notes, *self.claim.other_lengths(self.verbose))

    def words(self) -> Iterator[str]:
        label, verdict = self.claim.metric.label, "holds" if self.holds else "does not hold"
        yield f"{verdict}: the line says {label} = {self.claim.number}, these files give {self.found}"
        yield f"recomputed as: {label}|{self.signature} = {self.found} {self.verbose}".rstrip()
        yield from (f"note: {note}" for note in self.notes)

    def table(self) -> Table:
        """What was claimed and what was found."""
        columns = (Column("metric"), Column("claimed"), number_column("found", "score"), Column("holds"))
        row = (self.claim.metric.label, self.claim.number, self.score, "yes" if self.holds else "no")
        return Table("", columns, (row,), self.notes)

    def text(self, *, terminal: bool | None = None, width: int | None = None) -> str:
        return "\n".join(self.words())


def parse(line: str, tokenizer: str | None = None) -> Claim:
    """Read a published score line. `tokenizer` (`spm:<file>`) stands in for one that the line only names.

    >>> parse("BLEU+case.lc+lang.de-en+numrefs.1+smooth.exp+tok.13a+version.1.4.13 = 30.2").metric.lowercase
    True
    """
    text = _from_json(line) if line.lstrip().startswith("{") else line
    text = re.sub(r"\s*\|\s*", "|", text.strip().strip("`'\" ").removeprefix("- "))
    text = re.sub(r"\s*\+\s*(?=[\w#-]+\.)", "+", text)
    found = _LINE.match(text)
    if not found:
        raise InputError(f"cannot read {line.strip()!r}: a score line is NAME|key:value|... = NUMBER")
    label = re.sub(r"\[[^=\]]*=?([\d.]*)\]", r"\1", found["label"])
    family = _family(label)
    if found["pluses"]:
        items = _from_pluses(family, found["pluses"])
    else:
        items = _expanded(family, registry.signature_items(found["bars"] or ""))
    notes = (
        [] if found["bars"] or found["pluses"] else ["the line has no signature: the defaults are assumed"]
    )
    version = _version(items.get("version", ""))
    items |= _meanings_of(family, items, version)
    if tokenizer is not None:
        notes.append(f"tokenised with {tokenizer} where the line says {items.get('tok', 'nothing')}")
        items["tok"] = tokenizer
    elif items.get("tok") in DOWNLOADED_TOKENIZERS:
        raise SpecError(
            f"the tokeniser {items['tok']} is a SentencePiece model, but Tertium downloads nothing: "
            "give the model file, -tok spm:FILE"
        )
    metric = _metric(label, items)
    if metric.runs_programs:
        raise SpecError(
            f"the line names a program, and Tertium runs no program that a line names: "
            f"run it yourself, tertium score -m '{metric}'"
        )
    notes += _check_understood(metric, items, assumed=bool(found["bars"]))
    notes += [
        f"the line is about {key} {items[key]}: are these its texts?" for key in _ABOUT_TEXTS if key in items
    ]
    first_only = family == "chrf" and (0,) < version < (2,)
    return Claim(
        metric,
        found["number"],
        1 if first_only else _n_references(items),
        items.get("version") or items.get("tertium", ""),
        found["rest"].strip(),
        first_only,
        (*notes, *_known_differences(family, items, version)),
    )


def short_signature(metric: Metric, signature: str) -> str:
    """A signature with sacrebleu's abbreviations. Our version keeps its name, or nobody knew whose it is.

    >>> short_signature(registry.metric("bleu"), "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|tertium:0.1.0")
    '#:1|c:mixed|e:no|tok:13a|s:exp|tertium:0.1.0'
    """
    short = _ABBREVIATIONS | _FAMILY_ABBREVIATIONS.get(metric.name, {})
    return _PAIR.sub(lambda pair: f"{short.get(pair[1], pair[1])}:{pair[2]}{pair[3]}", signature)


def _metric(label: str, items: dict[str, str]) -> Metric:
    try:
        return registry.from_signature(label, "|".join(f'{key}:"{value}"' for key, value in items.items()))
    except TertiumError:
        raise
    except ValueError as error:  # a word where a number belongs
        raise SpecError(f"the signature of {label} makes no sense: {error}") from None


def _family(label: str) -> str:
    family = re.match("[a-z]+", label.lower())
    return registry.METRICS[family.group()].name if family else ""


def _from_json(line: str) -> str:
    """sacrebleu's JSON as the line it stands for."""
    import json

    try:
        found = json.loads(line)
        return f"{found['name']}|{found['signature']} = {found['score']} {found.get('verbose_score', '')}"
    except (ValueError, KeyError, TypeError):
        raise InputError(
            "cannot read the score: JSON must be one object with name, signature and score"
        ) from None


def _expanded(family: str, items: dict[str, str]) -> dict[str, str]:
    """Items by their long names. A key that is not one of the abbreviations stays as it is."""
    short = _ABBREVIATIONS | _FAMILY_ABBREVIATIONS.get(family, {})
    long = {abbreviation: name for name, abbreviation in short.items()}
    return {long.get(key, key): value for key, value in items.items()}


def _from_pluses(family: str, text: str) -> dict[str, str]:
    """sacrebleu 1.x's items, in today's words."""
    pairs = dict(item.split(".", 1) for item in text[1:].split("+"))
    old = {short: name for name, short in _OLD_CHRF_ABBREVIATIONS.items()} if family == "chrf" else {}
    items = _expanded(family, {old.get(key, key): value for key, value in pairs.items()})
    items = {
        _TODAY.get(key, key): {"true": "yes", "false": "no"}.get(value, value) for key, value in items.items()
    }
    if "smooth" in items:  # exp, add-k.1 or add-k[1.00]
        items["smooth"] = re.sub(r"^([a-z-]+)\.(.+)$", r"\1[\2]", items["smooth"])
    if family in ("macrof", "microf"):
        k = items.pop("smooth", "").partition("[")[2].rstrip("]")
        items |= {"k": k} if k and family == "microf" else {}
    if family == "ter":
        items |= _tercom_items(items.pop("tok", ""))
    return items


_TODAY = {"numrefs": "nrefs", "numchars": "nc", "average": "avg"}


def _tercom_items(tokenizer: str) -> dict[str, str]:
    """`tercom-nonorm-punct-noasian-uncased` in today's words."""
    parts = tokenizer.split("-")
    said = {"norm": "norm", "punct": "punct", "asian": "asian"}
    items = {key: "yes" if word in parts else "no" for key, word in said.items()}
    return items | {"tok": "tercom", "case": "mixed" if "cased" in parts else "lc"} if tokenizer else {}


def _version(text: str) -> tuple[int, ...]:
    """`(1, 4, 13)`; `(0,)` where there is none."""
    return tuple(int(part) for part in re.findall(r"\d+", text)) or (0,)


def _n_references(items: dict[str, str]) -> int | None:
    text = items.get("nrefs", "")
    if text == "var":
        raise InputError(
            "the line says nrefs:var: a varying number of references cannot be determined from files"
        )
    if text and not text.isdecimal():
        raise InputError(f"the line says nrefs:{text}, which is not a number")
    return int(text) if text else None


def _check_understood(metric: Metric, items: dict[str, str], *, assumed: bool) -> list[str]:
    """Every item must be one that decides our number too; what the line leaves out is noted."""
    ours = {key: value.strip('"') for key, value in metric.signature_items("corpus").items()}
    notes = []
    for key, value in items.items():
        if key in _ABOUT_TEXTS or key in _ABOUT_RUN or ours.get(key) == value:
            continue
        if key == "tok" and "mecab" in value:
            notes.append(
                f"the line was made with {value}, this is {ours['tok']}: another dictionary may segment differently"
            )
        elif key not in ours or not _same_number(ours[key], value):
            raise SpecError(f"the line says {key}:{value}, which {metric.label} does not know here")
    missing = [
        f"{key}:{value}" for key, value in ours.items() if key not in items and key not in ("beta", "avg")
    ]
    if assumed and missing:
        notes.append(f"the line does not say {', '.join(missing)}: assumed")
    return notes


def _same_number(left: str, right: str) -> bool:
    """`add-k[1]` is `add-k[1.00]`, and `1.0` is `1`."""
    split = re.compile(r"\[?(\d+(?:\.\d*)?)\]?$")
    a, b = split.search(left), split.search(right)
    return bool(a and b and float(a[1]) == float(b[1]) and left[: a.start()] == right[: b.start()])


@dataclass(frozen=True)
class _Difference:
    """What sacrebleu did otherwise before a version."""

    family: str
    before: tuple[int, ...]
    what: str
    only: tuple[str, str] | None = None  # for signatures with this item


_DIFFERENCES = (
    _Difference(
        "bleu", (1, 5), "floor smoothing without a value meant 0, as here", only=("smooth", "floor[0]")
    ),
    _Difference(
        "bleu",
        (2,),
        "intl took its characters from Python's tables and split fewer numbers",
        only=("tok", "intl"),
    ),
    _Difference("bleu", (2,), "texts without any match scored above 0"),
    _Difference("chrf", (2,), "only the first reference counts, as here"),
    _Difference("chrf", (2,), "n-grams of a length that the reference lacks counted against the hypothesis"),
    _Difference("ter", (2, 3, 2), "segments with an empty reference were counted differently"),
)


def _meanings_of(family: str, items: dict[str, str], version: tuple[int, ...]) -> dict[str, str]:
    """Items that meant something else in the version that printed them."""
    if family == "bleu" and (0,) < version < (1, 5) and items.get("smooth") == "floor":
        return {"smooth": "floor[0]"}
    if family == "bleu" and items.get("smooth") in ("floor", "add-k"):
        return {"smooth": {"floor": "floor[0.10]", "add-k": "add-k[1.00]"}[items["smooth"]]}
    return {}


def _known_differences(family: str, items: dict[str, str], version: tuple[int, ...]) -> list[str]:
    if "tertium" in items:
        from tertium import __version__

        made = items["tertium"]
        return [] if made == __version__ else [f"the line was made by Tertium {made}, this is {__version__}"]
    return [
        f"sacrebleu before {'.'.join(map(str, (*known.before, 0)[:3]))}: {known.what}"
        for known in _DIFFERENCES
        if known.family == family
        and (0,) < version < known.before
        and (known.only is None or items.get(known.only[0]) == known.only[1])
    ]
