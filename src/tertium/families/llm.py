"""A language model as a metric: asked about each segment over any OpenAI-compatible endpoint (docs/judges.md)."""

from __future__ import annotations

import logging
import os
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any, ClassVar

from tertium import __version__, _native
from tertium._native import Lines
from tertium.errors import SpecError, TertiumWarning
from tertium.families.base import Level, Metric, option
from tertium.families.outside import line_texts, mean_rows, quoted, shown_references
from tertium.io.judges.asking import LONGEST, Account, AnsweredQuestion, PromptedModel, prices_of
from tertium.io.judges.endpoint import Endpoint
from tertium.io.judges.prompts import Prompt, prompt
from tertium.io.programs import segments_of
from tertium.statistics import DenseStatistics, Statistics
from tertium.text.segments import References

logger = logging.getLogger("tertium.llm")  # is told what each run took
ENDPOINT = "TERTIUM_LLM_ENDPOINT"  # where the option names none


@dataclass(frozen=True)
class LLMJudge(Metric):
    """The mean of a language model's scores of segments; those that it does not answer have none.

    >>> str(LLMJudge(judge="small", endpoint="http://localhost:8000/v1"))
    'llm:judge=small,endpoint="http://localhost:8000/v1"'
    """

    name: ClassVar[str] = "llm"
    title: ClassVar[str] = 'a language model as judge: llm:judge=NAME,endpoint="http://localhost:8000/v1"'
    formula: ClassVar[str] = (
        "The mean of the scores that the model gives to segments; with a prompt for errors, minus the sum of the "
        "weights of the errors that it marks (MQM). With samples=N a segment's score is the mean of N answers."
    )
    paper: ClassVar[str] = (
        "in the manner of Kocmi and Federmann 2023 (GEMBA), https://aclanthology.org/2023.eamt-1.19 and "
        "https://aclanthology.org/2023.wmt-1.64; the prompts are our own"
    )
    quirks: ClassVar[str] = (
        "An answer must be the JSON object that the prompt asks for; the model is told twice what is wrong with\n"
        "another one. A segment that it refuses to judge, or answers unreadably, has no score; how many is said.\n"
        "Answers are kept by text, prompt and model, so that the same run gives the same numbers.\n"
        "Models change behind their names."
    )
    perfect: ClassVar[float | None] = None
    undefined: ClassVar[str] = "the model gave no readable answer to any segment"
    runs_programs: ClassVar[bool] = True  # it spends money, and sends texts away
    required: ClassVar[tuple[str, ...]] = ("judge",)

    judge: str = option("", "the name of the model", aliases=("model",), key="model")
    endpoint: str = option(
        "", f"the address of the server, without /chat/completions ({ENDPOINT})", decides=False
    )
    prompt: str = option("da-ref", "a prompt: da, da-ref, mqm or a TOML file")
    temperature: float | None = option(
        0.0, "temperature; none: the model's own", between=(0.0, 2.0), key="temp"
    )
    samples: int = option(1, "answers for each segment", between=(1, 100), key="samples")
    languages: str = option("", "languages, as the prompt tells them: German-English", key="languages?")
    longest: int = option(LONGEST, "tokens that an answer may have", between=(1, 1e6), key="longest?")
    key: str = option("OPENAI_API_KEY", "the environment variable that holds the key", decides=False)
    prices: str = option("", "prices of a million tokens in and out: 2.5+10", decides=False)
    timeout: float = option(60.0, "seconds to wait for an answer", between=(0.001, 1e6), decides=False)
    tries: int = option(5, "how often a busy or broken server is asked", between=(1, 100), decides=False)
    at_once: int = option(4, "questions at a time", between=(1, 256), decides=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("judge", "prompt", "languages"):
            if '"' in getattr(self, name) or not getattr(self, name).isprintable():
                raise SpecError(f"llm: {name} cannot contain quotation marks or line breaks")
        source, _, target = self.languages.partition("-")
        if self.languages and not (source.strip() and target.strip()):
            raise SpecError(f"llm: languages={self.languages} are not two, such as German-English")
        prices_of(self.prices)

    @property
    def label(self) -> str:
        return f"llm[{self.judge.replace('[', '(').replace(']', ')') or '?'}]"

    @property
    def _prompt(self) -> Prompt:
        found = prompt(self.prompt)
        if found.kind == "pair":
            raise SpecError(
                f"llm: the prompt {self.prompt} compares two translations: tertium judge pairs asks it"
            )
        return found

    @property
    def needs_source(self) -> bool:  # type: ignore[override]
        return "source" in self._prompt.needs

    @property
    def needs_references(self) -> bool:  # type: ignore[override]
        return "references" in self._prompt.needs

    def opened(self, chosen: Prompt | None = None) -> PromptedModel:
        """The model, ready to be asked, with its own prompt or another."""
        self._check_required()
        address = self.endpoint or os.environ.get(ENDPOINT, "")
        if not address:
            raise SpecError(f'llm needs an endpoint: endpoint="http://localhost:8000/v1", or {ENDPOINT}')
        source, _, target = self.languages.partition("-")
        return PromptedModel(
            Endpoint(address, self.key, timeout=self.timeout, tries=self.tries),
            self.judge,
            chosen or self._prompt,
            self.temperature,
            self.samples,
            at_once=self.at_once,
            longest=self.longest,
            languages=(source, target),
        )

    def _prepare(self, references: References, threads: int) -> list[list[str]]:
        return shown_references(references, self.needs_references)

    def _rows(
        self, hypotheses: Lines, prepared: list[list[str]], sources: Lines | None, threads: int
    ) -> Statistics:
        texts = [text or "" for text in line_texts(hypotheses)]
        origin = None if sources is None else [text or "" for text in line_texts(sources)]
        account = Account()
        judged = self.opened().ask(places_of(texts, prepared, origin), account)
        spent = account.spent(len(texts) * self.samples, prices_of(self.prices)).sentence()
        logger.info("%s: %s", self.label, spent)
        if account.missing:
            warnings.warn(f"{self.label}: {spent}", TertiumWarning, stacklevel=2)
        return mean_rows([segment_score(own) for own in judged])

    def _scores(self, statistics: DenseStatistics, level: Level) -> Any:
        return _native.mean_scores(statistics.data, 0, 1.0)

    def signature_items(self, level: Level = "corpus") -> dict[str, str]:
        return self._items(self._prompt)

    def signed(self, chosen: Prompt, n_references: int | None) -> str:
        """Label and signature with a prompt that is no metric's: one that compares."""
        own = self._items(chosen)
        number = str(n_references or "var") if "references" in chosen.needs else "0"
        items = {"nrefs": number, **own, "tertium": __version__}
        return f"{self.label}|" + "|".join(f"{key}:{value}" for key, value in items.items())

    def _items(self, own: Prompt) -> dict[str, str]:
        items = {"model": quoted(self.judge), "prompt": quoted(f"{own.name}@{own.hash}")}
        temperature = "none" if self.temperature is None else f"{self.temperature:g}"
        items |= {"temp": temperature, "samples": str(self.samples)}
        items |= {"languages": quoted(self.languages)} if self.languages else {}
        return items | ({"longest": str(self.longest)} if self.longest != LONGEST else {})

    @classmethod
    def from_signature_items(cls, items: dict[str, str]) -> LLMJudge:
        name = items.get("prompt", "da-ref").partition("@")[0]
        return cls(
            judge=items.get("model", ""),
            prompt=name,
            temperature=None if items.get("temp") == "none" else float(items.get("temp", 0)),
            samples=int(items.get("samples", 1)),
            languages=items.get("languages", ""),
            longest=int(items.get("longest", LONGEST)),
        )


def places_of(
    hypotheses: Sequence[str], references: Sequence[Sequence[str]], sources: Sequence[str] | None
) -> list[dict[str, str]]:
    """Segments as prompts have them; several references are numbered.

    >>> places_of(["a"], [["b", "c"]], None)
    [{'source': '', 'hypothesis': 'a', 'references': '1. b\\n2. c'}]
    """
    found = []
    for segment in segments_of(hypotheses, references, sources):
        own = segment["references"]
        listed = own if len(own) == 1 else [f"{i}. {text}" for i, text in enumerate(own, 1)]
        found.append(
            {
                "source": segment["source"] or "",
                "hypothesis": segment["hypothesis"],
                "references": "\n".join(listed),
            }
        )
    return found


def segment_score(answers: Sequence[AnsweredQuestion]) -> float | None:
    """The mean of the answers that there are."""
    scores = [
        own.verdict.score for own in answers if own.verdict is not None and own.verdict.score is not None
    ]
    return fmean(scores) if scores else None
