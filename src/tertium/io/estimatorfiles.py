"""Files of estimators: arrays in numpy's own format (a ZIP, nothing in it is code), with what they are in JSON."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from tertium.errors import InputError
from tertium.io.files import write_bytes
from tertium.io.ownfiles import check_own
from tertium.io.streams import FilePath, display_name

FORMAT = "tertium estimator"
VERSION = 1
_ABOUT = "about"
_LARGEST = 1 << 28  # bytes of all arrays, unpacked
Arrays = Mapping[str, Any]


def write_estimator(path: FilePath, about: Mapping[str, Any], arrays: Arrays) -> int:
    """Write the file; how many bytes it has."""
    head = json.dumps({"format": FORMAT, "version": VERSION, **about}, ensure_ascii=False).encode()
    made = io.BytesIO()
    np.savez_compressed(made, **{_ABOUT: np.frombuffer(head, np.uint8), **arrays})
    write_bytes(path, made.getvalue())
    return len(made.getvalue())


def read_estimator(path: FilePath) -> tuple[dict[str, Any], dict[str, Any]]:
    """What it is, and its arrays; or one line on what is wrong with it."""
    name = display_name(path)
    try:
        data = Path(str(path)).read_bytes()
    except OSError:
        raise InputError(f"{name}: no such file") from None
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            if sum(one.file_size for one in packed.infolist()) > _LARGEST:
                raise InputError(f"{name}: is larger than any estimator of ours")
        with np.load(io.BytesIO(data), allow_pickle=False) as found:
            arrays = {key: found[key] for key in found.files}
        about = json.loads(arrays.pop(_ABOUT).tobytes())
    except InputError:
        raise
    except Exception:  # whatever a damaged archive can raise
        raise InputError(f"{name}: is no estimator, or damaged") from None
    check_own(about, name, "estimator", FORMAT, VERSION)
    for key, values in arrays.items():
        if values.dtype.kind == "f" and not np.isfinite(values).all():
            raise InputError(f"{name}: a number in it is not finite ({key})")
    return about, arrays
