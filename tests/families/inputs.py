"""Which files of ../shared/golden/inputs a data set of the older golden files means."""

from __future__ import annotations

REFERENCES = {"multi.nist4": 4, "multi.readme2": 2}


def files(dataset: str, system: str, *, tokenized: bool = False) -> tuple[str, tuple[str, ...]]:
    """The hypothesis file and the reference files. `tokenized`: as Moses, GTM and nltk were given them."""
    if dataset in ("ted", "ted.tok"):
        ending = "eng" if tokenized or dataset == "ted.tok" else "detok.eng"
        return f"ted/{system}.{ending}", (f"ted/ref.{ending}",)
    if dataset in ("challenge", "snmt"):
        ending = "fr" if dataset == "challenge" else "en"
        base = f"tok13a/{dataset}." if tokenized else f"{dataset}/"
        return f"{base}{system}.{ending}", (f"{base}ref.{ending}",)
    base = f"tok13a/{dataset}." if tokenized else dataset.replace(".", "/") + "."
    number = REFERENCES.get(dataset)
    references = (f"{base}ref",) if number is None else tuple(f"{base}ref{i}" for i in range(number))
    return base + system, references
