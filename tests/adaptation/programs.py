"""Machine translations for tests, as programs."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

LEARNER = """import json, sys
known = {}
print(json.dumps({"name": "learner", "version": "1", "stays": True,
                  "verbs": ["translate", "learn", "forget", "snapshot", "restore"]}), flush=True)
for line in sys.stdin:
    if not line.strip():
        continue
    asked = json.loads(line)
    answer = {"id": asked["id"]}
    if asked["verb"] == "translate":
        answer.update(translation=known.get(asked["source"], asked["source"].upper()), score=0.5, reasons=["a rule"])
    elif asked["verb"] == "learn":
        known[asked["source"]] = asked["correction"]
        answer["learnt"] = True
    elif asked["verb"] == "forget":
        known.clear()
    elif asked["verb"] == "snapshot":
        json.dump(known, open(asked["path"], "w"))
    elif asked["verb"] == "restore":
        known = json.load(open(asked["path"]))
    print(json.dumps(answer), flush=True)
"""


def program(folder: Path, code: str = LEARNER, name: str = "mt.py") -> str:
    """The command of a program with this code."""
    path = folder / name
    path.write_text(code, encoding="utf-8")
    return f"{shlex.quote(sys.executable)} {shlex.quote(str(path))}"
