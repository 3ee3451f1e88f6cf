"""Values by name: a table of "module:object" strings, plus entry points. Nothing registers by being imported.

Metrics, tokenisers, statistics of meta-evaluation, analyses of a comparison and checks of the doctor are chosen by name
this way; packages add to each under its entry-point group (`tertium.metrics`, `tertium.tokenizers`, ...).

A *spec string* `name[:value][,key=value...]` names any variant of a metric: `bleu`, `bleu:tok=intl,smooth=floor`,
`chrf++`, `bleu:tok="spm:model.file"`. `doc:NAME[:...]` names a metric over whole documents: one whose own name is
`doc:NAME` in the table below, or else any other metric lifted to documents (`doc:chrf++`; `families/lifted.py`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from tertium.errors import SpecError, did_you_mean

if TYPE_CHECKING:
    from tertium.families.base import Metric

T = TypeVar("T")


@cache
def plugins(group: str) -> Mapping[str, str]:
    """What other packages offer under an entry-point group. Ours win where names clash."""
    from importlib.metadata import entry_points

    return {entry.name.lower(): entry.value for entry in entry_points(group=group)}


class Registry(Generic[T]):
    """Values by name, each imported when it is asked for.

    >>> METRICS["bleu"].__name__
    'BLEU'
    >>> "chrf" in METRICS
    True
    """

    def __init__(
        self,
        what: str,
        group: str,
        table: Mapping[str, str],
        also: Mapping[str, Any] = {},
        aliases: Mapping[str, str] = {},
    ) -> None:
        self.what, self.group, self.table = what, group, table
        self.also = also  # other accepted names, for suggestions
        self.aliases = aliases  # other names of values, in lower case

    def canonical(self, name: str) -> str:
        """The name in the table of a value that has other names, too; case does not matter. Unknown names stay.

        >>> METRICS.canonical("BLEU"), METRICS.canonical("blue")
        ('bleu', 'blue')
        """
        lower = name.strip().lower()
        known = self.aliases.get(lower, lower)
        return known if known in self else name

    def __iter__(self) -> Iterator[str]:
        """All names, ours first."""
        yield from self.table
        yield from sorted(set(plugins(self.group)) - set(self.table))

    def __contains__(self, name: object) -> bool:
        return name in self.table or name in plugins(self.group)

    def __getitem__(self, name: str) -> T:
        target = self.table.get(name) or plugins(self.group).get(name)
        if target is None:
            raise SpecError(f"unknown {self.what} {name!r}{did_you_mean(name, [*self, *self.also])}")
        module, _, attribute = target.partition(":")
        found: T = getattr(import_module(module), attribute)
        return found

    def origin(self, name: str) -> str:
        """Who offers it: Tertium or a plug-in."""
        return "tertium" if name in self.table else "plug-in"


DOCUMENT = "doc:"  # begins the names of metrics over whole documents
SHORTHANDS: dict[str, str] = {
    "chrf1": "chrf:beta=1",
    "chrf2": "chrf",
    "chrf3": "chrf:beta=3",
    "chrf+": "chrf:word_order=1",
    "chrf++": "chrf:word_order=2",
    "macrof1": "macrof",
    "microf1": "microf",
    "w-yisi0": "yisi0:weight=length",
    "w-yisi1": "yisi1:weight=length",
    "w-yisi2": "yisi2:weight=length",
    "comet": "outside:program=comet",
    "metricx": "outside:program=metricx",
    "bleurt": "outside:program=bleurt",
}

METRICS: Registry[type[Metric]] = Registry(
    "metric",
    "tertium.metrics",
    {
        "bleu": "tertium.families.bleu:BLEU",  # and bleu:PGBC4: tertium.families.bleu_family
        "sentbleu": "tertium.families.moses_bleu:SentBLEU",
        "multibleu": "tertium.families.moses_bleu:MultiBLEU",
        "mtevalbleu": "tertium.families.mteval:MtevalBLEU",
        "nist": "tertium.families.mteval:NIST",
        "chrf": "tertium.families.chrf:ChrF",
        "ter": "tertium.families.ter:TER",
        "macrof": "tertium.families.macrof:MacroF",
        "microf": "tertium.families.macrof:MicroF",
        "wer": "tertium.families.wer:WER",
        "per": "tertium.families.wer:PER",
        "cder": "tertium.families.wer:CDER",
        "character": "tertium.families.character:CharacTER",
        "rouge": "tertium.families.rouge:Rouge",
        "gtm": "tertium.families.gtm:GTM",
        "gleu": "tertium.families.gleu:GLEU",
        "ribes": "tertium.families.ribes:RIBES",
        "eed": "tertium.families.eed:EED",
        "file": "tertium.families.trained:Trained",  # file:my.metric
        "beer": "tertium.families.beer:BEER",
        "autoda": "tertium.families.autoda:AutoDA",
        "autoda-tecto": "tertium.families.autoda:DeepAutoDA",
        "treeaggreg": "tertium.families.treeaggreg:TreeAggreg",
        "tskm": "tertium.families.tskm:TSKM",
        "tertium": "tertium.families.blend:Blend",  # tertium:blend
        "ol": "tertium.families.overlap:LexicalOverlap",
        "meteor": "tertium.families.meteor:Meteor",
        "meteor-hard": "tertium.families.meteor_links:HardMeteor",
        "meteor-soft": "tertium.families.meteor_links:SoftMeteor",
        "yisi0": "tertium.families.yisi:YiSi0",
        "yisi1": "tertium.families.yisi:YiSi1",
        "yisi2": "tertium.families.yisi:YiSi2",
        "meant2": "tertium.families.meant:MEANT2",
        "meant2-nosrl": "tertium.families.meant:MEANT2NoSRL",
        "bleu2vec": "tertium.families.bleu2vec:Bleu2Vec",
        "ngram2vec": "tertium.families.bleu2vec:Ngram2Vec",
        "outside": "tertium.families.outside:Outside",
        "llm": "tertium.families.llm:LLMJudge",
        "bertscore": "tertium.families.bertscore:BERTScore",
        "sentvec": "tertium.families.sentvec:SentVec",
        "sentvec-src": "tertium.families.sentvec:SentVecSource",
        "estimate": "tertium.estimation.metric:Estimated",  # estimate:qe.model
        "readability": "tertium.readability.metric:Readability",  # readability:formula=flesch
        "doc": "tertium.families.lifted:Lifted",  # doc:bleu, doc:chrf++...
        # Document metrics of their own: a class with `name = "doc:NAME"` and `scope = "document"`, and a line here.
        "doc:cohesion": "tertium.families.cohesion:Cohesion",
        "doc:coref": "tertium.families.coreference:Coreference",
        "doc:meteor": "tertium.families.meteor_paragraphs:ParagraphMeteor",
        "doc:morph": "tertium.families.morphology:Morphology",
        "doc:connectives": "tertium.families.connectives:Connectives",
        "doc:tenses": "tertium.families.tenses:Tenses",
        "doc:terms": "tertium.families.terms:Terms",
        "doc:pronouns": "tertium.families.pronouns:Pronouns",
    },
    also=SHORTHANDS,
)


def metric(spec: str | Metric) -> Metric:
    """The metric that a spec string names.

    >>> str(metric("chrf++"))
    'chrf:word_order=2'
    >>> metric("bleu:smooth=floor,tok=intl") == metric("bleu:tok=intl,smooth=floor")
    True
    """
    if not isinstance(spec, str):
        if isinstance(spec, type) or not hasattr(spec, "signature_items"):
            raise SpecError(f"a metric is a spec string or a Metric, not {type(spec).__name__}")
        return spec
    name, value, options = parse_spec(spec)
    if name.startswith(DOCUMENT) and name not in METRICS:
        inner = spec.strip()[len(DOCUMENT) :]
        if parse_spec(inner)[0] not in {*METRICS, *SHORTHANDS}:
            return METRICS[name].from_options({})  # unknown: the error knows names that are alike
        return lifted(metric(inner))
    preset: dict[str, str] = {}
    if name in SHORTHANDS:
        name, _, preset = parse_spec(SHORTHANDS[name])
    found = METRICS[name]
    if value is not None:
        return found.from_value(value, {**preset, **options})
    return found.from_options({**preset, **found.named(options)})


def lifted(of: Metric) -> Metric:
    """A metric over whole documents.

    >>> str(lifted(metric("chrf++")))
    'doc:chrf:word_order=2'
    """
    made: Metric = METRICS["doc"](of=of)  # type: ignore[call-arg]
    return made


_ITEM = re.compile(r'\s*(?:([A-Za-z_][\w-]*)\s*=\s*)?("[^"]*"|[^,"]*)\s*(,|$)')


def parse_spec(spec: str) -> tuple[str, str | None, dict[str, str]]:
    """The parts of a spec string: name, value if any, options.

    >>> parse_spec('bleu:PGBC4,tok="spm:a,b"')
    ('bleu', 'PGBC4', {'tok': 'spm:a,b'})
    """
    name, colon, rest = spec.strip().partition(":")
    if colon and name.lower() == DOCUMENT[:-1]:
        name, colon, rest = DOCUMENT + rest.partition(":")[0].strip(), *rest.partition(":")[1:]
    value: str | None = None
    options: dict[str, str] = {}
    position = 0
    while colon and position < len(rest):
        found = _ITEM.match(rest, position)
        if not found or (found.group(1) is None and (value is not None or options or not found.group(2))):
            raise SpecError(
                f"cannot read {spec!r} at {rest[position:]!r}: a spec is name[:value][,key=value...]"
            )
        key, text = found.group(1), found.group(2).strip().strip('"')
        if key is None:
            value = text
        elif key in options:
            raise SpecError(f"{spec!r} gives {key!r} twice")
        else:
            options[key] = text
        position = found.end()
    if not name or name == DOCUMENT or (colon and not rest.strip()) or rest.rstrip().endswith(","):
        raise SpecError(f"cannot read {spec!r}: a spec is name[:value][,key=value...]")
    return name.strip().lower(), value, options


_LABEL_TAIL = re.compile(r"[\d.]*(e[+-]?\d+)?\+*|-[\w.*]+")  # as in chrF2++, ROUGE-SU4


def from_signature(name: str, signature: str) -> Metric:
    """The metric that a label (`BLEU`, `chrF2++`, `MacroF1`) and a signature of ours or sacrebleu's describe.

    >>> str(from_signature("BLEU", "nrefs:1|case:lc|eff:no|tok:13a|smooth:exp|tertium:0.1.0"))
    'bleu:lowercase=yes'
    """
    items = signature_items(signature)
    items["label"] = label = name.lower().partition("[")[0]  # of BLEU[PGBC4] the signature has it all
    families: list[str] = [
        known
        for known in METRICS
        if _LABEL_TAIL.fullmatch(label.removeprefix(known)) and label.startswith(known)
    ]
    if not families and label.startswith(DOCUMENT):
        return lifted(from_signature(name[len(DOCUMENT) :], signature))
    return METRICS[max(families, key=len, default=label)].from_signature_items(items)


def said_of_texts(signature: str, origin: Sequence[str]) -> str:
    """A signature with what texts are, behind the number of references, as sacrebleu has it.

    >>> said_of_texts("nrefs:1|case:mixed|tertium:0.1.0", ("test:wmt17", "lang:de-en"))
    'nrefs:1|test:wmt17|lang:de-en|case:mixed|tertium:0.1.0'
    """
    references, bar, rest = signature.partition("|")
    return "|".join([references, *origin]) + bar + rest


def signature_items(signature: str) -> dict[str, str]:
    """Key and value pairs of a signature; a value with bars or colons in it is quoted."""
    pairs = re.findall(r'([\w#-]+):("[^"]*"|[^|]*)(?:\||$)', signature.strip())
    return {key: value.strip('"') for key, value in pairs}
