"""Estimators: trained on translations with judgements or post-edits, applied to others, kept in a file."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from tertium import __version__
from tertium.errors import InputError, TertiumWarning, many
from tertium.estimation.blending import as_scores, rescaled
from tertium.estimation.context import check_documents
from tertium.estimation.corpora import Corpora, CorpusRecord, hashes_of
from tertium.estimation.features import FEATURES
from tertium.estimation.glassbox import checked
from tertium.estimation.leftout import PartFeatures
from tertium.estimation.models import Regression
from tertium.estimation.othermetrics import check_signatures, set_of, signatures
from tertium.estimation.parts import PARTS, EstimatorPart, TrainingRecord, learnt_parts, named
from tertium.estimation.view import Learnt, TokenScores, View, folds_of
from tertium.estimation.words import KeyedWords, Numbers
from tertium.io.estimatorfiles import read_estimator, write_estimator
from tertium.io.streams import FilePath, display_name
from tertium.io.translations import Translations
from tertium.matching.languages import other_language
from tertium.progress import steps
from tertium.text.sentences import check_encoder

LEAST = 50  # translations to learn from
_TELLING = 20  # texts: fewer say little of their language
_LOOKED_AT = 200
FOLDS = 5
TARGETS = ("da", "hter", "saved")
HIGHER = {"da": True, "hter": False, "saved": True}  # whether more is better


@dataclass(frozen=True, eq=False)
class Estimator:
    """What was learnt, and from what."""

    sets: tuple[str, ...]
    learnt: Learnt
    regression: Regression
    target: str  # in TARGETS
    pair: str  # of languages; empty: unknown
    segments: int
    seen: np.ndarray  # hashes of the segments it was trained on
    correlation: float  # with what it was trained on, on parts left out
    name: str = ""
    parts: Mapping[str, EstimatorPart] = field(default_factory=dict)  # by name in PARTS
    share: float = 0.0  # of edits in what it learnt, beside scores
    seen_sources: np.ndarray | None = None  # hashes, too; None: not known
    corpora: CorpusRecord | None = None  # texts that its models learnt from beside

    @property
    def needs_scores(self) -> bool:
        return any(FEATURES[name].needs_scores for name in self.sets)

    @property
    def needs_memory(self) -> bool:
        return any(FEATURES[name].needs_memory for name in self.sets)

    @property
    def needs_documents(self) -> bool:
        return any(FEATURES[name].needs_documents for name in self.sets)

    @property
    def higher(self) -> bool:
        """Whether more is better."""
        return HIGHER[self.target]

    @property
    def called(self) -> str:
        return self.name or "this estimator"

    def features(self, view: View) -> Numbers:
        return np.hstack([FEATURES[name].columns(view) for name in self.sets])

    def estimates(
        self, texts: Translations, *, pair: str = "", force: bool = False, threads: int = 1
    ) -> Numbers:
        """A number for each translation: what people would have said (da), or the share of words that they would have
        edited (hter) or left as they are (saved)."""
        return self.of(self.rows(texts, pair=pair, force=force, threads=threads))

    def of(self, rows: Numbers) -> Numbers:
        """Estimates of translations with these features."""
        found = self.regression.of(rows)
        return found if self.target == "da" else np.clip(found, 0.0, 1.0)

    def rows(self, texts: Translations, *, pair: str = "", force: bool = False, threads: int = 1) -> Numbers:
        """The features of translations, unless they are not for this estimator."""
        return self.features(self.view(texts, pair=pair, force=force, threads=threads))

    def view(self, texts: Translations, *, pair: str = "", force: bool = False, threads: int = 1) -> View:
        """What features see of these translations, if they are such as it was trained for."""
        if not force:
            self.check_pair(pair)
            self._warn_of_languages(texts)
        if self.needs_scores and texts.token_scores is None:
            raise InputError(
                f"{self.called} was trained with log-probabilities of tokens: give them (--scores, --pieces)"
            )
        if self.needs_memory and texts.matches is None:
            raise InputError(f"{self.called} was trained with a memory: give one (--memory)")
        if self.learnt.head is not None:
            self.learnt.head.check(self.called)
        if self.needs_documents and texts.documents is None:
            raise InputError(
                f"{self.called} was trained with context: name the document of each line (--documents)"
            )
        self._warn_of_leaks(texts)
        return _view(texts, self.learnt, scores=self.needs_scores, threads=threads, pair=self.pair or pair)

    def check_pair(self, pair: str) -> None:
        """Refuses languages that it was not trained for."""
        if self.pair and pair and pair != self.pair:
            raise InputError(
                f"{self.called} was trained for {self.pair}, not for {pair}: --force uses it nevertheless"
            )

    def _warn_of_languages(self, texts: Translations) -> None:
        """Names a side that is in another language than this was trained for: sides are easily swapped."""
        if len(texts) < _TELLING:
            return
        step = max(1, len(texts) // _LOOKED_AT)
        sides = zip(
            ("sources", "translations"),
            (texts.sources, texts.translations),
            self.pair.split("-"),
            strict=False,
        )
        for what, lines, language in sides:
            if (strange := other_language(lines[::step], language)) is not None:
                warnings.warn(
                    f"the text of the {what} {strange}: {self.called} was trained for {self.pair}",
                    TertiumWarning,
                    stacklevel=4,
                )

    def has_seen(self, texts: Translations) -> np.ndarray:
        """Which of these were in the training data."""
        hashes = hashes_of(texts.sources, texts.translations)
        return np.isin(hashes, self.seen)

    def _warn_of_leaks(self, texts: Translations) -> None:
        known = np.flatnonzero(self.has_seen(texts)).tolist()
        if known:
            shown = ", ".join(str(i + 1) for i in known[:5]) + (", ..." if len(known) > 5 else "")
            warnings.warn(
                f"{len(known)} of {len(texts)} segments were in the training data of {self.called} ({shown}): what it "
                "says of them is too good to be true",
                TertiumWarning,
                stacklevel=4,
            )
        if self.corpora is not None:
            self.corpora.warn_of_leaks(texts.sources, texts.translations, self.called)

    def warn_of_sources(self, texts: Translations) -> None:
        """Names sources of a test set that the training had with other translations."""
        if self.seen_sources is None:
            return
        sources = np.isin(hashes_of(texts.sources), self.seen_sources)
        sources &= ~self.has_seen(texts)
        if number := int(sources.sum()):
            shown = ", ".join(str(i + 1) for i in np.flatnonzero(sources)[:5]) + (
                ", ..." if number > 5 else ""
            )
            warnings.warn(
                f"{number} of {len(texts)} sources were in the training data of {self.called} with other translations "
                f"({shown}): what it says of them may be too good to be true",
                TertiumWarning,
                stacklevel=3,
            )

    def write(self, path: FilePath) -> int:
        """How many bytes the file has."""
        about = {
            "tertium": __version__,
            "sets": self.sets,
            "features": [len(FEATURES[name].names) for name in self.sets],
            "target": self.target,
            "pair": self.pair,
            "segments": self.segments,
            "correlation": self.correlation,
            "signatures": signatures(self.sets),
            "parts": tuple(self.parts),
            "share": self.share,
        }
        arrays = {**self.learnt.arrays(), **self.regression.arrays(), "seen": self.seen}
        if self.seen_sources is not None:
            arrays["seen_sources"] = self.seen_sources
        if self.corpora is not None:
            about["corpora"] = self.corpora.about()
            arrays |= self.corpora.arrays()
        for name, part in self.parts.items():
            arrays |= {f"part.{name}.{key}": own for key, own in part.arrays().items()}
        return write_estimator(path, about, arrays)

    @classmethod
    def read(cls, path: FilePath) -> Estimator:
        about, arrays = read_estimator(path)
        name = display_name(path)
        try:
            sets = tuple(map(str, about["sets"]))
            check_signatures(dict(about.get("signatures", {})), name)
            for own, number in zip(sets, about["features"], strict=True):
                if len(FEATURES[own].names) != number:
                    raise InputError(f"{name}: was trained with other features of {own}: train it again")
            parts = tuple(map(str, about.get("parts", ())))
            if lost := [part for part in parts if part not in PARTS]:
                raise InputError(
                    f"{name}: needs a part that this Tertium does not have ({', '.join(lost)}): train it again"
                )
            regression = Regression.from_arrays(arrays, sum(about["features"]))
            if about["target"] not in TARGETS:
                raise ValueError("target")
            return cls(
                sets,
                Learnt.from_arrays(arrays),
                regression,
                about["target"],
                str(about["pair"]),
                int(about["segments"]),
                np.asarray(arrays["seen"], np.uint32),
                float(about["correlation"]),
                name,
                {part: PARTS[part].from_arrays(named(f"part.{part}", arrays)) for part in parts},
                float(about.get("share", 0.0)),
                np.asarray(arrays["seen_sources"], np.uint32) if "seen_sources" in arrays else None,
                CorpusRecord.from_file(about, arrays),
            )
        except InputError:
            raise
        except (KeyError, ValueError, TypeError, IndexError):
            raise InputError(f"{name}: is a damaged estimator") from None


def _view(texts: Translations, learnt: Learnt, *, scores: bool, threads: int = 1, pair: str = "") -> View:
    return View(
        KeyedWords.of(texts.sources, threads=threads),
        KeyedWords.of(texts.translations, threads=threads),
        learnt,
        _token_scores(texts) if scores else None,
        threads,
        texts.matches,
        texts.documents,
        pair,
    )


def _token_scores(texts: Translations) -> TokenScores:
    values = [np.asarray(own, float) for own in texts.token_scores or ()]
    found = TokenScores(texts.pieces or (), values)
    checked(found, len(texts))
    return found


def targets_of(texts: Translations, target: str) -> Numbers:
    """What is to be estimated: people's scores, the share of words that were edited, at most all, or what it leaves."""
    if target == "da":
        if texts.scores is None:
            raise InputError(f"{texts.name}: has no scores (z_mean, score, mean, da)")
        return np.asarray(texts.scores, float)
    if texts.hter is not None:
        edited = np.asarray(np.clip(np.asarray(texts.hter, float), 0.0, 1.0))
    elif texts.post_edits is not None:
        edited = edit_rates(texts.translations, texts.post_edits)
    else:
        raise InputError(f"{texts.name}: has no HTER and no post-edits (hter, pe)")
    return 1.0 - edited if target == "saved" else edited


