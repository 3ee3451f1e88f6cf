"""What the search of the site finds first: words that people type and pages do not say, and how much pages count."""

from __future__ import annotations

import json
from pathlib import Path

ASKED = {  # by page; a word here counts more than one in a title, so none that other pages are about
    "adapters": "pandas, wandb, mlflow, lm-eval, sklearn, evaluate",
    "analyse": "word count, quote, price, CAT tool",
    "annotate": "annotation, annotators, crowd, excel, spreadsheet",
    "benchmarks": "speed, fast, benchmark",
    "challenge": "test suite, linguistic phenomena",
    "compare": "report, html, error analysis",
    "cookbook/clean-memory": "clean, cleaning, junk, dirty, tmx, filter, translation memory",
    "cookbook/gate": "CI, regression, github, gitlab, pipeline",
    "cookbook/mqm": "MQM",
    "commands/index": "command line, CLI, commands, flags",
    "cookbook/my-metric": "my metric, custom metric, plugin, plug-in, better, correlation, human judgments",
    "cookbook/reward": "reinforcement learning, RL, GRPO, reward",
    "cookbook/trainer": "hugging face, huggingface, transformers, seq2seq, pytorch",
    "cookbook/two-systems": "better system, baseline",
    "detectors": "hallucination, omission, wrong language",
    "doctor": "detokenize, detokenized, tokenized, wrong language, misaligned",
    "document": "document-level, context, terminology",
    "environment": "environment variable, environment variables, proxy, NO_COLOR, API key",
    "estimate": "post-editing effort, postediting, QE, quality estimation, reference-free, without references, HTER",
    "human-data": "ESA, DA, MQM, human judgments",
    "inputs": "file formats, parquet, sgml, jsonl, csv, encoding, UTF-8, multiple references, multi-reference",
    "judges": "COMET, MetricX, xCOMET, CometKiwi, GPT, LLM, neural",
    "licences": "license",
    "matching": "fuzzy",
    "memory": "tmx, translation memory, xliff, PO file, trados, memoq",
    "meaning-metrics": "GPU",
    "meta": "correlation, human judgments, meta-evaluation",
    "metrics/bleu": "BLEU",
    "metrics/chrf": "chrF++",
    "metrics/llm": "GEMBA",
    "metrics/meteor": "METEOR",
    "metrics/rouge": "ROUGE, summarization",
    "metrics/sentbleu": "sentence BLEU, sentence-level BLEU",
    "metrics/ter": "TER, translation edit rate, translation error rate",
    "metrics/wer": "WER, word error rate, ASR",
    "meta-statistics": "soft pairwise accuracy, SPA",
    "monitor": "drift, alarm, production",
    "notebooks/compare": "jupyter",
    "results": "json, latex, dataframe, export, excel",
    "sacrebleu": "sacrebleu",
    "scale": "spark, large, parallel, multiprocessing, RAM",
    "service": "server, http, rest, docker, authentication, API key",
    "significance": "significance, significant, p-value, bootstrap, confidence interval, holm, bonferroni, "
    "multiple testing, randomization, seeds, power analysis, sample size, how many segments, effect size",
    "start": "install, installation, pip, conda, uninstall, upgrade, windows, mac, macos, offline, quickstart, "
    "getting started, tutorial, cite, citation, bibtex, segment scores, sentence scores",
    "testsets": "WMT newstest, download, test set",
    "tokenizers": "tokenization, tokenizer, tokenize, tokenized, detokenize, japanese, chinese, korean, spBLEU, flores",
    "verify": "published paper, differs, different, reproduce, match, lower, signature",
    "which-metric": "which metric",
    "wmt17": "WMT17",
}
COUNTS = {  # by how a path begins, the first that fits; pages for work before pages to look things up in
    "cookbook/index": 0.7,
    "cookbook/": 2,
    "start": 2,
    "guide/": 0.7,
    "metrics/": 0.7,
    "commands/": 0.5,
    "benchmarks": 0.5,
    "python/": 0.3,
    "adapt-results": 0.3,
    "architecture": 0.3,
    "contributing": 0.3,
    "release": 0.3,
    "site": 0.3,
    "changelog": 0.2,
    "licences": 0.2,
}


def counts(path: str) -> float:
    """How much a page counts among what is found, by its path below docs/."""
    return next((much for start, much in COUNTS.items() if path.startswith(start)), 1)


def with_asked(index: Path) -> None:
    """Add the words that people type to the index that mkdocs wrote."""
    found = json.loads(index.read_text(encoding="utf-8"))
    entries = {entry["location"].removesuffix(".html"): entry for entry in found["docs"]}
    for page, words in ASKED.items():
        if page not in entries:
            raise ValueError(f"tools/site/search.py: there is no page {page}")
        entries[page]["tags"] = words.split(", ")
    index.write_text(json.dumps(found, separators=(",", ":")), encoding="utf-8")
