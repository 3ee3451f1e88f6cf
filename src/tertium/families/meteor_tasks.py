"""METEOR 1.5's parameters: for each language and task alpha, beta, gamma, delta and the modules' weights.

Languages without parameters of their own have those that suit any language (li), as in METEOR 1.5. Weights belong to
places in the list of modules: the first module has the first weight, whatever it is.
"""

from __future__ import annotations

from dataclasses import dataclass

from tertium.errors import SpecError, did_you_mean

MODULES = ("exact", "stem", "synonym", "paraphrase")
TASKS = ("rank", "util", "adq", "hter", "li", "tune", "universal")


@dataclass(frozen=True)
class MeteorTask:
    """What a score is tuned to: F's balance (alpha), the penalty (beta, gamma), content words (delta), modules."""

    alpha: float
    beta: float
    gamma: float
    delta: float
    weights: tuple[float, ...]


_ANY = {
    "li": MeteorTask(0.75, 1.4, 0.7, 0.5, (1.0, 0.5, 0.5, 0.5)),
    "tune": MeteorTask(0.5, 1.0, 0.5, 0.5, (1.0, 0.5, 0.5, 0.5)),
    "universal": MeteorTask(0.7, 1.4, 0.3, 0.7, (1.0, 0.6, 0.0, 0.0)),
}
_OWN = {
    ("en", "rank"): MeteorTask(0.85, 0.2, 0.6, 0.75, (1.0, 0.6, 0.8, 0.6)),
    ("en", "util"): MeteorTask(0.65, 0.1, 0.55, 0.65, (1.0, 0.0, 0.0, 0.8)),
    ("en", "adq"): MeteorTask(0.75, 1.4, 0.45, 0.7, (1.0, 1.0, 0.6, 0.8)),
    ("en", "hter"): MeteorTask(0.4, 1.5, 0.35, 0.55, (1.0, 0.2, 0.6, 0.8)),
    ("cz", "rank"): MeteorTask(0.95, 0.2, 0.6, 0.8, (1.0, 0.4, 0.0, 0.0)),
    ("de", "rank"): MeteorTask(0.95, 1.0, 0.55, 0.55, (1.0, 0.8, 0.2, 0.0)),
    ("es", "rank"): MeteorTask(0.65, 1.3, 0.5, 0.8, (1.0, 0.8, 0.6, 0.0)),
    ("fr", "rank"): MeteorTask(0.9, 1.4, 0.6, 0.65, (1.0, 0.2, 0.4, 0.0)),
    ("ru", "rank"): MeteorTask(0.75, 1.4, 0.7, 0.5, (1.0, 0.5, 0.5, 0.0)),
}
_MODULES = {"en": MODULES, "cz": ("exact", "paraphrase"), "other": ("exact",)}
_WITH_PARAPHRASES = ("de", "es", "fr", "ru")


def default_task(language: str) -> str:
    """rank where a language was tuned to it, li elsewhere.

    >>> default_task("fr"), default_task("it")
    ('rank', 'li')
    """
    return "rank" if (language, "rank") in _OWN else "li"


def default_modules(language: str, task: str) -> tuple[str, ...]:
    """The modules that METEOR 1.5 uses in a language.

    >>> default_modules("fr", "rank")
    ('exact', 'stem', 'paraphrase')
    """
    if task == "universal":
        return ("exact", "paraphrase")
    found = _MODULES.get(language)
    if found is None:
        return ("exact", "stem", "paraphrase") if language in _WITH_PARAPHRASES else ("exact", "stem")
    return found


def parameters(language: str, task: str) -> MeteorTask:
    """METEOR 1.5's parameters of a task in a language.

    >>> parameters("en", "rank").alpha, parameters("it", "li").gamma
    (0.85, 0.7)
    """
    found = _OWN.get((language, task)) or _ANY.get(task)
    if found is None:
        known = [name for name in TASKS if name in _ANY or (language, name) in _OWN]
        raise SpecError(
            f"meteor: METEOR 1.5 has no parameters for task={task} in {language}{did_you_mean(task, known)}"
        )
    return found
