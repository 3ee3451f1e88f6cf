"""sacrebleu's Python API on Tertium's kernels.

    import tertium.compat.sacrebleu as sacrebleu

Functions, classes, score objects, signatures and log messages are those of sacrebleu 2.6.0, and so are the
numbers; signatures therefore say `version:2.6.0`. Where it deliberately behaves differently:

- References and hypotheses of different lengths, a list of strings in place of a list of streams, and a
  segment without any reference are refused. sacrebleu cuts to the shortest, compares with single characters,
  or crashes.
- Nothing is downloaded unasked. Test sets are looked for in sacrebleu's folder; functions that say `download` in
  their names get them, the others only with `TERTIUM_DOWNLOAD=1`. `tokenize="flores101"` and its like use a model
  that already lies in `~/.sacrebleu/models` (or `$SACREBLEU/models`), and are refused otherwise.
- `max_ngram_order` goes up to 9, chrF's orders up to 32, its beta is above 0, smoothing values are not
  negative.
- A confidence interval is that of sacrebleu on NumPy 1, whatever the NumPy here: on NumPy 2 sacrebleu keeps
  more of its arithmetic in single precision, differs from itself in the seventh digit, and fails where a
  resample of chrF or TER has nothing to divide by.
- `PairedTest` runs in this process whatever `n_jobs` says, refuses a single segment, and takes seed 0 as a seed,
  where sacrebleu's paired tests take it for none.
- The command line is not here: it is `tertium score`.

>>> corpus_bleu(["the cat sat on the mat"], [["the cat sat on a mat"]])
BLEU = 53.73 83.3/60.0/50.0/33.3 (BP = 1.000 ratio = 1.000 hyp_len = 6 ref_len = 6)
"""

from tertium.compat.sacrebleu.compat import (
    corpus_bleu,
    corpus_chrf,
    corpus_ter,
    raw_corpus_bleu,
    sentence_bleu,
    sentence_chrf,
    sentence_ter,
)
from tertium.compat.sacrebleu.dataset import DATASETS
from tertium.compat.sacrebleu.metrics import BLEU, CHRF, TER
from tertium.compat.sacrebleu.metrics.helpers import extract_char_ngrams, extract_word_ngrams
from tertium.compat.sacrebleu.utils import (
    SACREBLEU_DIR,
    download_test_set,
    get_available_testsets,
    get_langpairs_for_testset,
    get_reference_files,
    get_source_file,
    smart_open,
)
from tertium.compat.sacrebleu.version import __version__

__all__ = [
    "BLEU",
    "CHRF",
    "DATASETS",
    "SACREBLEU_DIR",
    "TER",
    "__version__",
    "corpus_bleu",
    "corpus_chrf",
    "corpus_ter",
    "download_test_set",
    "extract_char_ngrams",
    "extract_word_ngrams",
    "get_available_testsets",
    "get_langpairs_for_testset",
    "get_reference_files",
    "get_source_file",
    "raw_corpus_bleu",
    "sentence_bleu",
    "sentence_chrf",
    "sentence_ter",
    "smart_open",
]
