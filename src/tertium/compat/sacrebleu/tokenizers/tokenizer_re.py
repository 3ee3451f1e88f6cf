"""The rules that mteval-v13a and the Chinese tokeniser end with."""

import re
import string

from tertium.compat.sacrebleu.tokenizers.tokenizer_base import BaseTokenizer

ALWAYS_ALONE = re.escape("".join(sorted(set(string.punctuation) - set("',-."))))


class TokenizerRegexp(BaseTokenizer):
    """ASCII punctuation as tokens: full stop and comma but between digits, the hyphen after a digit.

    >>> TokenizerRegexp()("from 5-10, 1.5%")
    'from 5 - 10 , 1.5 %'
    """

    RULES = (
        (re.compile(f"([{ALWAYS_ALONE}])"), r" \1 "),
        (re.compile(r"([^0-9])([.,])"), r"\1 \2 "),
        (re.compile(r"([.,])([^0-9])"), r" \1 \2"),
        (re.compile(r"([0-9])-"), r"\1 - "),
    )

    def signature(self) -> str:
        return "re"

    def __call__(self, line: str) -> str:
        for rule, replacement in self.RULES:
            line = rule.sub(replacement, line)
        return " ".join(line.split())
