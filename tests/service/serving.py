"""An application that runs in a thread, reached over a real socket; and the shell examples of its page."""

from __future__ import annotations

import os
import re
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.conftest import ROOT


@contextmanager
def served(app: Any) -> Iterator[str]:
    """The address of a running application."""
    import uvicorn

    server = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=0, log_level="error"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    until = time.monotonic() + 60
    while not server.started:
        assert time.monotonic() < until, "the service does not start"
        time.sleep(0.01)
    yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    server.should_exit = True
    thread.join(20)


def run_examples(name: str, url: str, folder: Path, **known: str) -> set[tuple[str, str]]:
    """Run the examples of docs/service.md between two marks in a shell that knows some variables (KEY...); which
    operations they show."""
    text = (ROOT / "docs" / "service.md").read_text("utf-8")
    found = re.search(rf"<!-- {name} -->\n(.*)<!-- end {name} -->", text, re.S)
    assert found is not None
    shown = set()
    for example in re.split(r"\n\n", found.group(1)):
        call = example.strip().replace("http://localhost:8766", url)
        assert call.startswith("curl "), call
        call = call.replace("curl ", "curl -sS --fail-with-body ", 1)
        done = subprocess.run(
            ["bash", "-c", call], capture_output=True, env={**os.environ, **known}, cwd=folder, check=False
        )
        assert done.returncode == 0, (example, done.stdout, done.stderr)
        assert b'"problem"' not in done.stdout.replace(b'"problem": null', b"").replace(
            b'"problem":null', b""
        ), example
        [path] = re.findall(r"/v1/[\w/$]+", call)
        sent = "POST" if "--json" in call or " -d " in call else "GET"
        method = (re.findall(r" -X (\w+)", call) or [sent])[0]
        assert done.stdout or " -o " in call or method == "DELETE", example
        shown.add((method, path))
    return shown
