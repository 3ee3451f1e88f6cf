"""`tertium estimate learn`: an estimator learns from corrections."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from tertium.cli.options import print_options, quiet_option
from tertium.cli.parsing import Command, command_of, flag, option

if TYPE_CHECKING:
    from tertium.io.translations import Translations
    from tertium.online.corrections import OnlineEstimator

Read = Callable[[str, Any], "Translations"]
_DATA = option(
    "--data",
    metavar="TSV",
    help="Corrections: sources, translations, and post-edits or scores, as for training (-: as they come).",
)
_HOW = (
    option(
        "--rollback",
        metavar="N|TIME|base",
        help="Take back the last N corrections, those after a time (2026-11-16T20:00, UTC), or all.",
    ),
    flag("--trust", help="Learn from corrections that were held back because they look random."),
    flag("--each", help="A line of JSON for each correction, once it is kept, in place of the table."),
)


def learn_command(*shared: click.Parameter, read: Read) -> Command:
    """The command, with the options that estimators have, and what reads a table by them."""
    run = partial(_learn, read=read)
    run.__doc__ = _learn.__doc__
    return command_of(
        "learn",
        _DATA,
        *shared,
        *_HOW,
        *print_options(),
        quiet_option(),
        reads=("--data QUALITY --model learning.qe -o OUTPUT",),
        short="Learn from corrections.",
    )(run)


def _learn(
    data: str | None, model: str, language_pair: str, force: bool, each: bool, *, read: Read, **given: Any
) -> Any:
    """Learn from corrections, and say what that is worth: each is estimated before it is learnt. Without any, say what
    was learnt so far.

    \b
    tertium estimate learn --model qe.model --data corrections.tsv
    corrections | tertium estimate learn --data - --each
    tertium estimate learn --rollback 20
    """
    from tertium.online.corrections import OnlineEstimator
    from tertium.online.results import learning

    estimator = OnlineEstimator(model, pair=language_pair, force=force)
    taken_back = estimator.rollback(given["rollback"]) if given["rollback"] is not None else 0
    if given["trust"]:
        estimator.trust()
    new = known = 0
    try:
        for part in _parts(data, {**given, "language_pair": language_pair}, read):
            for place, (before, fresh) in enumerate(estimator.learn_all(part, force=force)):
                new, known = new + fresh, known + (not fresh)
                if each:
                    _tell(estimator, part, place, before, new=fresh)
    finally:
        if new or taken_back or given["trust"]:
            estimator.keep()
    return 0 if each else learning(estimator, new=new, known=known, taken_back=taken_back)


def _parts(data: str | None, given: Any, read: Read) -> Iterable[Translations]:
    """The corrections, a table at once or as they come."""
    from tertium.io.streams import STDIN
    from tertium.io.translations import each_translation

    if data is None:
        return ()
    alone = data == STDIN and given["scores"] is None and given["memory"] is None
    return each_translation(data) if alone else (read(data, given),)


def _tell(estimator: OnlineEstimator, texts: Translations, place: int, before: float, *, new: bool) -> None:
    from tertium.io.records import json_text

    about = {
        "estimate": before,
        "new": new,
        "corrections": estimator.corrections,
        "held": estimator.learner.waits,
    }
    print(json_text({"mt": texts.translations[place], **about}), flush=True)
