"""A client that somebody else's program makes from our description: it sends, reads, and understands refusals."""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from tests.conftest import skip_or_fail
from tests.service.site import Site, segments

NAME = "made_client"


@pytest.fixture(scope="module")
def client_folder(site: Site, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The package that openapi-python-client writes, where it can be imported."""
    if importlib.util.find_spec("openapi_python_client") is None:
        skip_or_fail("openapi-python-client is not installed (pip install openapi-python-client)")
    folder = tmp_path_factory.mktemp("client")
    described = folder / "openapi.json"
    described.write_text(json.dumps(httpx2.get(f"{site.url}/v1/openapi.json").json()), "utf-8")
    (folder / "settings.yaml").write_text(f"package_name_override: {NAME}\npost_hooks: []\n", "utf-8")
    command = [sys.executable, "-m", "openapi_python_client", "generate", "--path", str(described)]
    command += [
        "--config",
        str(folder / "settings.yaml"),
        "--output-path",
        str(folder / "package"),
        "--meta",
        "setup",
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    sys.path.insert(0, str(folder / "package"))
    yield folder / "package" / NAME
    sys.path.remove(str(folder / "package"))
    for name in [name for name in sys.modules if name.partition(".")[0] == NAME]:
        del sys.modules[name]


def part(path: str) -> Any:
    return importlib.import_module(f"{NAME}.{path}")


def called(operation: str, client: Any, **given: Any) -> Any:
    """An operation by the end of its name, whatever folder the generator put it in."""
    root = Path(part("api").__file__).parent
    [found] = [path for path in root.rglob("*.py") if path.stem.startswith(operation)]
    module = part("api." + ".".join(found.relative_to(root).with_suffix("").parts))
    return module.sync_detailed(client=client, **given)


def test_it_sends_reads_and_asks(client_folder: Path, site: Site) -> None:
    models = part("models")
    client = part("client").AuthenticatedClient(base_url=site.url, token=site.keys["administrator"])
    body = models.NewEvaluation.from_dict(
        {"system": "generated", "document": "one", "segments": segments(most=5), "metrics": ["chrf"]}
    )
    with client:
        made = called("evaluate_v1", client, body=body, idempotency_key="generated-1")
        assert made.status_code == 201
        again = called("evaluate_v1", client, body=body, idempotency_key="generated-1")
        assert again.status_code == 200
        assert again.parsed == made.parsed
        [listed] = called("find_v1", client, system="generated").parsed
        assert (listed.id, listed.segments) == (made.parsed.id, 5)
        read = called("read_v1", client, number=made.parsed.id)
        assert [own.value for own in read.parsed.scores] == [own.value for own in made.parsed.scores]
        [series] = called("history_v1", client, system="generated", metric="chrf").parsed
        assert series.points[0].value == made.parsed.scores[0].value
        wrong = models.NewEvaluation.from_dict({**body.to_dict(), "metrics": ["bleurt"], "document": "two"})
        refused = called("evaluate_v1", client, body=wrong)
        assert refused.status_code == 422
        assert json.loads(refused.content)["errors"][0]["pointer"] == "/metrics/0"
