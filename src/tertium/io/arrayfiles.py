"""Arrays of numbers in one file, mapped into memory when it is read: what is not looked at is not loaded, and processes
share what is. The form is that of all our binary files (io/caches.py), with a checksum for every 4096 bytes."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt

from tertium import _native
from tertium.errors import InputError
from tertium.io.caches import CacheFile, Facts, make
from tertium.io.streams import FilePath, display_name

_ALIGNED = 64
Arrays = Mapping[str, npt.NDArray[np.generic]]


def write_arrays(path: FilePath, form: str, about: Mapping[str, Any], arrays: Arrays) -> None:
    """Write a file of this form."""

    def build(file: BinaryIO) -> Facts:
        places = {}
        for name, own in arrays.items():
            file.write(b"\0" * (-file.tell() % _ALIGNED))
            places[name] = [own.dtype.newbyteorder("<").str, file.tell(), len(own)]
            file.write(np.ascontiguousarray(own, own.dtype.newbyteorder("<")).tobytes())
        return {"format": form, "about": dict(about), "arrays": places}

    try:
        make(os.path.abspath(os.fspath(path)), build)
    except OSError as error:
        raise InputError(f"{display_name(path)}: cannot be written ({error.strerror})") from None


def read_arrays(path: FilePath, form: str) -> tuple[dict[str, Any], dict[str, npt.NDArray[np.generic]]]:
    """What the file says of itself, and its arrays, which cannot be changed; or one line on what is wrong with it."""
    name = display_name(path)
    try:
        with open(os.fspath(path), "rb") as file:
            found = CacheFile.of(file, str(path))
            if found is None or found.facts["format"] != form:
                raise InputError(f"{name}: is no {form}, or one of another version")
            content = found.content()
            arrays = {
                own: np.frombuffer(content, np.dtype(kind), length, begin)
                for own, (kind, begin, length) in found.facts["arrays"].items()
            }
            return dict(found.facts["about"]), arrays
    except (_native.DamagedFile, ValueError, KeyError, TypeError):
        raise InputError(f"{name}: is no {form}, or damaged") from None
    except OSError as error:
        raise InputError(f"{name}: {(error.strerror or 'cannot be read').lower()}") from None
