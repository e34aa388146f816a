"""What a launch gives a kernel, and what it leaves behind."""

import struct
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from lumc.diagnostics import LumcError
from lumc.runtime.emulator import (
    DecodeError,
    DeviceMemory,
    EmulationFault,
    Emulator,
    LaunchError,
    UninitialisedReadError,
)
from lumc.runtime.emulator.code_object import CodeObjectError
from tests.runtime.emulator.core_material import (
    TARGETS,
    compiled,
    emulator_of,
    poisoned,
    ramp,
)


@pytest.fixture(scope="module", params=TARGETS)
def emulator(request: pytest.FixtureRequest) -> Emulator:
    return emulator_of("launches", request.param)


def test_ids_and_sizes_in_three_dimensions(emulator: Emulator) -> None:
    grid, block = (3, 2, 4), (5, 7, 3)
    items = int(np.prod(block))
    y = poisoned((4, 2, 3, 3, 7, 5, 8), np.int32)
    emulator.launch("identify", grid, block, (y, items, 3, 2))
    expected = np.indices(y.shape[:-1]).astype(np.int32)
    for axis in range(3):
        np.testing.assert_array_equal(y[..., axis], expected[5 - axis])
        np.testing.assert_array_equal(y[..., 3 + axis], expected[2 - axis])
    assert (y[..., 6] == 50703).all()
    assert (y[..., 7] == 15 * 10000 + 14 * 100 + 12).all()


def test_arguments_of_every_kind(emulator: Emulator) -> None:
    y = poisoned(12, np.float64)
    box = struct.pack("<fhbbd", 2.5, -300, 7, -8, 1e100)
    values = (True, -5, -3000, np.int32(-123456), -(2**40), 0.1, 0.1, box, None)
    emulator.launch("take_arguments", (1, 1, 1), (1, 1, 1), (y, *values))
    expected = [1, -5, -3000, -123456, -(2.0**40), np.float32(0.1), 0.1, 2.5, -300, -8, 1e100, 1]
    np.testing.assert_array_equal(y, expected)


@pytest.mark.parametrize("items", [1, 63, 64, 65, 200, 1024])
def test_workgroups_of_any_size_share_dynamic_lds(emulator: Emulator, items: int) -> None:
    x, y = ramp(items * 3), poisoned(items * 3)
    emulator.launch("reverse_in_lds", (3, 1, 1), (items, 1, 1), (x, y), dynamic_lds=4 * items)
    np.testing.assert_array_equal(y.reshape(3, -1), x.reshape(3, -1)[:, ::-1])


def test_functions_call_each_other_through_a_stack(emulator: Emulator) -> None:
    m, n = np.arange(64, dtype=np.int32) % 3, np.arange(64, dtype=np.int32) % 5
    y = poisoned(64, np.int32)
    emulator.launch("call_recursively", (1, 1, 1), (64, 1, 1), (m, n, y))
    closed_forms = np.stack([n + 1, n + 2, 2 * n + 3])
    np.testing.assert_array_equal(y, closed_forms[m, np.arange(64)])


def test_constants_and_variables_of_the_code_object(emulator: Emulator) -> None:
    x, y = ramp(64, np.int32), poisoned(64, np.int32)
    emulator.launch("use_globals", (1, 1, 1), (64, 1, 1), (x, y))
    np.testing.assert_array_equal(y, np.array([3, 1, 4, 1, 5, 9, 2, 6])[x & 7])


def directed(values: Any, exact: Any, direction: str, dtype: Any) -> Any:
    """`values` (rounded to nearest) moved so that they bound `exact` from one side."""
    down, up = dtype(-np.inf), dtype(np.inf)
    if direction == "up":
        return np.where(values < exact, np.nextafter(values, up), values)
    if direction == "down":
        return np.where(values > exact, np.nextafter(values, down), values)
    grew = np.abs(values) > np.abs(exact)
    return np.where(grew, np.nextafter(values, dtype(0)), values)


@pytest.mark.parametrize(
    ("kernel", "single", "double"),
    [
        ("mode_nearest", None, None),
        ("mode_up_down", "up", "down"),
        ("mode_down_zero", "down", "zero"),
        ("mode_zero_up", "zero", "up"),
    ],
)
def test_rounding_modes(
    emulator: Emulator, kernel: str, single: str | None, double: str | None
) -> None:
    rng = np.random.default_rng(3)
    a, b = rng.standard_normal((2, 64)).astype(np.float32)
    c = rng.standard_normal(64)
    y, z = poisoned(64), poisoned(64, np.float64)
    emulator.launch(kernel, (1, 1, 1), (64, 1, 1), (a, b, y, c, z))
    exact_sum = a.astype(np.float64) + b
    expected = a + b
    if single:
        expected = directed(expected, exact_sum, single, np.float32).astype(np.float32)
    np.testing.assert_array_equal(y, expected)
    exact_square = c.astype(np.longdouble) ** 2
    squares = c * c
    if double:
        squares = directed(squares, exact_square, double, np.float64).astype(np.float64)
    np.testing.assert_array_equal(z, squares)


