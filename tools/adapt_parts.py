"""Carries a trained model between machines in files of 15 MiB: bf16, its two bytes apart, packed.

    python -m tools.adapt_parts pack MODEL FOLDER NAME    # on the machine with the GPU
    python -m tools.adapt_parts unpack FOLDER NAME MODEL  # here

The high bytes (sign and exponent) of weights take a third of their place when packed, the low bytes all of it.
"""

from __future__ import annotations

import io
import json
import lzma
import os
import sys
import tarfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

_PART = 15 * 2**20
_BLOCK = 2**22


def pack(model: str, folder: str, name: str) -> None:
    """Writes a model as parts NAME.00, NAME.01..."""
    import torch
    from safetensors.torch import load_file

    weights = load_file(os.path.join(model, "model.safetensors"))
    facts = {own: list(value.shape) for own, value in weights.items()}
    flat = torch.cat([value.to(torch.bfloat16).reshape(-1) for value in weights.values()])
    planes = flat.view(torch.uint8).reshape(-1, 2).T.contiguous().numpy()
    low = planes[0].tobytes()
    high = planes[1].tobytes()
    with ThreadPoolExecutor(16) as pool:
        blocks = list(
            pool.map(lambda at: lzma.compress(high[at : at + _BLOCK], preset=2), range(0, len(high), _BLOCK))
        )
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as tar:
        entries = {"facts.json": json.dumps(facts).encode(), "high.xz": b"".join(blocks), "low": low}
        entries |= {
            own: Path(model, own).read_bytes() for own in os.listdir(model) if own != "model.safetensors"
        }
        for own, content in entries.items():
            info = tarfile.TarInfo(own)
            info.size = len(content)
            tar.addfile(info, io.BytesIO(content))
    content = out.getvalue()
    for number, at in enumerate(range(0, len(content), _PART)):
        Path(folder, f"{name}.{number:02}").write_bytes(content[at : at + _PART])
    print(f"{name}: {len(content) / 2**20:.1f} MiB in {-(-len(content) // _PART)} parts")


def unpack(folder: str, name: str, model: str) -> None:
    """Puts the parts together as a model (float32)."""
    import torch
    from safetensors.torch import save_file

    parts = sorted(Path(folder).glob(f"{name}.[0-9][0-9]"))
    content = b"".join(own.read_bytes() for own in parts)
    os.makedirs(model, exist_ok=True)
    with tarfile.open(fileobj=io.BytesIO(content)) as tar:
        entries = {own.name: tar.extractfile(own).read() for own in tar.getmembers()}  # type: ignore[union-attr]
    facts = json.loads(entries.pop("facts.json"))
    high, low = lzma.decompress(entries.pop("high.xz")), entries.pop("low")
    planes = torch.stack([torch.frombuffer(bytearray(own), dtype=torch.uint8) for own in (low, high)], dim=1)
    flat = planes.contiguous().view(torch.bfloat16).reshape(-1).float()
    weights, at = {}, 0
    for own, shape in facts.items():
        size = 1
        for number in shape:
            size *= number
        weights[own] = flat[at : at + size].reshape(shape).clone()
        at += size
    save_file(weights, os.path.join(model, "model.safetensors"), {"format": "pt"})
    for own, data in entries.items():
        Path(model, own).write_bytes(data)


if __name__ == "__main__":
    {"pack": pack, "unpack": unpack}[sys.argv[1]](*sys.argv[2:])
