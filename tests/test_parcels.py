"""Rows travel: pickled, copied, as bytes, through Arrow, and from processes that number types in their own way."""

from __future__ import annotations

import copy
import hashlib
import io
import multiprocessing
import pickle
import random
from concurrent.futures import ProcessPoolExecutor
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import tertium as tt
from tertium import _native, registry
from tertium._native import Lines
from tertium.errors import InputError
from tertium.families.base import Metric
from tertium.statistics import DenseStatistics, Statistics, TypeStatistics, ValueStatistics, columns, parcels
from tertium.testing.comparing import content, same_scores
from tests.conftest import each_metric

WORDS = [
    "the",
    "a",
    "cat",
    "dog",
    "sat",
    "on",
    "mat",
    "é",
    "中文",
    "barked",
    "twice",
    "extraordinarily",
    "of",
    "end",
]
HYPOTHESES = [
    "the cat sat on the mat",
    "",
    "a dog barked é 中文 twice",
    "the end \ud800 of it",
    "the the cat",
]
REFERENCES = ["the cat sat on a mat", "nothing", "the dog barked é 中 twice", "the end of it all", "a cat"]


def rows_of(spec: str) -> Statistics:
    return tt.metric(spec).statistics(HYPOTHESES, REFERENCES)


def bags() -> ValueStatistics:
    return ValueStatistics.of([0.5, None, 1 / 3, -2.0, 0.5])


def all_kinds() -> list[Statistics]:
    empty = [rows.take([]) for rows in (rows_of("bleu"), rows_of("macrof1"), bags())]
    return [rows_of("bleu"), rows_of("ter"), rows_of("macrof1"), rows_of("microf:order=2"), bags(), *empty]


each_kind = pytest.mark.parametrize("which", range(8))


@each_kind
def test_every_way_there_and_back(which: int) -> None:
    rows = all_kinds()[which]
    total = rows.total() if len(rows) else rows
    for given in (rows, total):
        for found in (
            pickle.loads(pickle.dumps(given)),
            copy.copy(given),
            copy.deepcopy(given),
            Statistics.from_bytes(given.to_bytes()),
            type(given).from_bytes(bytearray(given.to_bytes())),
            Statistics.from_bytes(memoryview(b"x" + given.to_bytes())[1:]),  # not aligned
            Statistics.from_arrow(given.to_arrow()),
        ):
            assert type(found) is type(given)
            assert content(found) == content(given)
            assert found.to_bytes() == given.to_bytes()
            if isinstance(given, DenseStatistics):
                assert found.columns == given.columns  # type: ignore[attr-defined]


def test_a_copy_shares_nothing() -> None:
    total = rows_of("macrof1").total()
    before = total.to_bytes()
    copy.copy(total).accumulate(rows_of("macrof1"))
    copy.copy(bags().total()).accumulate(bags())
    assert total.to_bytes() == before


def test_equal_rows_are_equal_bytes_however_types_are_numbered() -> None:
    rows = rows_of("macrof1")
    one, other = rows.total(), rows.take([4, 3]).concat(rows.take([2, 1, 0])).total()  # numbered anew
    assert isinstance(one, TypeStatistics)
    assert isinstance(other, TypeStatistics)
    assert one.types != other.types
    assert one.to_bytes() == other.to_bytes()
    assert rows.take([0]).to_bytes() == rows.grouped([0, -1, -1, -1, -1], 1).to_bytes()  # no unused types
    assert rows.to_bytes() != rows.take([1, 0, 2, 3, 4]).to_bytes()


def test_the_signature_decides() -> None:
    bleu, other = tt.metric("bleu"), tt.metric("bleu:lowercase=yes")
    data = rows_of("bleu").to_bytes(bleu)
    assert len(Statistics.from_bytes(data, bleu)) == len(Statistics.from_bytes(data)) == 5
    assert Statistics.from_bytes(data, bleu.rows_signature).to_bytes(bleu) == data
    with pytest.raises(InputError, match=r"made by bleu\|.*case:mixed.*, not by bleu\|.*case:lc"):
        Statistics.from_bytes(data, other)
    with pytest.raises(InputError, match="do not say which metric"):
        Statistics.from_bytes(rows_of("bleu").to_bytes(), bleu)
    with pytest.raises(InputError, match=r"not by bleu"):
        Statistics.from_arrow(rows_of("bleu").to_arrow(other), bleu)
    one, two = tt.metric("bleu:PGBC4"), tt.metric("bleu:FAB3")  # variants that share rows
    assert one.rows_signature == two.rows_signature
    assert str(tt.__version__) in one.rows_signature


