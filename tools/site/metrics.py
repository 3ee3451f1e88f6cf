"""Pages of metrics: a list of all, and on each page what the class says of itself."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import tertium as tt
from tertium import registry
from tertium.catalogue import MetricListing
from tertium.errors import TertiumError

GROUPS = {  # first words of the title do not say it
    "Words and characters": "bleu chrf ter macrof microf sentbleu multibleu mtevalbleu nist wer per cder character "
    "rouge gtm gleu ribes meteor meteor-hard eed ol",
    "Meaning": "meteor-soft yisi0 yisi1 yisi2 meant2 meant2-nosrl bleu2vec ngram2vec bertscore sentvec sentvec-src",
    "Syntax": "treeaggreg tskm autoda autoda-tecto",
    "Trained": "beer tertium file estimate",
    "Other programs and models": "outside llm",
    "Readability": "readability",
}
FURTHER = {"bleu_family": "Words and characters", "doc": "Documents"}  # pages that are about many metrics
ABOUT = {
    "bleu_family": "precision, recall or F, any mean, with or without brevity penalty and clipping (bleu:RAC1)",
    "doc": "any metric over whole documents (doc:chrf)",
}


def page_of(name: str) -> str:
    """The page of a metric, by its name in the registry."""
    return name.replace(":", "-")


def grouped(folder: Path) -> dict[str, list[str]]:
    """Names of pages by group; one of no group is an error, so that none is lost."""
    known = {name: group for group, names in GROUPS.items() for name in names.split()}
    found: dict[str, list[str]] = {group: [] for group in [*GROUPS, "Documents"]}
    for path in sorted(folder.glob("*.md")):
        name = path.stem
        group = FURTHER.get(name) or ("Documents" if name.startswith("doc-") else known[name])
        found[group].append(name)
    order = {name: place for place, name in enumerate(known)}
    return {group: sorted(names, key=lambda name: order.get(name, 99)) for group, names in found.items()}


def index(folder: Path, titles: dict[str, str]) -> str:
    """The list of all metrics, by group."""
    listed = {page_of(entry.name): entry for entry in tt.metrics()}
    lines = [
        "# Metrics",
        "",
        f"{len(listed)} metrics, one page each: formula, paper, options, signature, quirks. Not sure which? "
        "[Which metric should I use?](../which-metric.md) "
        "`tertium explain chrf` prints the same facts in a terminal. What a metric needs is a file, a program "
        "or an extra (`pip install 'tertium[sentences]'`): its page says where to get it.",
    ]
    for group, names in grouped(folder).items():
        lines += ["", f"## {group}", "", "| metric | what it is | better | needs |", "|---|---|---|---|"]
        for name in names:
            entry = listed.get(name)
            if entry is None:
                lines.append(f"| [{titles[name]}]({name}.md) | {ABOUT[name]} | | |")
                continue
            better = "higher" if entry.higher_is_better else "lower"
            title = re.sub(r" \(lower is better\)|, lower is better", "", entry.title)  # has a column here
            lines.append(f"| [`{entry.name}`]({name}.md) | {title} | {better} | {', '.join(entry.needs)} |")
    return "\n".join(
        [*lines, "", "**After this page you can** find any metric by name, with its definition.", ""]
    )


def with_facts(name: str, markdown: str) -> str:
    """The page with what its class says, below the title."""
    try:
        entry = next(entry for entry in tt.metrics() if page_of(entry.name) == name)
    except StopIteration:
        return markdown
    title, _, rest = markdown.partition("\n")
    return "\n".join([title, "", *_facts(entry), "", rest])


def _facts(entry: MetricListing) -> Iterator[str]:
    metric: Any = registry.METRICS[entry.name].from_options({})
    yield f'??? abstract "`{entry.name}`: {entry.title}"'
    yield ""
    rows = {"formula": metric.formula, "better": _direction(metric), "needs": ", ".join(entry.needs)}
    rows |= {
        "shorthands": ", ".join(f"`{short}` = `{registry.SHORTHANDS[short]}`" for short in entry.shorthands)
    }
    rows |= {"signature": _signature(metric)}
    yield "    | | |"
    yield "    |---|---|"
    for key, value in rows.items():
        if value:
            yield f"    | {key} | {_cell(value)} |"
    if entry.options:
        yield ""
        yield "    | option | default | what it is |"
        yield "    |---|---|---|"
    for option in entry.options:
        default = option.default
        default = (
            "none" if default is None else ("no", "yes")[default] if isinstance(default, bool) else default
        )
        choices = f": {', '.join(option.choices)}" if option.choices else ""
        also = f" (also {', '.join(option.aliases)})" if option.aliases else ""
        default = f"`{default}`" if str(default) else ""
        yield f"    | `{option.name}` | {default} | {_cell(option.help + choices + also)} |"


def _direction(metric: Any) -> str:
    way = "higher" if metric.higher_is_better else "lower"
    return (
        way if metric.perfect is None else f"{way}; a text equal to its reference scores {metric.perfect:g}"
    )


def _signature(metric: Any) -> str:
    try:
        return f"`{metric.label}|{metric.signature()}`"
    except TertiumError:  # a file must be named first
        return ""


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")
