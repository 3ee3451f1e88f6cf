"""`tertium rows write`: the rows of a shard."""

from __future__ import annotations

from typing import Any

from tertium.cli.cluster import asks_for_a_cluster, rows_of_cluster
from tertium.cli.flags import FLAGS
from tertium.cli.options import (
    engine_option,
    input_options,
    metrics_named,
    metrics_option,
    print_options,
    texts_named,
)
from tertium.cli.parsing import Names, Several, command_of, flag, written


@command_of(
    "write",
    *input_options(),
    engine_option(),
    metrics_option("bleu"),
    *FLAGS,
    Several(
        "--names", metavar="NAME", help="Names of the systems, the same for all shards (the files' own)."
    ),
    written("-o", "--output", metavar="FILE", required=True, help="The file of rows."),
    flag("--force", help="Do not warn about tokenised-looking text."),
    *print_options(to_file=False),
    reads=("REFERENCE -i SYSTEM --source SOURCE --documents DOCUMENTS -o OUTPUT.rows",),
)
def command(references: Names, input: Names, metrics: Names, names: Names, output: str, **given: Any) -> Any:
    """Score a shard, and write the rows of its segments: a few bytes each, signed by metrics and version.

    \b
    tertium rows write ref.01 -i out.01 --names A -m bleu chrf ter -o 01.rows
    tertium rows write --engine spark --input mined.parquet --columns hypothesis=mt,reference=ref -o all.rows
    """
    from tertium.cli.flags import chosen_specs
    from tertium.measuring import metrics_named as metrics_of
    from tertium.measuring import read_whole
    from tertium.rowfiles.writing import write_rows
    from tertium.scoring import check_sources

    if asks_for_a_cluster(references, input, given["engine"]):
        own = chosen_specs(metrics_named(metrics, None), given, given["language_pair"])
        return rows_of_cluster(input[0], given["engine"], own, given["columns"], output, names or ())
    files, project = texts_named(references, input, given)
    chosen = chosen_specs(metrics_named(metrics, project), given, given["language_pair"])
    inputs = files.open(whole=read_whole(metrics_of(chosen)))
    check_sources(metrics_of(chosen), inputs.has_sources)
    how = {name: given[name] for name in ("threads", "force", "engine")}
    return write_rows(inputs, chosen, output, names=names or (), **how)