def test_subnormals_are_flushed_where_mode_says_so(emulator: Emulator) -> None:
    tiny = np.full(64, 2.0**-130, np.float32)
    c, y, z = np.full(64, 2.0**-520), poisoned(64), poisoned(64, np.float64)
    emulator.launch("mode_flush", (1, 1, 1), (64, 1, 1), (tiny, tiny, y, c, z))
    assert (y == 0).all()
    assert (z == 2.0**-1040).all()
    emulator.launch("mode_nearest", (1, 1, 1), (64, 1, 1), (tiny, tiny, y, c, z))
    assert (y == 2.0**-129).all()


def test_a_product_through_lds_and_the_matrix_unit(emulator: Emulator) -> None:
    rng = np.random.default_rng(4)
    a, b = rng.standard_normal((2, 32, 80)).astype(np.float32).astype(ml_dtypes.bfloat16)
    c = poisoned((2, 32, 32))
    emulator.launch("multiply", (1, 1, 1), (128, 1, 1), (a.view("u2"), b.view("u2"), c, 80))
    expected = a.astype(np.float64) @ b.astype(np.float64).T
    np.testing.assert_allclose(c, np.stack([expected] * 2), rtol=1e-4, atol=1e-4)


def test_integer_dot_products_wrap_or_saturate(emulator: Emulator) -> None:
    rng = np.random.default_rng(6)
    a, b = rng.integers(-(2**31), 2**31, (2, 64), dtype=np.int32)
    c = rng.integers(-(2**31), 2**31, 64, dtype=np.int32)
    c[:8] = [2**31 - 1, -(2**31), -1, 0] * 2
    a[:8], b[:8] = 0x7F7F7F7F, np.repeat(np.array([0x7F7F7F7F, -0x7F7F7F80], np.int32), 4)
    y = poisoned((64, 4), np.int32)
    emulator.launch("dot_products", (1, 1, 1), (64, 1, 1), (a, b, c, y))
    left, right = (x.view(np.int8).reshape(64, 4).astype(np.int64) for x in (a, b))
    exact = (left * right).sum(axis=1) + c
    assert ((exact > 2**31 - 1) | (exact < -(2**31))).any()
    np.testing.assert_array_equal(y[:, 0], exact.astype(np.int32))
    np.testing.assert_array_equal(y[:, 1], np.clip(exact, -(2**31), 2**31 - 1))
    left, right = (x.view(np.uint8).reshape(64, 4).astype(np.int64) for x in (a, b))
    exact = (left * right).sum(axis=1) + c.view(np.uint32)
    assert (exact > 2**32 - 1).any()
    np.testing.assert_array_equal(y[:, 2].view(np.uint32), exact.astype(np.uint32))
    np.testing.assert_array_equal(y[:, 3].view(np.uint32), np.minimum(exact, 2**32 - 1))


def test_some_workgroups_of_a_grid(emulator: Emulator) -> None:
    x, y = ramp(1000), poisoned(1000)
    result = emulator.launch(
        "scale", (4, 1, 1), (256, 1, 1), (x, y, 2.0, 1000), workgroups=[(3, 0, 0), (1, 0, 0)]
    )
    ran = np.isin(np.arange(1000) // 256, (1, 3))
    np.testing.assert_array_equal(y, np.where(ran, x * 2, 77))
    assert result.counters.workgroups == 2


def test_results_do_not_depend_on_threads(emulator: Emulator) -> None:
    x = np.random.default_rng(5).standard_normal(256 * 37).astype(np.float32)
    results = []
    y = poisoned(x.shape)
    for threads in (1, 2, 3):
        y[...] = 77
        done = emulator.launch(
            "scale", (37, 1, 1), (256, 1, 1), (x, y, 3.0, x.size), threads=threads
        )
        results.append((y.tobytes(), done.counters.instructions, done.counters.cache_lines))
    assert len(set(results)) == 1


# ---- device memory


def test_device_memory_remembers_over_launches(emulator: Emulator) -> None:
    memory = DeviceMemory(4096)
    x, y, z = (memory.buffer(offset, 400) for offset in (0, 512, 1024))
    memory.write(0, ramp(100))
    emulator.launch("scale", (1, 1, 1), (256, 1, 1), (x, y, 2.0, 100))
    emulator.launch("scale", (1, 1, 1), (256, 1, 1), (y, z, 2.0, 100))
    np.testing.assert_array_equal(memory.read(1024, (100,), np.float32), ramp(100) * 4)
    memory.forget(512, 400)
    with pytest.raises(EmulationFault):
        emulator.launch("scale", (1, 1, 1), (256, 1, 1), (y, z, 2.0, 100))
    with pytest.raises(UninitialisedReadError, match="nothing wrote 100 of the 100 bytes"):
        memory.read(600, (25,), np.float32)


def test_parts_of_device_memory_have_their_own_bounds(emulator: Emulator) -> None:
    memory = DeviceMemory(4096)
    memory.write(0, ramp(200))
    source, target = memory.buffer(0, 400), memory.buffer(400, 396, name="the next part")
    with pytest.raises(EmulationFault, match="of the next part, which has 396"):
        emulator.launch("scale", (1, 1, 1), (256, 1, 1), (source, target, 2.0, 100))
    sealed = memory.buffer(800, 400).readonly()
    with pytest.raises(EmulationFault, match="may only be read"):
        emulator.launch("scale", (1, 1, 1), (256, 1, 1), (source, sealed, 2.0, 10))


@pytest.mark.parametrize("offset", [0, 1, 2, 3])
@pytest.mark.parametrize("size", [1, 2, 3, 4, 7, 9])
def test_the_record_of_written_bytes_is_exact(offset: int, size: int) -> None:
    memory = DeviceMemory(32)
    memory.write(8 + offset, ramp(size, np.uint8))
    expected = np.zeros(32, bool)
    expected[8 + offset : 8 + offset + size] = True
    np.testing.assert_array_equal(memory.written_bytes(0, 32), expected)
    np.testing.assert_array_equal(memory.written_bytes(7, 11), expected[7:18])
    memory.forget(9 + offset, 1)
    expected[9 + offset] = False
    np.testing.assert_array_equal(memory.written_bytes(0, 32), expected)


# ---- mistakes


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("scael", (1, 1, 1), (64, 1, 1), ()), "has no kernel scael"),
        (("scale", (1, 1, 1), (64, 1, 1), ()), "takes 4 arguments, not 0"),
        (("scale", (1, 1, 0), (64, 1, 1), ()), "the grid must be three positive sizes"),
        (("scale", (1, 1, 1), (2048, 1, 1), ()), "larger than the 1024"),
        (("scale", (1, 1, 1), (64, 1, 1), (None, None, 1.0, 2**40)), "too few for"),
        (("scale", (1, 1, 1), (64, 1, 1), (None, None, "two", 1)), "is a str"),
        (("scale", (1, 1, 1), (64, 1, 1), (ramp(8)[::2], None, 1.0, 1)), "not contiguous"),
        (("scale", (1, 1, 1), (64, 1, 1), (np.float32(1), None, 1.0, 1)), "has 8 bytes, but 4"),
    ],
)
def test_launches_that_do_not_fit(
    emulator: Emulator, arguments: tuple[Any, ...], message: str
) -> None:
    with pytest.raises(LaunchError, match=message):
        emulator.launch(*arguments)


