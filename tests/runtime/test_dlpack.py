"""Tensors that change hands without a copy."""

import gc
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from lumc.dsl.dtypes import DType
from lumc.runtime import dlpack
from lumc.runtime.devices.emulator import EmulatorDevice
from lumc.runtime.stage_tensor import DeviceTensor, HostTensor

RANDOM = np.random.default_rng(3)


class Exported:
    """What another library would offer of an array, also of types that NumPy doesn't export."""

    def __init__(self, array: Any, dtype: DType, device: tuple[int, int] = (1, 0)) -> None:
        self.array, self.dtype, self.device = array, dtype, device
        self.streams: list[int | None] = []

    def __dlpack__(self, stream: int | None = None) -> Any:
        self.streams.append(stream)
        place = self.array.ctypes.data
        return dlpack.export(place, self.array.shape, self.dtype, self.device, self.array)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.device


@pytest.mark.parametrize("shape", [(), (5,), (3, 1, 7), (0, 4)])
@pytest.mark.parametrize("dtype", [np.float32, np.float16, np.int32, np.int64, np.uint8, np.bool_])
def test_numpy_reads_the_same_memory(shape: tuple[int, ...], dtype: Any) -> None:
    array = RANDOM.integers(0, 2, shape).astype(dtype)
    tensor = HostTensor(array)
    seen = np.from_dlpack(tensor)
    assert (seen.shape, seen.dtype) == (shape, array.dtype)
    assert np.array_equal(seen, array)
    assert not array.size or np.shares_memory(seen, array)
    del seen
    gc.collect()
    assert not dlpack._exported


def test_arrays_are_taken_as_they_lie() -> None:
    array = RANDOM.standard_normal((4, 6)).astype(np.float32)
    taken = dlpack.take(array, "x")
    assert (taken.shape, taken.dtype, taken.on_host) == ((4, 6), DType.F32, True)
    assert np.shares_memory(taken.array(), array)


def test_bf16_and_the_life_of_what_is_taken() -> None:
    values = RANDOM.standard_normal(300).astype(ml_dtypes.bfloat16)
    seen = dlpack.take(Exported(values.copy(), DType.BF16), "x").array()
    gc.collect()
    assert seen.dtype == ml_dtypes.bfloat16
    assert np.array_equal(seen, values)
    assert len(dlpack._exported) == 1
    del seen
    gc.collect()
    assert not dlpack._exported


def test_a_capsule_that_nobody_takes_is_no_leak() -> None:
    HostTensor(np.ones(3, np.float32)).__dlpack__()
    gc.collect()
    assert not dlpack._exported


def test_device_memory_is_waited_for_on_our_stream() -> None:
    offered = Exported(np.zeros((2, 2), np.float32), DType.F32, (2, 1))
    taken = dlpack.take(offered, "x", stream=77)
    assert (taken.device, taken.on_host, taken.bytes) == ((2, 1), False, 16)
    assert offered.streams == [77]


def test_what_cannot_be_taken() -> None:
    array = RANDOM.standard_normal((4, 6)).astype(np.float32)
    with pytest.raises(dlpack.DLPackError, match="tensor x is not contiguous"):
        dlpack.take(array[:, ::2], "x")
    with pytest.raises(dlpack.DLPackError, match="1 × 64 bits of DLPack's kind 5"):
        dlpack.take(array.astype(np.complex64), "x")


def test_a_tensor_of_the_emulator_is_this_process_s_memory() -> None:
    device = EmulatorDevice("gfx942")
    address = device.allocate(512)
    tensor = DeviceTensor(device, address + 256, (3, 5), DType.F32)
    values = RANDOM.standard_normal((3, 5)).astype(np.float32)
    tensor.write(values)
    assert np.array_equal(np.from_dlpack(tensor), values)
    assert np.array_equal(tensor.rows(1, 2).read(), values[1:])
    other = DeviceTensor(device, address, (2, 5), DType.F32)
    other.copy_from(tensor.rows(1, 2))
    assert np.array_equal(other.read(), values[1:])
    device.close()


def test_only_the_memory_itself_is_handed_out() -> None:
    tensor = HostTensor(np.ones((2, 3), np.float32))
    with pytest.raises(BufferError, match="copy what is made of it"):
        tensor.__dlpack__(copy=True)
    with pytest.raises(BufferError, match=r"device \(1, 0\), not \(2, 0\)"):
        tensor.__dlpack__(dl_device=(2, 0))
    tensor.__dlpack__(dl_device=(1, 0), copy=False, max_version=(1, 0), stream=None)


def test_a_library_that_hands_nothing_out_is_named_with_its_reason() -> None:
    class NeedsGradient:
        def __dlpack__(self) -> Any:
            raise BufferError("use tensor.detach()")

        def __dlpack_device__(self) -> tuple[int, int]:
            return (1, 0)

    with pytest.raises(dlpack.DLPackError, match=r"tensor W .*: use tensor\.detach\(\)"):
        dlpack.take(NeedsGradient(), "W")


def test_empty_tensors_are_contiguous_whatever_their_strides() -> None:
    assert dlpack._is_contiguous((3, 0), (1, 1))
    assert not dlpack._is_contiguous((3, 2), (1, 1))
