"""A set with its outputs and judgements, from whatever files hold them."""

from __future__ import annotations

import os
from collections.abc import Sequence

from tertium.challenge.authors import Release, is_release, read_release
from tertium.challenge.judgements import ChallengeJudgements, read_judgements
from tertium.challenge.outputs import Outputs, read_outputs
from tertium.challenge.setfiles import read_set
from tertium.errors import InputError
from tertium.io.streams import FilePath


def load(
    path: FilePath, outputs: Sequence[str | os.PathLike[str]] = (), judgements: Sequence[FilePath] = ()
) -> Release:
    """The set in a `.jsonl` or `.tsv` file, with outputs and judgements in files of their own; or a release of the
    authors (`.json`, or a folder), which has its own and may be given more. Everything is checked against the set.
    """
    found = read_release(path) if is_release(path) else Release(read_set(path), None, None)
    texts = found.outputs
    if outputs:
        more = read_outputs(outputs, found.items)
        texts = more if texts is None else texts.merged(more)
    known = found.judgements
    if judgements:
        read = read_judgements(judgements, found.items, texts)
        known = read if known is None else known.merged(read)
    return Release(found.items, texts, known)


def needed_outputs(release: Release) -> Outputs:
    """The outputs, for what cannot be done without them."""
    if release.outputs is None:
        raise InputError(f"{release.items.name}: there are no system outputs: name their files with -i")
    return release.outputs


def needed_judgements(release: Release) -> ChallengeJudgements:
    """The judgements, for what cannot be done without them."""
    if release.judgements is None:
        raise InputError(f"{release.items.name}: there are no judgements: name their files with -j")
    return release.judgements
