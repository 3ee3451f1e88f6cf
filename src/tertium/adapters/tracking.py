"""Results in experiment trackers: MLflow and Weights & Biases. Numbers become metrics, the result a file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from numbers import Real
from typing import Any

from tertium.adapters.columns import imported
from tertium.errors import InputError
from tertium.results import Result

_SAID = {"+": "p", "±": "half width"}  # signs in names that would be lost
_UNKNOWN = re.compile(r"\s*[^\w\-. ]+\s*")  # MLflow refuses other characters
_LONGEST = 60  # of a part of a name; MLflow takes 250 in all
_OUTCOMES = ("rank",)  # texts that say what was found, not what it is about
_PLAIN = ("score", "value")  # columns whose name says nothing


def numbers(result: Result, name: str = "") -> dict[str, float]:
    """The numbers of a result by what they are: `strong/BLEU`, or `NAME/strong/BLEU`. Names are legal in MLflow and
    Weights & Biases, and stay the same whatever was found.

    >>> import tertium as tt
    >>> found = numbers(tt.TestSet.sample().score(["chrf++"]))
    >>> sorted(found)
    ['literal/chrF2pp', 'smooth/chrF2pp', 'strong/chrF2pp']
    """
    if not isinstance(result, Result):
        raise InputError(
            f"log a result, as tertium.score or tertium.compare give it, not a {type(result).__name__}"
        )
    records = result.records()
    named = list(_named(records))
    if records and "system" not in records[0]:  # of a comparison: pairs of systems
        named += _named([row for row in result.table().records() if "system" in row])
    before = "".join(f"{part}/" for part in _parts([name]))
    found: dict[str, float] = {}
    for own, value in named:
        found[_free(before + own, found)] = value
    return found


def _named(records: list[Any]) -> Iterator[tuple[str, float]]:
    """The name and value of each number. A row is about its texts that stand before the first measured number; if that
    does not tell rows apart, about all of its texts."""
    keys = list(dict.fromkeys(key for record in records for key in record))
    columns = {
        key: {type(own) for own in (record.get(key) for record in records) if own not in (None, "")}
        for key in keys
    }
    texts = [key for key, kinds in columns.items() if kinds == {str}]
    measured = [key for key, kinds in columns.items() if float in kinds]
    before = keys[: keys.index(measured[0])] if measured else keys
    about = [key for key in before if key in texts and key not in _OUTCOMES]
    if {"metric", "label"} <= set(about):
        about.remove("metric")
    rows = {tuple(record.get(key) for key in about) for record in records}
    for record in records:
        words = [record.get(key) for key in (about if len(rows) == len(records) else texts)]
        for key, value in record.items():
            if _is_number(value):
                named = words if key in _PLAIN else [*words, key]
                yield "/".join(_parts(named)) or "value", float(value)


def _parts(words: list[Any]) -> Iterator[str]:
    """Words as parts of a path: none of them is empty, or leads elsewhere."""
    for word in words:
        for part in str(word or "").split("/"):
            for sign, said in _SAID.items():
                part = part.replace(sign, said)
            if legal := _UNKNOWN.sub("_", part).strip(" ._")[:_LONGEST].rstrip(" ."):
                yield legal


def _free(name: str, taken: Mapping[str, float]) -> str:
    """The name, with a number if another number has it: none is lost."""
    place, free = 1, name
    while free in taken:
        place += 1
        free = f"{name}_{place}"
    return free


def _is_number(value: Any) -> bool:
    return not isinstance(value, bool) and isinstance(value, Real) and value == value


def log_mlflow(result: Result, *, step: int | None = None, name: str = "") -> dict[str, float]:
    """Log a result to the active run of MLflow: its numbers as metrics, all of it as a JSON file (for each step one);
    gives the numbers. `name` keeps several results of a run apart: `name="dev"` gives `dev/strong/BLEU`."""
    mlflow = imported("mlflow", "mlflow")
    found = numbers(result, name)
    mlflow.log_metrics(found, step=step)
    folder = "tertium" if step is None else f"tertium/step-{step}"
    mlflow.log_dict(result.data(), f"{folder}/{_file(result, name)}.json")
    return found


def log_wandb(
    result: Result, *, run: Any = None, step: int | None = None, name: str = ""
) -> dict[str, float]:
    """Log a result to a run of Weights & Biases (the active one): its numbers, its rows as a table, and all of it as an
    artifact; gives the numbers. `name` is as for MLflow."""
    wandb = imported("wandb", "wandb")
    own = run or wandb.run
    if own is None:
        raise InputError("there is no run of wandb: call wandb.init() first")
    found, records = numbers(result, name), result.records()
    columns = list(dict.fromkeys(key for record in records for key in record))
    rows = [[_plain(record.get(key)) for key in columns] for record in records]
    table = wandb.Table(columns=columns, data=rows, allow_mixed_types=True)
    called = _file(result, name)
    own.log({**found, f"tertium/{called}": table}, step=step)
    artifact = wandb.Artifact(f"tertium-{called}", type="tertium")
    with artifact.new_file(f"{called}.json", encoding="utf-8") as file:
        file.write(result.json())
    own.log_artifact(artifact)
    return found


def _file(result: Result, name: str) -> str:
    """A name that files and artifacts may have, and not too long for either."""
    legal = re.sub(r"[^\w.\-]+", "-", name or result.kind, flags=re.ASCII).strip("-.")
    return legal[:_LONGEST].rstrip("-.") or "result"


def _plain(value: Any) -> Any:
    return value if value is None or isinstance(value, str | int | float | bool) else str(value)