def test_lds_beyond_the_chip(emulator: Emulator) -> None:
    limit = 160 if emulator.target == "gfx950" else 64
    x, y = ramp(64), poisoned(64)
    arguments = ("reverse_in_lds", (1, 1, 1), (64, 1, 1), (x, y))
    emulator.launch(*arguments, dynamic_lds=limit << 10)
    with pytest.raises(LaunchError, match="bytes of LDS are more than"):
        emulator.launch(*arguments, dynamic_lds=(limit << 10) + 4)


def test_a_workgroup_outside_the_grid(emulator: Emulator) -> None:
    with pytest.raises(LaunchError, match="not in the grid"):
        emulator.launch(
            "scale", (4, 1, 1), (64, 1, 1), (ramp(4), ramp(4), 1.0, 4), workgroups=[(4, 0, 0)]
        )


def test_a_misspelt_kernel_gets_a_hint(emulator: Emulator) -> None:
    with pytest.raises(LumcError) as caught:
        emulator.launch("scael", (1, 1, 1), (64, 1, 1), ())
    assert "did you mean scale?" in caught.value.render()


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "no ELF file"),
        (b"\x7fELF" + bytes(100), "not for an AMD GPU"),
        (b"not an object at all" * 10, "no ELF file"),
    ],
)
def test_bytes_that_are_no_code_object(data: bytes, message: str) -> None:
    with pytest.raises(CodeObjectError, match=message):
        Emulator(data, "")


@pytest.mark.parametrize("share", [0.1, 0.3, 0.5, 0.7, 0.9, 0.99])
def test_a_code_object_cut_short(share: float) -> None:
    made = compiled("launches", "gfx942")
    with pytest.raises(CodeObjectError, match="cut short or damaged"):
        Emulator(made.code[: max(64, int(len(made.code) * share))], made.assembly)


def test_text_of_another_code_object() -> None:
    code, other = compiled("launches", "gfx942"), compiled("faulty", "gfx942")
    with pytest.raises(DecodeError, match="does not belong to the code object"):
        Emulator(code.code, other.assembly)


def test_an_instruction_left_out_of_the_text() -> None:
    made = compiled("launches", "gfx942")
    lines = made.assembly.splitlines()
    place = next(k for k, line in enumerate(lines) if "v_mul_f32" in line)
    text = "\n".join(lines[:place] + lines[place + 1 :])
    with pytest.raises(DecodeError, match="function scale has other instructions in it"):
        Emulator(made.code, text)


def test_an_unknown_instruction_is_named() -> None:
    made = compiled("launches", "gfx942")
    text = made.assembly.replace("v_mul_f32_e32", "v_frobnicate_f32_e32", 1)
    with pytest.raises(DecodeError) as caught:
        Emulator(made.code, text)
    assert "cannot decode for gfx942: v_frobnicate_f32_e32 v" in caught.value.render()
