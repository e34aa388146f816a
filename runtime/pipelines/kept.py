"""A few results of stages that stay on the device from one request to the next."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field

from lumc.runtime.stage_host import StageHost
from lumc.runtime.stage_tensor import StageTensor


@dataclass(slots=True)
class KeptTensors:
    """At most ``most`` tensors of ``host``, by what they were made from; the oldest use goes first.

    What a request uses together must not be more than ``most``.
    """

    host: StageHost
    most: int
    _tensors: OrderedDict[Hashable, StageTensor] = field(default_factory=OrderedDict)

    def __contains__(self, key: Hashable) -> bool:
        """Whether the tensor of ``key`` is there."""
        return key in self._tensors

    def get(self, key: Hashable, make: Callable[[], StageTensor]) -> StageTensor:
        """The tensor of ``key``, made by ``make`` unless it is there."""
        if key not in self._tensors:
            while len(self._tensors) >= self.most:
                _, oldest = self._tensors.popitem(last=False)
                self.host.release(oldest)
            self._tensors[key] = make()
        self._tensors.move_to_end(key)
        return self._tensors[key]

    def clear(self) -> None:
        """Give all of them back."""
        while self._tensors:
            self.host.release(self._tensors.popitem()[1])
