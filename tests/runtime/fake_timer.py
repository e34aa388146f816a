"""A stand-in for a device that measures what is put on its stream."""

from collections.abc import Callable


class FakeTimer:
    """Runs what it is given. Of each way there are two recordings: of one run, and of some."""

    def __init__(self, *milliseconds: float) -> None:
        self.milliseconds = milliseconds
        self.open: list[int] = []
        self.captured = 0

    def capture(self, enqueue: Callable[[], None]) -> int:
        enqueue()
        self.open.append(self.captured)
        self.captured += 1
        return self.captured - 1

    def elapsed_milliseconds(self, recording: int) -> float:
        way, some = divmod(recording, 2)
        return self.milliseconds[way] * (4 if some else 1)

    def forget(self, recording: int) -> None:
        self.open.remove(recording)
