"""What a task found, in sentences."""

from __future__ import annotations

from collections.abc import Iterator

from tertium.meta.evaluation import Evaluation
from tertium.report.metafigures import LEVEL_NAMES, everywhere, speeds


def summary(evaluation: Evaluation) -> Iterator[str]:
    """The first sentence is the one to remember."""
    for level in evaluation.levels:
        yield from _of_level(evaluation, level)
    if "system" in evaluation.levels and (figure := speeds(evaluation, "system")) is not None:
        times: dict[str, list[float]] = {}
        for name, _, time, _ in figure.rows:
            times.setdefault(str(name), []).append(float(time or 0.0))
        means = {name: sum(own) / len(own) for name, own in times.items()}
        fast, slow = min(means, key=lambda n: means[n]), max(means, key=lambda n: means[n])
        if fast != slow:
            yield (
                f"{fast} is the fastest metric with {means[fast]:.1f} microseconds per translation, "
                f"{slow} the slowest with {means[slow]:,.1f}."
            )
    yield from _cautions(evaluation)


def _of_level(evaluation: Evaluation, level: str) -> Iterator[str]:
    judged = evaluation.of(level)
    values = everywhere(judged)
    where = LEVEL_NAMES[level]
    pairs = f"{len(judged)} language pairs" if len(judged) > 1 else judged[0].pair
    if not values:
        yield f"{where}: no metric has a correlation on all of {pairs}."
        return
    means = {name: sum(own.values()) / len(own) for name, own in values.items()}
    ranked = sorted(means, key=lambda name: (-means[name], name))
    mean = "mean " if len(judged) > 1 else ""
    text = f"{where}: {ranked[0]} agrees best with people on {pairs} ({mean}{judged[0].symbol} {means[ranked[0]]:.3f})"
    if len(ranked) > 1:
        text += f", {ranked[-1]} least ({means[ranked[-1]]:.3f})"
    yield text + "."
    tested = [own for own in judged if own.wins is not None]
    if tested and len(tested) > 1:
        count = {name: sum(name in own.leading for own in tested) for name in values}
        most = max(count.values())
        names = [name for name in ranked if count[name] == most]
        verb = "is" if len(names) == 1 else "are"
        yield (
            f"{where}: {_listed(names)} {verb} not significantly outperformed on {most} of {len(tested)} pairs, "
            "more often than any other metric."
        )


def _cautions(evaluation: Evaluation) -> Iterator[str]:
    few = [own.pair for own in evaluation.of("system") if own.n == 2]
    if few:
        yield f"{_listed(few)}: two systems only, where every correlation is 1 or -1 by construction."
    backwards = [
        f"{cell.name} on {own.pair} ({LEVEL_NAMES[own.level].lower()})"
        for own in evaluation.judged
        for cell in own.cells
        if cell.value is not None and cell.value < 0
    ]
    if backwards:
        yield f"Ranks systems backwards, although tables show absolute values: {_listed(backwards)}."
    undefined = [
        f"{cell.name} on {own.pair}" for own in evaluation.judged for cell in own.cells if cell.reason
    ]
    if undefined:
        yield f"Undefined: {_listed(list(dict.fromkeys(undefined)))}; the notes below the tables say why."


def _listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