def test_another_kind_is_refused() -> None:
    with pytest.raises(InputError, match="of kind 'types', not 'dense'"):
        DenseStatistics.from_bytes(rows_of("macrof1").to_bytes())
    data = sealed(rows_of("ter").to_bytes()[:-16].replace(b'"dense"', b'"queer"'))
    with pytest.raises(InputError, match="of an unknown kind, 'queer'"):
        Statistics.from_bytes(data)
    with pytest.raises(InputError, match="from bytes, not from int"):
        Statistics.from_bytes(3)


def sealed(body: bytes) -> bytes:
    return body + hashlib.blake2b(body, digest_size=16).digest()


def test_cut_off_and_damaged_bytes_are_refused() -> None:
    for rows in all_kinds():
        data = rows.to_bytes("m")
        for end in [*range(min(len(data), 60)), len(data) - 17, len(data) - 1]:
            with pytest.raises(InputError):
                Statistics.from_bytes(data[:end])
        for at in range(0, len(data), 7):
            with pytest.raises(InputError):
                Statistics.from_bytes(data[:at] + bytes([data[at] ^ 0x41]) + data[at + 1 :])
    with pytest.raises(InputError, match="of version 2, not 1: write them again"):
        Statistics.from_bytes(sealed(b"tertrows\x02" + rows_of("ter").to_bytes()[9:-16]))


def test_nonsense_with_a_right_checksum_never_crashes() -> None:
    """Whoever can compute a checksum can send anything: it is refused, or makes rows that can be added."""
    rng, kinds = random.Random(12), all_kinds()
    outcomes = {"made": 0, "refused": 0, "unreadable": 0}
    for _ in range(4000):
        rows = rng.choice(kinds)
        body = bytearray(rows.to_bytes("m")[:-16])
        for _ in range(rng.randrange(1, 4)):
            at = rng.randrange(13, len(body)) if rng.random() < 0.9 else rng.randrange(len(body))
            if rng.random() < 0.8:
                body[at] = rng.choice([0, 1, 255, 128, rng.randrange(256)])
            else:
                del body[at : at + rng.choice([1, 4, 8, 12])]
        try:
            found = Statistics.from_bytes(sealed(bytes(body)))
        except InputError as error:
            outcomes["refused" if len(str(error).splitlines()) == 1 else "unreadable"] += 1
            continue
        outcomes["made"] += 1
        if len(found):
            found.take([0]).concat(found)
            found.without_each()
        assert Statistics.from_bytes(found.to_bytes()).to_bytes() == found.to_bytes()
    assert min(outcomes["made"], outcomes["refused"]) > 200, outcomes
    assert not outcomes["unreadable"]


def test_dense_rows_go_to_arrow_without_a_copy() -> None:
    rows = DenseStatistics.build(columns("match", "mean", real=["mean"]), [[2, 0.5], [1, 0.25]])
    batch = rows.to_arrow("mine")
    assert batch.column("row").flatten().buffers()[1].address == rows.array.ctypes.data
    assert batch.schema.field("row").type == pa.list_(pa.int64(), 5)
    again = Statistics.from_arrow(pa.table(batch.slice(1)), "mine")
    assert isinstance(again, DenseStatistics)
    assert again["mean"].tolist() == [0.25]


@each_kind
def test_through_parquet_in_pieces(which: int) -> None:
    rows = all_kinds()[which]
    file = io.BytesIO()
    pq.write_table(pa.table(rows.to_arrow()), file, row_group_size=2)
    read = pq.read_table(file)
    for table in (read, pa.Table.from_batches(read.to_batches(2), read.schema)):
        assert Statistics.from_arrow(table).to_bytes() == rows.to_bytes()


def test_other_arrow_tables_are_refused() -> None:
    batch = rows_of("macrof1").to_arrow()
    with pytest.raises(InputError, match="does not come from Statistics"):
        Statistics.from_arrow(pa.table({"row": [[1, 2]]}))
    with pytest.raises(InputError, match="not from dict"):
        Statistics.from_arrow({})
    with pytest.raises(InputError, match="does not hold rows as"):
        Statistics.from_arrow(pa.table({"row": ["x"]}).replace_schema_metadata(batch.schema.metadata))
    with pytest.raises(InputError, match="does not hold rows as"):
        Statistics.from_arrow(pa.table(batch).drop_columns("counts"))
    longer = pa.table(batch).set_column(1, "counts", pa.table(batch)["counts"].take([1, 0, 2, 3, 4]))
    with pytest.raises(InputError, match="more types than counts"):
        Statistics.from_arrow(longer.replace_schema_metadata(batch.schema.metadata))
    dense, wide = rows_of("ter").to_arrow(), rows_of("bleu").to_arrow()
    with pytest.raises(InputError, match="does not hold rows as"):
        Statistics.from_arrow(wide.replace_schema_metadata(dense.schema.metadata))
    nulls = pa.table({"row": pa.array([None], dense.schema.field("row").type)})
    with pytest.raises(InputError, match="null"):
        Statistics.from_arrow(nulls.replace_schema_metadata(dense.schema.metadata))


