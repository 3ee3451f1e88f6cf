"""Features of n-best lists, and files of weights."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.errors import InputError
from tertium.io.nbest import NBest, read_nbest
from tertium.io.nbestfeatures import FeatureLists, merged, read_features, read_weights, write_weights
from tests.conftest import SHARED


def listed(*features: str) -> NBest:
    n = len(features)
    return NBest((0,) * n, tuple(map(str, range(n))), (0.0,) * n, features)


def test_features_as_moses_writes_them() -> None:
    path = SHARED / "data" / "formats" / "moses.nbest"
    if not path.exists():
        pytest.skip("no ../shared")
    found = FeatureLists.of(read_nbest(path))
    assert found.names == ("Feature0", "Feature1[1]", "Feature1[2]")
    assert found.values.tolist() == [[-1.75645, -1.9], [-1.38629, -1.2], [-2.19722, -2.4]]


def test_the_colons_of_older_lists() -> None:
    assert FeatureLists.of(listed("d: 0 lm: -1 -2")).layout == (("d", 1), ("lm", 2))


@pytest.mark.parametrize(
    ("second", "message"),
    [
        ("LM= 1", "candidate 2: the feature TM is missing"),
        ("LM= 1 TM= 1", "the feature TM has 1 value, but 2 in the first line"),
        ("LM= 1 TM= 1 2 WP= 3", "the feature WP is not in the first line"),
        ("TM= 1 2 LM= 1", "in another order"),
        ("LM= nan TM= 1 2", "the feature LM 'nan' is not a finite number"),
        ("LM= inf TM= 1 2", "not a finite number"),
        ("LM= x TM= 1 2", "the feature LM 'x' is not a number"),
        ("LM= 1e300 TM= 1 2", "too large"),
        ("LM= TM= 1 2", "the feature LM has no value"),
        ("LM= 1 LM= 1 2", "a feature is there twice"),
        ("1 2 3", "features must be 'name= value...'"),
        ("", "candidate 2 has no features"),
    ],
)
def test_features_that_are_refused(second: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        FeatureLists.of(listed("LM= 1 TM= 1 2", second))
    assert message in str(caught.value)


def test_a_list_without_features() -> None:
    with pytest.raises(InputError, match="has no features to find weights of"):
        FeatureLists.of(NBest((0,), ("a",), (0.0,)))


def test_lists_of_several_rounds(tmp_path: Path) -> None:
    (tmp_path / "1").write_text("0 ||| a ||| f= 1 ||| 1\n0 ||| b ||| f= 2 ||| 2\n1 ||| c ||| f= 0 ||| 0\n")
    (tmp_path / "2").write_text("0 ||| b ||| f= 2.0 ||| 2\n0 ||| b ||| f= 3 ||| 3\n1 ||| c ||| f= -0 ||| 0\n")
    found = read_features([tmp_path / "1", tmp_path / "2"])
    assert found.nbest.segments == (0, 0, 0, 1)
    assert found.nbest.hypotheses == ("a", "b", "b", "c")
    assert found.values.tolist() == [[1, 2, 3, 0]]
    (tmp_path / "3").write_text("0 ||| a ||| f= 1 ||| 1\n")
    with pytest.raises(InputError, match=r"3 has candidates of 1 sentences, but .*1 of 2"):
        read_features([tmp_path / "1", tmp_path / "3"])
    (tmp_path / "4").write_text("0 ||| a ||| g= 1 ||| 1\n1 ||| a ||| g= 1 ||| 1\n")
    with pytest.raises(InputError, match="4: the feature f is missing"):
        read_features([tmp_path / "1", tmp_path / "4"])


def test_one_list_has_no_repeats_either() -> None:
    nbest = NBest((0, 0, 0), ("a", "a", "a"), (0.0,) * 3, ("f= 1", "f= 1.0", "f= 2"))
    assert len(merged([FeatureLists.of(nbest)]).nbest) == 2


NAMES = st.from_regex(r"[A-Za-z][\w.+-]{0,8}", fullmatch=True)
NUMBERS = st.floats(-1e20, 1e20)


@given(st.dictionaries(NAMES, st.lists(NUMBERS, min_size=1, max_size=4).map(tuple), min_size=1, max_size=5))
def test_weights_come_back(
    tmp_path_factory: pytest.TempPathFactory, weights: dict[str, tuple[float, ...]]
) -> None:
    folder = tmp_path_factory.mktemp("weights")
    for name in ("w.ini", "w.tsv"):
        write_weights(folder / name, weights)
        assert read_weights(folder / name) == weights


def test_the_weights_of_a_whole_ini_file(tmp_path: Path) -> None:
    """Other sections are Moses' own."""
    (tmp_path / "moses.ini").write_text(
        "# a decoder\n[input-factors]\n0\n\n[feature]\nKENLM name=LM0 factor=0\n\n[weight]\nLM0= 0.5  # language\n"
        "TM0= 0.2 0.2\n[other]\nx= 3\n"
    )
    assert read_weights(tmp_path / "moses.ini") == {"LM0": (0.5,), "TM0": (0.2, 0.2)}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[weight]\nLM 0.5\n", "w: line 2: expected name= weight..., not 'LM 0.5'"),
        ("[weight]\nLM=\n", "w: line 2: expected name= weight"),
        ("[weight]\nLM= 1\nLM= 2\n", "w: line 3: LM is there twice"),
        ("[weight]\nLM= nan\n", "w: line 2: the weight of LM 'nan' is not a finite number"),
        ("[feature]\nx\n", "there are no weights"),
        ("", "the file is empty"),
        ("LM\t1\t2\n", "w: line 1: expected two columns"),
        ("LM\tmuch\n", "the weight of LM 'much' is not a number"),
        ("LM\t1e99\n", "too large"),
    ],
)
def test_weights_that_are_refused(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "w").write_text(text)
    with pytest.raises(InputError) as caught:
        read_weights(tmp_path / "w")
    assert message in str(caught.value)
