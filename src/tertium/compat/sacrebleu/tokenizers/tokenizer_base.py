"""What tokenisers have in common."""

from __future__ import annotations

from typing import ClassVar

from tertium.text.tokenizers import plan, signature_items, tokenize


class BaseTokenizer:
    """A function from a line to its tokens, joined by spaces, with a name for signatures."""

    def signature(self) -> str:
        raise NotImplementedError

    def __call__(self, line: str) -> str:
        raise NotImplementedError


class KernelTokenizer(BaseTokenizer):
    """A tokeniser of ours. `kernel` is its name in spec strings."""

    kernel: ClassVar[str]

    def __init__(self) -> None:
        plan(self.kernel)  # refuses a tokeniser whose extra is missing

    def signature(self) -> str:
        return signature_items(self.kernel)["tok"]

    def __call__(self, line: str) -> str:
        if line[-1:].isspace():  # ours drop white space at the end; to some of sacrebleu's rules it matters
            return " ".join(tokenize([line + " x"], self.kernel)[0][:-1])
        return " ".join(tokenize([line], self.kernel)[0])


def kernel_of(tokenizer: BaseTokenizer) -> str | None:
    """The spec name of a tokeniser of ours; None for anybody else's, also for one derived from ours."""
    if "kernel" not in vars(type(tokenizer)):
        return None
    name: str = tokenizer.kernel  # type: ignore[attr-defined]
    return name
