"""Training a network on prepared examples. Needs torch and no core, so that it runs on a bare machine with a GPU:

    PYTHONPATH=src python -m tertium.adaptation.nmt.training examples -o model --setting base --minutes 9

Stopped in any way, the same command goes on behind the last state that was written, and ends with the same weights.
"""

from __future__ import annotations

import json
import math
import os
import shutil
import time
from collections.abc import Callable
from typing import Any

from tertium.adaptation.nmt.batching import Epochs, PaddedBatch, held_out
from tertium.adaptation.nmt.network import build, load, loss, save, torch
from tertium.adaptation.nmt.settings import NetworkSetting
from tertium.adaptation.nmt.settings import setting as setting_of
from tertium.errors import InputError

_TOLD = 100  # steps between lines about the loss
_AVERAGED = 8  # steps between additions to the running average of weights
_KEPT = 0.985  # of the average at each addition, at last
_MEASURED = (200, 600)  # steps between which the time of a step is taken where minutes are given

Tell = Callable[[str], None]


class Trainer:
    """A training run: what it has learnt, how far it is, and its curves."""

    def __init__(
        self,
        folder: str,
        setting: NetworkSetting,
        output: str,
        *,
        tell: Tell = print,
        processes: int = 0,
        every: int = _TOLD,
        mixed: bool = False,
        start: str = "",
    ) -> None:
        """`start`: a model whose weights it begins with. `mixed`: bf16 where it is precise enough, which a GPU always
        has, on a CPU, too: processors with instructions for it (avx512_bf16) take little more than half of the time,
        others longer."""
        self.package = torch()
        self.every = every
        self.folder, self.setting, self.output, self.tell = folder, setting, output, tell
        self.device = "cuda" if self.package.cuda.is_available() else "cpu"
        self.mixed = mixed or self.device == "cuda"
        self.epochs = Epochs(folder, setting, processes)
        self.vocabulary = self.epochs.vocabulary
        self.start = start
        self.network = build(setting, self.vocabulary)
        if start:
            self._begin_with(start)
        self.network.to(self.device)
        self.weights = [own for own in self.network.parameters() if own.requires_grad]
        self.average = [own.detach().clone() for own in self.weights]
        self.optimizer = self.package.optim.AdamW(
            self._groups(), lr=setting.rate, betas=(0.9, 0.98), eps=1e-9, fused=self.device == "cuda"
        )
        self.steps = setting.steps
        self.step = self.epoch = self.place = 0  # place: batches of this epoch that are done
        self.seconds = 0.0  # of earlier runs
        self.curves: list[dict[str, float]] = []
        self.skipped = self._zero()  # updates whose gradients were not finite

    def run(
        self, *, minutes: float = 0.0, deadline: float = 0.0, evaluate: int = 1000, keep: float = 120.0
    ) -> None:
        """Trains to the end. With `minutes`, the number of steps is what the machine can do in that time; at the
        `deadline` (minutes, too) it ends with what it has."""
        self._resume()
        held = {
            "dev": held_out(self.folder, "dev", self.vocabulary, self.setting, match=False),
            "dev with matches": held_out(self.folder, "dev", self.vocabulary, self.setting, match=True),
        }
        deadline = deadline or minutes * 1.04
        begun = last = time.monotonic()
        lost, pieces, told_at = self._zero(), self._zero(), begun
        measured = 0.0
        self.network.train()
        while self.step < self.steps:
            batches = self.epochs.batches(self.epoch)
            for batch in batches[self.place :]:
                self._rate()
                source, target = self._moved(batch)
                sum_, number = self._loss(source, target)
                (sum_ / number).backward()
                self._update()
                self.optimizer.zero_grad(set_to_none=True)
                lost += sum_.detach().nan_to_num(0.0)
                pieces += number
                self.step += 1
                self.place += 1
                if self.step % _AVERAGED == 0:
                    self._average()
                if minutes and self.step == _MEASURED[0]:
                    self._wait()
                    measured = time.monotonic()
                if minutes and self.step == _MEASURED[1] and measured:
                    self._wait()
                    self._choose_steps(time.monotonic() - measured, minutes * 60 - (time.monotonic() - begun))
                if self.step % self.every == 0:
                    now = time.monotonic()
                    point = {"step": self.step, "epoch": self.epoch + self.place / len(batches)}
                    point["loss"] = float(lost) / max(float(pieces), 1)
                    point["pieces a second"] = round(float(pieces) / (now - told_at))
                    point["seconds"] = round(self.seconds + now - begun, 1)
                    point["skipped"] = int(self.skipped)
                    lost, pieces, told_at = self._zero(), self._zero(), now
                    if self.step % evaluate == 0 or self.step == self.steps:
                        point |= {name: self._held(own) for name, own in held.items() if own}
                    self.curves.append(point)
                    self.tell(" ".join(f"{name} {value:.6g}" for name, value in point.items()))
                if keep and time.monotonic() - last > keep:
                    last = time.monotonic()
                    self._keep(self.seconds + last - begun)
                if self.step >= self.steps:
                    break
                if deadline and time.monotonic() - begun > deadline * 60:
                    self.tell(f"stopped at step {self.step}: the time is over")
                    self.steps = self.step
                    break
            else:
                self.epoch, self.place = self.epoch + 1, 0
        self.epochs.close()
        self.seconds += time.monotonic() - begun
        self._end({name: self._held(own, average=True) for name, own in held.items() if own})

    def _begin_with(self, model: str) -> None:
        """The weights of a model of the same sizes and the same vocabulary."""
        network, vocabulary = load(model)
        if vocabulary.tokens != self.vocabulary.tokens:
            raise InputError(f"{model}: the model has another vocabulary than the examples")
        try:
            self.network.load_state_dict(network.state_dict())
        except RuntimeError:
            raise InputError(f"{model}: the model has other sizes than the setting") from None

    def _loss(self, source: Any, target: Any) -> tuple[Any, Any]:
        with self.package.autocast(self.device, dtype=self.package.bfloat16, enabled=self.mixed):
            return loss(
                self.network, source, target, pad=self.vocabulary.pad, smoothing=self.setting.smoothing
            )

    def _groups(self) -> list[dict[str, Any]]:
        """Weights that decay, and biases and norms, which do not."""
        own = [weight for weight in self.network.parameters() if weight.requires_grad]
        return [
            {"params": [weight for weight in own if weight.dim() > 1], "weight_decay": self.setting.decay},
            {"params": [weight for weight in own if weight.dim() == 1], "weight_decay": 0.0},
        ]

    def _update(self) -> None:
        """One step along the gradients; where one of them is not finite, none is made. The GPU is not waited for."""
        norm = self.package.nn.utils.clip_grad_norm_(self.weights, 1.0)
        finite = self.package.isfinite(norm)
        self.skipped += ~finite
        for own in self.weights:
            own.grad.masked_fill_(~finite, 0.0)
        self.optimizer.step()

    def _rate(self) -> None:
        """Up in a line, then down along a cosine."""
        warm = max(1.0, self.setting.warmup * self.steps)
        done = (self.step - warm) / max(1.0, self.steps - warm)
        share = (self.step + 1) / warm if self.step < warm else 0.5 * (1 + math.cos(math.pi * min(done, 1.0)))
        for group in self.optimizer.param_groups:
            group["lr"] = self.setting.rate * max(share, 0.01)

    def _average(self) -> None:
        number = self.step // _AVERAGED  # at first, the average is of few
        share = max(1 - _KEPT, 5 / (5 + number))
        with self.package.no_grad():
            self.package._foreach_lerp_(self.average, [own.detach() for own in self.weights], share)

    def _choose_steps(self, seconds: float, left: float) -> None:
        each = seconds / (_MEASURED[1] - _MEASURED[0])
        self.steps = max(self.step, round((self.step + left / each * 0.96) / self.every) * self.every)
        self.tell(f"{each * 1000:.1f} ms a step: {self.steps} steps in all")

    def _moved(self, batch: PaddedBatch) -> tuple[Any, Any]:
        source, target = (self.package.from_numpy(own) for own in (batch.source, batch.target))
        if self.device == "cuda":
            source, target = (own.pin_memory().to(self.device, non_blocking=True) for own in (source, target))
        return source.long(), target.long()

    def _held(self, batches: list[PaddedBatch], *, average: bool = False) -> float:
        """The mean cross-entropy of a piece that was not learnt from."""
        package = self.package
        kept = [own.detach().clone() for own in self.weights]
        if average:
            self._put(self.average)
        self.network.eval()
        lost, pieces = self._zero(), self._zero()
        with (
            package.no_grad(),
            package.autocast(self.device, dtype=package.bfloat16, enabled=self.mixed),
        ):
            for batch in batches:
                sum_, number = loss(self.network, *self._moved(batch), pad=self.vocabulary.pad)
                lost += sum_
                pieces += number
        self.network.train()
        if average:
            self._put(kept)
        return round(float(lost) / max(float(pieces), 1), 5)

    def _put(self, values: list[Any]) -> None:
        with self.package.no_grad():
            self.package._foreach_copy_(self.weights, values)

    def _zero(self) -> Any:
        return self.package.zeros((), device=self.device, dtype=self.package.float64)

    def _wait(self) -> None:
        if self.device == "cuda":
            self.package.cuda.synchronize()

    @property
    def _state(self) -> str:
        return self.output + ".state"

    def _facts(self) -> dict[str, Any]:
        own = self.setting.data()
        own.pop("steps")
        return {
            "setting": own,
            "start": self.start,
            "examples": len(self.epochs.examples),
            "vocabulary": self.vocabulary.size,
        }

    def _keep(self, seconds: float) -> None:
        """Writes how far it is, whole or not at all."""
        package = self.package
        state = {
            "facts": self._facts(),
            "weights": self.weights,
            "average": self.average,
            "optimizer": self.optimizer.state_dict(),
            "random": package.get_rng_state(),
            "random on GPU": package.cuda.get_rng_state() if self.device == "cuda" else None,
            "progress": (self.steps, self.step, self.epoch, self.place, seconds),
            "curves": self.curves,
        }
        try:
            package.save(state, self._state + ".part")
            os.replace(self._state + ".part", self._state)
        except (OSError, RuntimeError) as error:
            if os.path.exists(self._state + ".part"):
                os.remove(self._state + ".part")
            raise InputError(f"{self._state}: the state could not be written ({error})") from None

    def _resume(self) -> None:
        if not os.path.exists(self._state):
            return
        package = self.package
        try:
            state = package.load(self._state, map_location=self.device, weights_only=True)
        except Exception as error:  # whatever torch says of a damaged file
            raise InputError(
                f"{self._state}: not a state of training ({type(error).__name__}); remove it"
            ) from None
        if state["facts"] != self._facts():
            raise InputError(
                f"{self._state}: the state of another training (other data or settings); remove it"
            )
        self._put(state["weights"])
        self.average = state["average"]
        self.optimizer.load_state_dict(state["optimizer"])
        package.set_rng_state(state["random"].cpu())
        if self.device == "cuda":
            package.cuda.set_rng_state(state["random on GPU"].cpu())
        self.steps, self.step, self.epoch, self.place, self.seconds = state["progress"]
        self.curves = state["curves"]
        self.tell(f"goes on at step {self.step} of {self.steps}")

    def _end(self, held: dict[str, float]) -> None:
        """The averaged weights as a model, whole or not at all; the state is no longer needed."""
        self._put(self.average)
        facts = {
            **self._facts(),
            "steps": self.steps,
            "epochs": self.epoch,
            "updates skipped": int(self.skipped),
            "seconds": round(self.seconds, 1),
            "device": self._device_name(),
            "parameters": sum(own.numel() for own in self.weights),
            "held out": held,
            "curves": self.curves,
        }
        place = self.output + ".part"
        shutil.rmtree(place, ignore_errors=True)
        os.makedirs(place)
        save(self.network.cpu().eval(), self.vocabulary, place, facts)
        shutil.rmtree(self.output, ignore_errors=True)
        os.replace(place, self.output)
        if os.path.exists(self._state):
            os.remove(self._state)
        self.tell(
            json.dumps(
                {name: facts[name] for name in ("steps", "seconds", "device", "parameters", "held out")}
            )
        )

    def _device_name(self) -> str:
        if self.device == "cuda":
            return str(self.package.cuda.get_device_name())
        return f"CPU, {self.package.get_num_threads()} threads"


def main(arguments: list[str] | None = None) -> None:
    """The plain script."""
    import argparse

    parser = argparse.ArgumentParser(description="Train a translator on prepared examples.")
    parser.add_argument("examples")
    parser.add_argument("-o", "--output", required=True)
    parser.add_argument("--setting", default="base")
    parser.add_argument("--minutes", type=float, default=0.0)
    parser.add_argument("--evaluate", type=int, default=1000)
    parser.add_argument("--processes", type=int, default=0)
    parser.add_argument("--deadline", type=float, default=0.0)
    parser.add_argument("--mixed", action="store_true")
    parser.add_argument("--start", default="")
    parser.add_argument("--set", nargs="*", default=[], metavar="NAME=NUMBER")
    given = parser.parse_args(arguments)
    changes = {name: json.loads(value) for name, _, value in (own.partition("=") for own in given.set)}
    trainer = Trainer(
        given.examples, setting_of(given.setting, **changes), given.output, processes=given.processes,
        mixed=given.mixed, start=given.start, tell=lambda line: print(line, flush=True),
    )  # fmt: skip
    trainer.run(minutes=given.minutes, deadline=given.deadline, evaluate=given.evaluate)


if __name__ == "__main__":
    main()