def edit_rates(translations: Sequence[str], post_edits: Sequence[str]) -> Numbers:
    """TER of translations against their post-edits: what of 1 was edited, at most 1."""
    from tertium.families.ter import TER

    metric = TER()
    rows = metric.statistics(list(translations), metric.prepare(list(post_edits)))
    return np.asarray(np.clip(np.nan_to_num(metric.score_rows(rows, "segment")) / 100, 0.0, 1.0))


def usual_target(texts: Translations) -> str:
    return "da" if texts.scores is not None else "hter"


def trained(
    texts: Translations,
    *,
    target: str | None = None,
    pair: str = "",
    sets: Sequence[str] | None = None,
    metrics: Sequence[str] = (),
    encoder: str = "",
    context: bool = False,
    checks: bool = False,
    corpora: Corpora | None = None,
    name: str = "",
) -> Estimator:
    """An estimator, trained on these translations. Models of their texts are learnt in five parts, so that the features
    of no segment come from a model that has seen it. Edits beside scores help to learn the scores (`blending`). An
    encoder is `use`, a folder in Hugging Face's form, or an installed package that carries one.
    Models of words learn from `corpora`, too. No document is in two parts. Features of `context` need the names of
    documents, and so does the estimator then; `checks` adds what checks of memories doubt."""
    chosen = target or usual_target(texts)
    values = targets_of(texts, chosen)
    if len(texts) < LEAST:
        raise InputError(
            f"{texts.name}: has {len(texts)} translations; at least {LEAST} are needed to learn from"
        )
    if np.ptp(values) < 1e-9:
        raise InputError(f"{texts.name}: all values are the same ({values[0]:g}): there is nothing to learn")
    usable = [
        one
        for one in FEATURES
        if (texts.token_scores is not None or not FEATURES[one].needs_scores)
        and (texts.matches is not None or not FEATURES[one].needs_memory)
        and (encoder or not FEATURES[one].needs_encoder)
        and (context or not FEATURES[one].needs_documents)
        and (checks or not FEATURES[one].needs_checks)
    ]
    if encoder:
        check_encoder(encoder)
    own = (*(sets or usable), *map(set_of, metrics))
    if any(FEATURES[one].needs_documents for one in own):
        _check_context(texts)
    scores = _token_scores(texts) if any(FEATURES[one].needs_scores for one in own) else None
    folds = folds_of(groups_of(texts), FOLDS)
    beside = None if corpora is None else corpora.words(texts.sources, texts.translations, folds)
    edits = edits_beside(texts, chosen, values)
    found = PartFeatures.of(
        texts, values, folds, own, scores=scores, edits=edits, encoder=encoder, corpora=beside, pair=pair
    )
    share, rows, aim = found.aimed(values, edits)
    left_out = np.zeros(len(texts))
    for fold in steps(range(FOLDS), "parts"):
        left_out[folds == fold] = Regression.learnt(rows[folds != fold], aim[folds != fold]).of(
            rows[folds == fold]
        )
    regression = Regression.learnt(rows, aim)
    if share:
        regression, left_out = rescaled(regression, left_out, values)
    training = TrainingRecord(
        texts, chosen, values, found.source, found.translation, folds, own, rows, left_out, found.learnt
    )
    return Estimator(
        own,
        Learnt.of(found.source, found.translation, aim, encoder, beside),
        regression,
        chosen,
        pair,
        len(texts),
        np.unique(hashes_of(texts.sources, texts.translations)),
        float(np.corrcoef(left_out, values)[0, 1]),
        name,
        learnt_parts(training),
        share,
        np.unique(hashes_of(texts.sources)),
        None if corpora is None else CorpusRecord.of(corpora),
    )


def groups_of(texts: Translations) -> Sequence[str]:
    """What is left out together: documents, if there are enough of them, or else equal sources."""
    if texts.documents is None or len(set(texts.documents)) < FOLDS:
        return texts.sources
    if len(texts.documents) != len(texts):
        check_documents(texts.documents, len(texts))
    return [name or text for name, text in zip(texts.documents, texts.sources, strict=True)]


def _check_context(texts: Translations) -> None:
    if texts.documents is None:
        raise InputError(f"{texts.name}: has no names of documents, which context needs (--documents)")
    check_documents(texts.documents, len(texts))
    if (number := len(set(texts.documents))) < FOLDS:
        raise InputError(
            f"{texts.name}: has {many(number, 'document')}; at least {FOLDS} are needed to learn from context"
        )


def edits_beside(texts: Translations, target: str, values: Numbers) -> Numbers | None:
    """Edits of translations whose scores are learnt, as scores, if they are known."""
    if target != "da" or (texts.hter is None and texts.post_edits is None):
        return None
    return as_scores(targets_of(texts, "hter"), values)
