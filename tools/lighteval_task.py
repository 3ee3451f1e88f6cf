"""A task and a model for lighteval: translations that were made before, by our metrics.

lighteval reads this file (`lighteval custom parrot FILE translation --custom-tasks FILE`) in the environment that
tools/check_lighteval.py makes; TERTIUM_FOLDER has test.jsonl, TERTIUM_METRICS specs.
"""

from __future__ import annotations

import os
from typing import Any

from lighteval.models.abstract_model import LightevalModel
from lighteval.models.model_output import ModelResponse
from lighteval.tasks.lighteval_task import LightevalTaskConfig
from lighteval.tasks.requests import Doc
from lighteval.utils.cache_management import SampleCache

from tertium.adapters import harness


def document(line: dict[str, Any], task_name: str | None = None) -> Doc:
    places = list(range(len(line["references"])))
    answer = {"answer": line["answer"]}
    return Doc(
        line["source"], choices=line["references"], gold_index=places, specific=answer, task_name=task_name
    )


TASKS_TABLE = [
    LightevalTaskConfig(
        name="translation",
        prompt_function=document,
        hf_repo=os.environ["TERTIUM_FOLDER"],
        hf_subset="default",
        hf_avail_splits=["test"],
        evaluation_splits=["test"],
        metrics=[harness.lighteval_metric(spec) for spec in os.environ["TERTIUM_METRICS"].split()],
    )
]


class Parrot(LightevalModel):
    """Says the answer that comes with the document."""

    tokenizer, add_special_tokens, max_length = None, False, 0

    def __init__(self, config: Any) -> None:
        self.config, self._cache = config, SampleCache(config)

    def greedy_until(self, docs: list[Doc]) -> list[ModelResponse]:
        return [ModelResponse(text=[own.specific["answer"]]) for own in docs]

    def loglikelihood(self, docs: list[Doc]) -> list[ModelResponse]:
        raise NotImplementedError

    def loglikelihood_rolling(self, docs: list[Doc]) -> list[ModelResponse]:
        raise NotImplementedError
