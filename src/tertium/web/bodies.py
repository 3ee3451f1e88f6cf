"""What bodies of requests have in common."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Strict(BaseModel):
    """Unknown keys are refused: a typo must not go unnoticed."""

    model_config = ConfigDict(extra="forbid", strict=True)
