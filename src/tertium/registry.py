"""Metrics by name. One table of strings, plus entry points: nothing registers by being imported.

A *spec string* `name[:value][,key=value...]` names any variant: `bleu`, `bleu:tok=intl,smooth=floor`, `chrf++`,
`bleu:tok="spm:model.file"`. Packages add metrics under the entry-point group `tertium.metrics`.
"""

from __future__ import annotations

import re
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from tertium.errors import SpecError, did_you_mean

if TYPE_CHECKING:
    from tertium.families.base import Metric

METRICS: dict[str, str] = {
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
    "bertscore": "tertium.families.bertscore:BERTScore",
}

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
}


@cache
def _plugins() -> dict[str, str]:
    """Metrics that other packages offer. Ours win where names clash."""
    from importlib.metadata import entry_points

    return {entry.name.lower(): entry.value for entry in entry_points(group="tertium.metrics")}


def names() -> list[str]:
    """All metrics by their own names, ours first."""
    return [*METRICS, *sorted(set(_plugins()) - set(METRICS))]


def metric_class(name: str) -> type[Metric]:
    """The class behind a name.

    >>> metric_class("bleu").__name__
    'BLEU'
    """
    target = METRICS.get(name) or _plugins().get(name)
    if target is None:
        raise SpecError(f"unknown metric {name!r}{did_you_mean(name, [*names(), *SHORTHANDS])}")
    module, _, attribute = target.partition(":")
    found: type[Metric] = getattr(import_module(module), attribute)
    return found


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
    preset: dict[str, str] = {}
    if name in SHORTHANDS:
        name, _, preset = parse_spec(SHORTHANDS[name])
    found = metric_class(name)
    if value is not None:
        return found.from_value(value, {**preset, **options})
    return found.from_options({**preset, **found.named(options)})


_ITEM = re.compile(r'\s*(?:([A-Za-z_][\w-]*)\s*=\s*)?("[^"]*"|[^,"]*)\s*(,|$)')


def parse_spec(spec: str) -> tuple[str, str | None, dict[str, str]]:
    """The parts of a spec string: name, value if any, options.

    >>> parse_spec('bleu:PGBC4,tok="spm:a,b"')
    ('bleu', 'PGBC4', {'tok': 'spm:a,b'})
    """
    name, colon, rest = spec.strip().partition(":")
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
    if not name or (colon and not rest.strip()) or rest.rstrip().endswith(","):
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
    families = [
        known
        for known in names()
        if _LABEL_TAIL.fullmatch(label.removeprefix(known)) and label.startswith(known)
    ]
    return metric_class(max(families, key=len, default=label)).from_signature_items(items)


def signature_items(signature: str) -> dict[str, str]:
    """Key and value pairs of a signature; a value with bars or colons in it is quoted."""
    pairs = re.findall(r'([\w#-]+):("[^"]*"|[^|]*)(?:\||$)', signature.strip())
    return {key: value.strip('"') for key, value in pairs}
