"""Features of the translations that are learnt from, in parts: each by models of all texts but those of its part."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tertium.estimation.blending import best_share, blended, with_tendency
from tertium.estimation.corpora import CorpusWords
from tertium.estimation.features import FEATURES
from tertium.estimation.view import Learnt, TokenScores, View
from tertium.estimation.words import KeyedWords, Numbers, Places
from tertium.io.translations import Translations
from tertium.progress import steps


@dataclass(frozen=True, eq=False)
class PartFeatures:
    """Rows of features, and what they were made with."""

    source: KeyedWords
    translation: KeyedWords
    folds: Places  # the part in which each is left out
    sets: tuple[str, ...]
    rows: Numbers
    by_edits: Numbers | None  # the same, but what learns from values has learnt from edits
    learnt: tuple[Learnt, ...]  # for each part, what was learnt of the others

    @classmethod
    def of(
        cls,
        texts: Translations,
        values: Numbers,
        folds: Places,
        sets: tuple[str, ...],
        *,
        scores: TokenScores | None = None,
        edits: Numbers | None = None,
        encoder: str = "",
        corpora: CorpusWords | None = None,
        pair: str = "",
    ) -> PartFeatures:
        source, translation = KeyedWords.of(texts.sources), KeyedWords.of(texts.translations)
        rows = np.zeros((len(texts), sum(len(FEATURES[one].names) for one in sets)))
        by_edits = None if edits is None else np.zeros(rows.shape)
        models: list[Learnt] = []
        for fold in steps(range(int(folds.max()) + 1), "parts"):
            others, here = np.flatnonzero(folds != fold), np.flatnonzero(folds == fold)
            sides = source.take(others), translation.take(others)
            known = None if corpora is None else corpora.without(fold)
            models.append(Learnt.of(*sides, values[others], encoder, known))
            part = None
            if scores is not None:
                part = TokenScores(
                    [scores.pieces[i] for i in here.tolist()], [scores.values[i] for i in here.tolist()]
                )
            alike = None if texts.matches is None else [texts.matches[i] for i in here.tolist()]
            names = None if texts.documents is None else [texts.documents[i] for i in here.tolist()]
            view = View(
                source.take(here),
                translation.take(here),
                models[-1],
                part,
                matches=alike,
                documents=names,
                pair=pair,
            )
            rows[here] = np.hstack([FEATURES[one].columns(view) for one in sets])
            if edits is not None and by_edits is not None:
                by_edits[here] = with_tendency(rows[here], sets, view, *sides, edits[others])
        return cls(source, translation, folds, sets, rows, by_edits, tuple(models))

    def aimed(self, values: Numbers, edits: Numbers | None) -> tuple[float, Numbers, Numbers]:
        """How much edits count, and by that the features and what is to be learnt."""
        if edits is None or self.by_edits is None:
            return 0.0, self.rows, values
        share = best_share(self.rows, self.by_edits, values, edits, self.folds)
        return share, blended(self.rows, self.by_edits, share), blended(values, edits, share)
