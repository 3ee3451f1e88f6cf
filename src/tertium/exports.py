"""What a package offers, imported when it is first used. The stub beside its `__init__.py` is the one list of names."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any

_LINE = re.compile(r"^from (\S+) import (\w+) as \2$", re.MULTILINE)


def offered(package: str, file: str) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """`__getattr__` and `__dir__` of a package whose stub says `from MODULE import NAME as NAME`, a name a line.

    Rooms that the stub imports can be reached (`tertium.meta`), but are not in `__all__`.
    """

    @cache
    def where() -> dict[str, str]:
        with open(f"{file.removesuffix('.py').removesuffix('.pyc')}.pyi", encoding="utf-8") as stub:
            return {name: module for module, name in _LINE.findall(stub.read())}

    def public() -> list[str]:
        own = ["__version__"] if package == "tertium" else []
        return sorted([*own, *(name for name, module in where().items() if module != package)])

    def found(name: str) -> Any:
        if name == "__all__":
            return public()
        if name.startswith("__") or name not in where():  # no file is opened for __path__ and the like
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module = where()[name]
        return (
            import_module(f"{module}.{name}") if module == package else getattr(import_module(module), name)
        )

    return found, public