def shard(spec: str, begin: int, end: int) -> tuple[bytes, Statistics, Statistics]:
    """What a worker does: rows of its segments, their total, both by pickle, and the total as bytes."""
    metric = tt.metric(spec)
    hypotheses, references = corpus()
    rows = metric.statistics(hypotheses[begin:end], references[begin:end])
    return rows.total().to_bytes(metric), rows, metric.total(hypotheses[begin:end], references[begin:end])


def shard_of_values(spec: str, begin: int, end: int) -> tuple[bytes, Statistics, Statistics]:
    rows = values_of_corpus(begin, end)
    return rows.total().to_bytes(), rows, rows.total()


def values_of_corpus(begin: int, end: int) -> ValueStatistics:
    return ValueStatistics.of([None if i % 7 == 0 else (i * i % 11) / 3 for i in range(begin, end)])


def corpus() -> tuple[list[str], list[str]]:
    rng = random.Random(3)

    def line() -> str:
        return " ".join(rng.choice(WORDS) for _ in range(rng.randrange(12)))

    return [line() for _ in range(90)], [line() for _ in range(90)]


@pytest.mark.parametrize("spec", ["bleu", "ter", "macrof1", "microf1", "median"])
def test_shards_of_processes_add_to_the_same_bits(spec: str) -> None:
    spans = [(60, 90), (0, 25), (25, 60)]  # types get other numbers in every process
    work: Any = shard_of_values if spec == "median" else shard
    whole = values_of_corpus(0, 90) if spec == "median" else tt.metric(spec).statistics(*corpus())
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
        found = [future.result() for future in [pool.submit(work, spec, *span) for span in spans]]
    signed = None if spec == "median" else tt.metric(spec)
    first, *others = (Statistics.from_bytes(data, signed) for data, _, _ in found)
    for other in others:
        first = first + other
    assert first.to_bytes() == whole.total().to_bytes()
    grown = found[0][2]
    for _, rows, _ in found[1:]:
        grown = grown.accumulate(rows)
    assert grown.to_bytes() == whole.total().to_bytes()
    in_order = found[1][1].concat(found[2][1]).concat(found[0][1])
    assert in_order.to_bytes() == whole.to_bytes()
    if signed is not None:
        same_scores(signed, in_order, whole, "when rows come from processes")


def score_in_worker(testset: tt.TestSet) -> tuple[tt.Scores, tt.TestSet]:
    return testset.score(["bleu", "macrof1", "ter"]), testset


def test_results_and_test_sets_pickle_to_a_pool_and_back() -> None:
    sample = tt.TestSet.sample()
    expected = sample.score(["bleu", "macrof1", "ter"])
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        scores, testset = pool.submit(score_in_worker, sample).result()
    assert scores == expected
    assert str(scores) == str(expected)
    assert dict(scores["strong", "bleu"].components) == dict(expected["strong", "bleu"].components)
    assert repr(testset) == repr(sample)
    assert copy.deepcopy(expected) == expected


def test_texts_pickle() -> None:
    lines = Lines(["one", None, "", "zwölf 中文 \ud800"])
    for found in (pickle.loads(pickle.dumps(lines)), copy.copy(lines), copy.deepcopy(lines)):
        assert [found[i] for i in range(4)] == ["one", None, "", "zwölf 中文 \ud800"]
    references = tt.References.of([["a", "b"], ["c", None]])
    assert pickle.loads(pickle.dumps(references)).number is None


@pytest.mark.parametrize("spec", each_metric())
def test_metrics_and_what_they_prepare_pickle(supply: Any, spec: str) -> None:
    metric: Metric = supply(registry.metric(spec))
    assert pickle.loads(pickle.dumps(metric)) == metric
    sources = REFERENCES if metric.needs_source else None
    prepared = metric.prepare(REFERENCES)
    rows = metric.statistics(HYPOTHESES, pickle.loads(pickle.dumps(prepared)), sources=sources)
    assert rows.to_bytes(metric) == metric.statistics(HYPOTHESES, prepared, sources=sources).to_bytes(metric)


def test_tokens_are_counted_without_a_metric() -> None:
    lines = Lines(["Hello, world.", None, "", "one"])
    assert memoryview(_native.count_tokens(lines, "13a", 2)).tolist() == [[4], [0], [0], [1]]
    assert len(_native.count_tokens(Lines([]), "none", 1)) == 0
    with pytest.raises(ValueError, match="no native tokeniser"):
        _native.count_tokens(lines, "nonsense", 1)


def test_the_header_says_what_it_must() -> None:
    parcel = parcels.from_bytes(rows_of("bleu").to_bytes(tt.metric("bleu")))
    assert parcel.kind == "dense"
    assert parcel.columns[0] == ("length", False)
