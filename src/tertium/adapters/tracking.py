"""Results in experiment trackers: MLflow and Weights & Biases. Numbers become metrics, the result a file or a table."""

from __future__ import annotations

import re
from typing import Any

from tertium.adapters.columns import imported
from tertium.errors import InputError
from tertium.results import Result

_UNKNOWN = re.compile(r"[^\w\-. /]")  # MLflow refuses other characters


def numbers(result: Result) -> dict[str, float]:
    """The numbers of a result by what they are: `strong/BLEU`.

    >>> import tertium as tt
    >>> found = numbers(tt.TestSet.sample().score("chrf"))
    >>> sorted(found)
    ['literal/chrF2', 'smooth/chrF2', 'strong/chrF2']
    """
    found: dict[str, float] = {}
    for record in result.records():
        texts = [str(value) for value in record.values() if isinstance(value, str) and len(str(value)) < 60]
        values = {key: value for key, value in record.items() if _is_number(value)}
        for key, value in values.items():
            words = [*texts, key] if key not in ("score", "value") else texts
            name = "/".join(_UNKNOWN.sub("_", word) for word in words if word)
            found.setdefault(name, float(value))
    return found


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value == value


def log_mlflow(result: Result, *, step: int | None = None, name: str = "") -> dict[str, float]:
    """Log a result to the active run of MLflow: its numbers as metrics, all of it as a JSON file; gives the numbers."""
    mlflow = imported("mlflow", "mlflow")
    found = numbers(result)
    mlflow.log_metrics(found, step=step)
    mlflow.log_dict(result.data(), f"tertium/{name or result.kind.replace(' ', '-')}.json")
    return found


def log_wandb(
    result: Result, *, run: Any = None, step: int | None = None, name: str = ""
) -> dict[str, float]:
    """Log a result to a run of Weights & Biases (the active one): its numbers, and its rows as a table."""
    wandb = imported("wandb", "wandb")
    own = run or wandb.run
    if own is None:
        raise InputError("there is no run of wandb: call wandb.init() first")
    found, records = numbers(result), result.records()
    columns = list(dict.fromkeys(key for record in records for key in record))
    rows = [[_plain(record.get(key)) for key in columns] for record in records]
    table = wandb.Table(columns=columns, data=rows)
    own.log({**found, f"tertium/{name or result.kind}": table}, step=step)
    return found


def _plain(value: Any) -> Any:
    return value if value is None or isinstance(value, str | int | float | bool) else str(value)
