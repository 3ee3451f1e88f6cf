"""Score lines as papers print them: read what they claim, so that it can be recomputed.

Today's signatures (`BLEU|nrefs:1|case:mixed|...|version:2.4.0 = 30.2`) and their short form, sacrebleu 1.x's
(`BLEU+case.mixed+lang.de-en+numrefs.1+smooth.exp+tok.13a+version.1.4.13 = 30.2`) and the MacroF authors'.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tertium import registry
from tertium.errors import InputError, SpecError, TertiumError

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
_ABOUT_TEXTS = ("test", "lang", "origlang", "subset")
_ABOUT_RUN = ("nrefs", "pseudo", "version", "tertium", "bs", "ar", "seed")

DOWNLOADED_TOKENIZERS = ("spm", "flores101", "flores200", "spBLEU-1K")

_PAIR = re.compile(r'([\w#-]+):("[^"]*"|[^|]*)(\||$)')
_LINE = re.compile(
    r"""(?P<label>[A-Za-z]+ (?:\d+(?:\.\d+)?)? (?:\[[^\]]*\])? (?:\+{1,2}(?=[|\s=]))?)
        (?: (?:\||\s+) (?P<bars>[\w#-]+:(?:"[^"]*"|[^|\s=]*) (?:\|[\w#-]+:(?:"[^"]*"|[^|\s=]*))*)
          | (?P<pluses>(?:\+[\w#-]+\.[^+\s=]+)+) )?
        \s*(?:=|:|\s)\s* (?P<number>-?(?:\d+(?:[.,]\d+)?|[.,]\d+)) \s*%?(?P<rest>(?:[\s(;,].*)?)$""",
    re.VERBOSE,
)


_NUMBER = r"-?(?:\d+(?:[.,]\d+)?|[.,]\d+)"
_INTERVAL = re.compile(rf"\(?\s*(?:[μµ]|mu)\s*=\s*({_NUMBER})\s*(?:±|\+/?-)\s*({_NUMBER})\s*\)?")
_PRECISIONS = re.compile(r"(?<!=)(?<!=\s)(?<![\w.+/-])\d+(?:\.\d+)?(?:/\d+(?:\.\d+)?)*(?=\s*(?:\(|$))")
_NAMED = re.compile(rf"([\w+]+)\s*=\s*({_NUMBER})(?![\d/])")


@dataclass(frozen=True)
class Printed:
    """A number as a line prints it.

    >>> bp = Printed("BP", "0.980")
    >>> bp.holds(0.97951), bp.holds(0.979)
    (True, False)
    """

    name: str
    text: str

    @property
    def value(self) -> float:
        return float(self.text.replace(",", "."))

    @property
    def digits(self) -> int:
        """How many digits were printed behind the point."""
        return len(re.split("[.,]", self.text)[1]) if re.search("[.,]", self.text) else 0

    def holds(self, found: float | None) -> bool:
        """Whether `found` is the number, to the printed digits."""
        return found is not None and abs(found - self.value) <= 0.5 * 10.0**-self.digits + 1e-9


@dataclass(frozen=True)
class Claim:
    """What a published line says: a metric with all its options, and numbers.

    >>> claim = parse("chrF2|nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|version:2.4.0 = 58.3")
    >>> str(claim.metric), claim.score.text, claim.n_references
    ('chrf', '58.3', 1)
    >>> claim.holds(58.3402), claim.holds(58.36)
    (True, False)
    """

    metric: Metric
    score: Printed
    n_references: int | None  # None: the line does not say; pseudo-references are not counted
    version: str  # of the program that printed it; empty: the line does not say
    parts: tuple[Printed, ...] = ()  # precisions, penalties, lengths
    interval: tuple[Printed, Printed] | None = None  # mean of resamples, half of the 95% interval's width
    resamples: int = 1000
    seed: int | None = 12345  # None: drawn without one
    language: str = ""  # that is translated into
    first_reference_only: bool = False
    pseudo: tuple[str, ...] = ()  # labels of pseudo-references
    texts: tuple[tuple[str, str], ...] = ()  # which ones: test wmt17, lang de-en
    notes: tuple[str, ...] = field(default=())

    def scale(self, score: float | None) -> int:
        """What our 100 is on the line: 100, or 1 (chrF was once 0.583), whichever brings `score` nearer to it."""
        known = [100] if self.score.value > 2 or self.score.digits == 0 else [100, 1]
        return min(known, key=lambda scale: abs((score or 0.0) * scale / 100 - self.score.value))

    def scaled(self, score: float | None) -> float | None:
        """`score` on the scale of the line."""
        return None if score is None else score * self.scale(score) / 100

    def distance(self, score: float | None) -> float:
        """How far `score` is from the line, in points of our scale."""
        scaled = self.scaled(score)
        if scaled is None:
            return float("inf")
        return abs(scaled - self.score.value) * 100 / self.scale(score)

    def holds(self, score: float | None) -> bool:
        """Whether `score` is the number, to the printed digits."""
        return self.score.holds(self.scaled(score))


def parse_all(text: str, tokenizer: str | None = None) -> list[Claim]:
    """All claims of a text: a line for each, or sacrebleu's JSON, of one metric or of several.

    >>> [str(claim.metric) for claim in parse_all("BLEU = 30.2\\nchrF2 = 58.3")]
    ['bleu', 'chrf']
    """
    if text.lstrip().startswith(("[", "{")):
        return [parse(line, tokenizer) for line in _from_json(text)]
    lines = [line for line in text.splitlines() if line.strip()] or [text]
    return [parse(line, tokenizer) for line in lines]


def parse(line: str, tokenizer: str | None = None) -> Claim:
    """Read a published score line. `tokenizer` (`spm:<file>`) stands in for one that the line only names.

    >>> parse("BLEU+case.lc+lang.de-en+numrefs.1+smooth.exp+tok.13a+version.1.4.13 = 30.2").metric.lowercase
    True
    """
    text = _from_json(line)[0] if line.lstrip().startswith("{") else line
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
    first_only = family == "chrf" and (0,) < version < (2,)
    rest = found["rest"].strip().lstrip(",;").strip()
    return Claim(
        metric,
        Printed(metric.label, found["number"]),
        1 if first_only else _n_references(items),
        items.get("version") or items.get("tertium", ""),
        _parts(_INTERVAL.sub("", rest)),
        _interval(rest),
        _count("bs", items.get("bs", "1000")),
        None if items.get("seed") == "none" else _count("seed", items.get("seed", "12345")),
        items.get("lang", "").rpartition("-")[2],
        first_only,
        tuple(filter(None, items.get("pseudo", "").split("+"))),
        tuple((key, items[key]) for key in _ABOUT_TEXTS if key in items),
        (*notes, *_known_differences(family, items, version)),
    )


def _interval(rest: str) -> tuple[Printed, Printed] | None:
    found = _INTERVAL.search(rest)
    return (Printed("μ", found[1]), Printed("±", found[2])) if found else None


def _parts(rest: str) -> tuple[Printed, ...]:
    """Numbers behind the score: precisions by their orders, others by the names they stand beside.

    >>> [(part.name, part.text) for part in _parts("59.3/29.9 (BP = 0.980 hyp_len = 1187)")]
    [('p1', '59.3'), ('p2', '29.9'), ('BP', '0.980'), ('hyp_len', '1187')]
    """
    precisions = _PRECISIONS.search(rest)
    numbers = precisions[0].split("/") if precisions else []
    listed = [Printed(f"p{n}", text) for n, text in enumerate(numbers, 1)]
    return (*listed, *(Printed(name, text) for name, text in _NAMED.findall(rest)))


def _count(key: str, text: str) -> int:
    if not text.isdecimal() or (key == "bs" and not 0 < int(text) <= 1_000_000):
        raise InputError(f"the line says {key}:{text}, which makes no sense")
    return int(text)


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


def _from_json(text: str) -> list[str]:
    """sacrebleu's JSON, of one metric or a list of several, as the lines it stands for."""
    import json

    try:
        given = json.loads(text)
        entries = given if isinstance(given, list) else [given]
        if not entries:
            raise ValueError
        return list(map(_line_of, entries))
    except (ValueError, KeyError, TypeError):
        raise InputError(
            "cannot read the score: JSON must be one object with name, signature and score, or a list of them"
        ) from None


def _line_of(found: dict[str, Any]) -> str:
    said = f"{found['name']}|{found['signature']} = {found['score']}"
    if "confidence_mean" in found:
        said += f" (μ = {found['confidence_mean']} ± {found['confidence_var']})"
    return f"{said} {found.get('verbose_score', '')}"


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
        if key == "tok" and ("mecab" in value or "-icu-" in value):
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
