"""How long a kernel takes on a chip: a roofline with the edges that decide between alternatives.

A kernel's time is its launch and the longest of what its parts take: bytes from memory, requests
to the units' own caches, vector instructions, and for products the matrix cores tile by tile. Only
ratios between alternatives matter here; the figures of ``lowering/chips.py`` are what a good
program reaches.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import assert_never

from lumc.dsl.dtypes import DType
from lumc.lowering.attention_cost import streamed_launch
from lumc.lowering.chips import Chip, LibraryRates
from lumc.lowering.instruction_cost import Work, work
from lumc.lowering.kernel_program import (
    Attention,
    AttentionSchedule,
    AttentionTile,
    Gemm,
    GemmTile,
    Kernel,
    LibraryAttention,
    LibraryConvolution,
    LibraryProduct,
    MadeOperand,
    Pointwise,
    RowReduction,
)
from lumc.lowering.kernel_types import size
from lumc.lowering.library_attention import library_attention
from lumc.lowering.library_convolution import library_convolution
from lumc.lowering.library_kernels import library_product
from lumc.lowering.share_cost import Run, meeting_bytes, runs, ways_to_share
from lumc.lowering.tiled_launch import TiledLaunch
from lumc.lowering.tiles import product_tiles, tile_wave, tiles_for_attention
from lumc.lowering.wave_cost import ProductFigures, product_seconds


@dataclass(frozen=True, slots=True)
class Cost:
    """Seconds by what limits them, as if each were alone."""

    launch: float
    memory: float
    near: float
    """Requests to the units' own caches."""
    vector: float
    tiles: float
    """Products and attention: all that the workgroups do for their tiles, round after round."""

    @property
    def seconds(self) -> float:
        """The whole: the launch and the longest part."""
        return self.launch + max(self.memory, self.near, self.vector, self.tiles)

    @property
    def bound(self) -> str:
        """The name of what takes longest."""
        parts = {
            "memory": self.memory,
            "near": self.near,
            "vector": self.vector,
            "tiles": self.tiles,
            "launch": self.launch,
        }
        return max(parts, key=lambda name: parts[name])


def predict_seconds(kernel: Kernel, chip: Chip) -> float:
    """Seconds that one launch of ``kernel`` takes on ``chip``, in a recorded graph.

    A product or attention that has no tile yet is taken with the tile that suits it best.
    """
    return predict(kernel, chip).seconds


def predict(kernel: Kernel, chip: Chip) -> Cost:
    """What limits one launch of ``kernel`` on ``chip``."""
    match kernel:
        case Pointwise():
            return _predict_pointwise(kernel, chip)
        case RowReduction():
            return _predict_row_reduction(kernel, chip)
        case Gemm(library=call) if call is not None and chip.library is not None:
            if isinstance(call, LibraryProduct):
                return predict_library_product(kernel, call, chip, chip.library)
            return predict_library_convolution(kernel, call, chip, chip.library)
        case Gemm():
            if kernel.tile is None:
                return best_product(kernel, chip)[1]
            return _predict_product(_product(kernel), chip, kernel.tile)
        case Attention(library=call) if call is not None and chip.library is not None:
            return predict_library_attention(kernel, call, chip, chip.library)
        case Attention():
            if kernel.tile is None:
                return best_attention(kernel, chip)[1]
            return predict_attention(kernel, chip, kernel.tile)
        case _:
            assert_never(kernel)


def best_product(
    kernel: Gemm, chip: Chip
) -> tuple[GemmTile | LibraryProduct | LibraryConvolution, Cost]:
    """The fastest way to make ``kernel`` that is there: a tile, or the library's call."""
    generated, call = best_gemm_tile(kernel, chip), product_call(kernel, chip)
    if call is None:
        return generated
    called = predict(replace(kernel, tile=None, library=call), chip)
    return (call, called) if called.seconds < generated[1].seconds else generated


def best_attention(kernel: Attention, chip: Chip) -> tuple[AttentionTile | LibraryAttention, Cost]:
    """The fastest way to make ``kernel`` that is there: a tile, or the library's call."""
    generated, call = best_attention_tile(kernel, chip), attention_call(kernel, chip)
    if call is None:
        return generated
    called = predict(replace(kernel, tile=None, library=call), chip)
    return (call, called) if called.seconds < generated[1].seconds else generated


def product_call(kernel: Gemm, chip: Chip) -> LibraryProduct | LibraryConvolution | None:
    """The call by which the library of ``chip`` makes ``kernel``, if it has one."""
    if chip.library is None:
        return None
    product = library_product(kernel)
    if product is not None:
        has_gate = product.gate is None or chip.library.gates
        return product if has_gate and product.activation in chip.library.activations else None
    return library_convolution(kernel) if chip.library.convolution else None


def attention_call(kernel: Attention, chip: Chip) -> LibraryAttention | None:
    """The call by which the library of ``chip`` makes ``kernel``, if it has one."""
    possible = chip.library is not None and chip.library.attention is not None
    return library_attention(kernel) if possible else None


# ------------------------------------------------------------------------------- what all share


def _moved_bytes(works: Iterable[Work], kernel: Kernel) -> float:
    """Bytes of all distinct loads and stores, with what is fetched beside them."""
    touched: dict[int, float] = {}
    for found in works:
        for parameter, seen in found.patterns:
            most = math.prod(kernel.parameters[parameter].shape)
            wanted = touched.get(parameter, 0.0) + seen.distinct * seen.waste
            # What is read again, or in other pieces, was fetched before.
            touched[parameter] = min(wanted, most * seen.waste)
    return sum(count * kernel.parameters[n].dtype.bytes for n, count in touched.items())


def _memory_seconds(moved: float, chip: Chip, threads: float) -> float:
    """Seconds for ``moved`` bytes.

    Too few threads leave memory waiting: each has one piece of 16 bytes on its way.
    """
    on_the_way = 16 * min(threads, chip.units * chip.threads)
    return moved / min(chip.bandwidth, on_the_way / chip.latency)


def _busy(threads: float, chip: Chip) -> float:
    """The part of the chip that this many threads keep busy: four waves fill a unit."""
    return min(1.0, threads / (4 * chip.wave * chip.units))


# ------------------------------------------------------------------------ pointwise and row kernels


def _predict_pointwise(kernel: Pointwise, chip: Chip) -> Cost:
    points = size(kernel.body.axes)
    found = work(kernel.body, kernel.stores, kernel.parameters)
    threads = points / found.lane_points
    busy = _busy(threads, chip)
    return Cost(
        launch=chip.launch + chip.latency,
        memory=_memory_seconds(_moved_bytes([found], kernel), chip, threads),
        near=points * found.near / (chip.units * chip.near_rate * chip.clock * busy),
        vector=points * found.operations / (chip.units * chip.lanes * chip.clock * busy),
        tiles=0.0,
    )


# A row is shared by at most this many threads, and a thread takes this many of its elements.
_ROW_THREADS = 1024
_ROW_ELEMENTS = 16
# Of rows that lie among each other, so many threads share what a vector covers of each column, and
# each has a few vectors on their way.
_TILE_THREADS = 1024
_TILE_PIECES = 4
_VECTOR_BYTES = 16


def _predict_row_reduction(kernel: RowReduction, chip: Chip) -> Cost:
    rows = size(kernel.rows)
    works = []
    near = operations = 0.0
    longest = 1
    for phase in kernel.phases:
        found = work(phase.body, phase.stores, kernel.parameters)
        works.append(found)
        points = size(phase.body.axes)
        longest = max(longest, points // rows)
        near += points * found.near
        operations += points * (found.operations + len(phase.reductions))
    threads = rows * min(_ROW_THREADS, max(1.0, longest / _ROW_ELEMENTS))
    tiled = min(_tile_threads(kernel, found) for found in works)
    busy = _busy(min(threads, tiled), chip)
    # Each phase waits for the one before it, with a reduction across threads between them.
    waits = len(kernel.phases) * chip.latency
    return Cost(
        launch=chip.launch + waits,
        memory=_memory_seconds(
            _moved_bytes(works, kernel), chip, min(threads, _TILE_PIECES * tiled)
        ),
        near=near / (chip.units * chip.near_rate * chip.clock * busy),
        vector=operations / (chip.units * chip.lanes * chip.clock * busy),
        tiles=0.0,
    )


def _tile_threads(kernel: RowReduction, found: Work) -> float:
    """Most threads for a pass, where a workgroup takes rows that lie among each other together.

    It covers 16 bytes of memory at least, and then goes on to the next column.
    """
    if not found.patterns:
        return math.inf
    rank = len(kernel.rows)
    reads = [(kernel.parameters[n], seen) for n, seen in found.patterns]
    parameter, most = max(reads, key=lambda read: read[1].distinct)
    own = most.strides[rank:]
    among = [n for n in range(rank) if 0 < most.strides[n] < max(own, default=0)]
    if not among:
        return math.inf
    rows = math.prod(kernel.rows[n].size for n in among)
    # Elements of a row that lie together before the next row's.
    run = min(most.strides[n] for n in among)
    tiles = max(1, rows * run * parameter.dtype.bytes // _VECTOR_BYTES)
    return size(kernel.rows) / rows * tiles * _TILE_THREADS


# ---------------------------------------------------------------------------------------- products

# Clocks of a workgroup that are not in its steps: beginning, and draining into the epilogue; of a
# step: barriers and addresses.
_TILE_CLOCKS = 3000
_STEP_CLOCKS = 100
# What sharing tiles must gain, as the model is no more exact than this.
_WORTH_SHARING = 0.99
# Waves that a unit holds when each has about 128 registers a lane, and clocks from a request to
# the data with the caches doing their part.
_WAVES = 16
_WAIT_CLOCKS = 800


def _product(kernel: Gemm) -> ProductFigures:
    left = work(kernel.left, (), kernel.parameters)
    right = tuple(work(body, (), kernel.parameters) for body in kernel.right)
    epilogue = work(kernel.epilogue, kernel.stores, kernel.parameters)
    return ProductFigures(
        kernel.operand_dtype,
        size(kernel.batch),
        size(kernel.rows),
        size(kernel.columns),
        size(kernel.inner),
        left,
        right,
        epilogue,
        _moved_bytes((left, *right, epilogue), kernel),
    )


def best_gemm_tile(kernel: Gemm, chip: Chip) -> tuple[GemmTile, Cost]:
    """The tile that ``kernel`` takes least time with on ``chip``.

    Of those that memory makes equal, the one whose workgroups have least to do. Workgroups share
    tiles only where that gains something.
    """
    product = _product(kernel)
    costs = [(tile, _predict_product(product, chip, tile)) for tile in product_tiles(kernel, chip)]
    best = min(costs, key=lambda pair: (pair[1].seconds, pair[1].tiles))
    found, most = best, _WORTH_SHARING * best[1].seconds
    least = [(_least_shared(product, chip, *pair), n) for n, pair in enumerate(costs)]
    for seconds, number in sorted(least):
        if seconds >= most:
            break
        for tile in _shared(product, costs[number][0], chip):
            cost = _predict_product(product, chip, tile)
            if cost.seconds < most:
                found, most = (tile, cost), cost.seconds
    return found


def _least_shared(product: ProductFigures, chip: Chip, tile: GemmTile, whole: Cost) -> float:
    """Seconds that sharing ``tile``, which takes ``whole``, can't come below: no units idle."""
    rounds = product.tiles(tile) / chip.units
    return whole.launch + max(whole.memory, whole.tiles * rounds / math.ceil(rounds))


def product_cuts(kernel: Gemm, chip: Chip) -> Iterator[GemmTile]:
    """The ways to cut ``kernel``: each tile, and those to share it that may be worth it."""
    product = _product(kernel)
    for tile in product_tiles(kernel, chip):
        yield tile
        yield from _shared(product, tile, chip)


def _shared(product: ProductFigures, tile: GemmTile, chip: Chip) -> Iterator[GemmTile]:
    return ways_to_share(tile, product.tiles(tile), product.inner, chip)


def _pieces(product: ProductFigures, tile: GemmTile, chip: Chip) -> int:
    """Vectors of 16 bytes that are on their way while a step is worked on."""
    pieces = 4 * tile.wave_rows * tile.wave_columns * tile_wave(chip, product.dtype)
    if product.rows <= tile.rows:
        # All that comes from memory are the columns' weights, each of them once.
        step = tile.columns * len(product.right) * tile.depth * product.dtype.bytes
        pieces = min(pieces, step // 16)
    return product.tiles(tile) * pieces


def _predict_product(product: ProductFigures, chip: Chip, tile: GemmTile) -> Cost:
    shared = chip.wave == 64 and chip.has_matrix(product.dtype)
    tiles, sides = product.tiles(tile), len(product.right)
    left = 2 * meeting_bytes(tile, tiles, product.inner, sides)
    rate = chip.cache_bandwidth if left < chip.cache_bytes else chip.bandwidth
    return Cost(
        launch=chip.launch,
        memory=_memory_seconds(product.moved, chip, _pieces(product, tile, chip)) + left / rate,
        near=0.0,
        vector=0.0,
        tiles=(product_seconds if shared else _product_seconds)(product, tile, chip),
    )


def _product_seconds(product: ProductFigures, tile: GemmTile, chip: Chip) -> float:
    """Of the tiles, round after round, where waves are 32 wide."""
    sides = len(product.right)
    every = runs(tile, product.tiles(tile), product.inner, sides, chip)
    return sum(_run_clocks(product, tile, run, chip) for run in every) / chip.clock


def _run_clocks(product: ProductFigures, tile: GemmTile, run: Run, chip: Chip) -> float:
    dtype, sides = product.dtype, len(product.right)
    held = tile.rows + tile.columns * sides  # rows of both operands in a tile
    waves = tile.wave_rows * tile.wave_columns * tile_wave(chip, dtype) / chip.wave
    local = held * tile.depth * dtype.bytes
    together = max(1, min(chip.local_bytes // local, int(_WAVES // waves)))
    rounds = -(-run.workgroups // chip.units)
    together = min(together, rounds)

    volume = tile.rows * tile.columns * sides * tile.depth
    fetched = tile.rows * product.left.near + tile.columns * sum(w.near for w in product.right)
    made = tile.rows * product.left.operations + tile.columns * sum(
        w.operations for w in product.right
    )
    read = tile.wave_rows * tile.columns * sides + tile.wave_columns * tile.rows
    step = _step_clocks(
        chip,
        together,
        waves,
        _matrix_clocks(volume, dtype, chip),
        fetched * tile.depth / min(chip.near_rate, chip.shared_rate),
        made * tile.depth / chip.lanes + _STEP_CLOCKS,
        (held + read) * tile.depth * dtype.bytes / chip.local_rate,
    )
    outputs = tile.rows * tile.columns
    finish = _finish_clocks(outputs, product.epilogue, chip, together) + run.meeting / together
    return rounds * (run.steps * step + finish)


def _matrix_clocks(volume: int, dtype: DType, chip: Chip) -> float:
    """Clocks, of vector code, that a unit takes for ``volume`` multiply-adds."""
    slower = chip.clock / chip.matrix_clock if chip.has_matrix(dtype) else 1.0
    return 2 * volume / chip.matrix_rate(dtype) * slower


def _step_clocks(
    chip: Chip,
    together: int,
    waves: float,
    matrix: float,
    near: float,
    vector: float,
    shared: float,
) -> float:
    """Clocks of a unit for a step of each of ``together`` workgroups, over their number.

    The parts of one workgroup's step follow each other; those of several overlap. A unit has four
    sets of matrix cores and of lanes, each for waves of its own.
    """
    busy = min(1.0, together * waves / 4)
    matrix, vector = matrix / busy, vector / busy
    parts = (matrix, near, vector, shared) if chip.matrix else (matrix + vector, near, shared)
    longest = max(parts)
    return max(longest + (sum(parts) - longest) / (2 * together), _WAIT_CLOCKS / together)


def _finish_clocks(outputs: int, epilogue: Work, chip: Chip, together: int) -> float:
    longest = max(epilogue.near / chip.near_rate, epilogue.operations / chip.lanes)
    return outputs * longest + _TILE_CLOCKS / together


def predict_library_product(
    kernel: Gemm, call: LibraryProduct, chip: Chip, rates: LibraryRates
) -> Cost:
    """What limits ``kernel`` when the vendor's library does it: whole rounds of tiles."""
    made = sum(predict(one.kernel, chip).seconds for one in call.made)
    return Cost(
        launch=chip.launch + rates.call + made,
        memory=_product(kernel).moved / chip.bandwidth,
        near=0.0,
        vector=0.0,
        tiles=library_product_seconds(call.sizes, chip, rates),
    )


def library_product_seconds(
    sizes: tuple[int, int, int, int], chip: Chip, rates: LibraryRates
) -> float:
    """Seconds of the tiles of a product of (batch, rows, columns, inner) ``sizes``."""
    batch, rows, columns, inner = sizes
    down, across = rates.tile
    rounds = -(-batch * -(-rows // down) * -(-columns // across) // chip.units)
    a_tile = 2 * down * across * inner / (rates.product / chip.units)
    # Small products are cut finer than that.
    whole = 2 * batch * rows * columns * inner / (rates.product / 2)
    return min(rounds * a_tile, whole)


def predict_library_convolution(
    kernel: Gemm, call: LibraryConvolution, chip: Chip, rates: LibraryRates
) -> Cost:
    """What limits ``kernel`` when the vendor's library does it: whole rounds of tiles.

    Weights are made once, a picture in every launch.
    """
    assert rates.convolution is not None, "the library is not called for convolutions"
    pictures, channels, _, _, outputs, rows, columns, tall, wide = call.sizes
    down, across = rates.tile
    # Few outputs are given narrow tiles.
    across = min(across, -(-outputs // 64) * 64)
    points, inner = pictures * rows * columns, channels * tall * wide
    rounds = -(-(-(-points // down) * -(-outputs // across)) // chip.units)
    a_tile = 2 * down * across * inner / (rates.convolution / chip.units)
    whole = 2 * points * outputs * inner / (rates.convolution / 2)
    image = [made for made in call.made if made.kernel.name == "picture"]
    return Cost(
        launch=chip.launch + rates.call + _making_seconds(image, chip),
        memory=_product(kernel).moved / chip.bandwidth,
        near=0.0,
        vector=0.0,
        tiles=min(rounds * a_tile, whole),
    )


def _making_seconds(made: Iterable[MadeOperand], chip: Chip) -> float:
    return sum(_predict_pointwise(one.kernel, chip).seconds for one in made)


def predict_library_attention(
    kernel: Attention, call: LibraryAttention, chip: Chip, rates: LibraryRates
) -> Cost:
    """What limits ``kernel`` when the vendor's library does it."""
    assert rates.attention is not None, "the library is not called for attention"
    heads, queries, keys, inner, channels = call.sizes
    bodies = (kernel.query, kernel.key, kernel.value)
    works = [work(body, (), kernel.parameters) for body in bodies]
    works.append(work(kernel.epilogue, kernel.stores, kernel.parameters))
    return Cost(
        launch=chip.launch + rates.call,
        memory=_moved_bytes(works, kernel) / chip.bandwidth,
        near=0.0,
        vector=0.0,
        tiles=2 * heads * queries * keys * (inner + channels) / rates.attention,
    )


# --------------------------------------------------------------------------------------- attention

# A score's way through softmax beside the score's own code: exp2, its scaling, maximum, sum,
# and the conversion of the weight.
_SOFTMAX = 4.0 + 6.0
# Clocks that 64 lanes take to store an element each where rows become columns.
_TRANSPOSED_STORE = 16.0


def predict_attention(kernel: Attention, chip: Chip, tile: AttentionTile) -> Cost:
    """What limits ``kernel`` on ``chip`` when it is cut into ``tile``."""
    launch, clock = _attention_launch(kernel, chip, tile)
    return _attention_cost(kernel, chip, tile, launch.clocks(tile.shares) / clock)


def _attention_launch(
    kernel: Attention, chip: Chip, tile: AttentionTile
) -> tuple[TiledLaunch, float]:
    """The launch and its clock in Hz, whoever shares its tiles."""
    if tile.schedule is not AttentionSchedule.STEPS:
        return streamed_launch(kernel, tile, chip)
    dtype = kernel.operand_dtype
    inner, channels = size(kernel.inner), size(kernel.channels)
    query, key, value = (
        work(body, (), kernel.parameters) for body in (kernel.query, kernel.key, kernel.value)
    )
    score = work(kernel.score, (), kernel.parameters)
    epilogue = work(kernel.epilogue, kernel.stores, kernel.parameters)
    tiles = size(kernel.batch) * -(-size(kernel.queries) // tile.queries)
    waves = tile.waves * tile_wave(chip, dtype) / chip.wave
    local = tile.keys * (inner + channels) * dtype.bytes
    held = local + tile.queries * (inner + tile.keys) * dtype.bytes
    rounds = -(-tiles // chip.units)
    together = max(1, min(chip.local_bytes // held, int(_WAVES // waves), rounds))
    scores = tile.queries * tile.keys
    fetched = tile.keys * (inner * key.near + channels * value.near)
    made = tile.keys * (inner * key.operations + channels * value.operations)
    step = _step_clocks(
        chip,
        together,
        waves,
        _matrix_clocks(scores * (inner + channels), dtype, chip),
        (fetched + scores * score.near) / min(chip.near_rate, chip.shared_rate),
        (made + scores * (score.operations + _SOFTMAX)) / chip.lanes + _STEP_CLOCKS,
        (1 + tile.waves) * local / chip.local_rate,
    )
    if chip.wave == 64 and chip.has_matrix(dtype):
        step += _unhidden_clocks(tile, channels, together)
    begin = tile.queries * inner * query.near / chip.near_rate
    finish = _finish_clocks(tile.queries * channels, epilogue, chip, together)
    launch = TiledLaunch(
        tiles=tiles,
        slots=chip.units,
        steps=-(-size(kernel.keys) // tile.keys),
        lines=-(-size(kernel.keys) // tile.keys),
        step=step,
        around=begin + finish,
        left=4 * tile.queries * (channels + 2),
        rate=min(chip.near_rate, chip.shared_rate),
    )
    return launch, chip.clock


def _unhidden_clocks(tile: AttentionTile, channels: int, together: int) -> float:
    """Of a step, as timed on traces: keys and values are waited for, values stored one by one."""
    stored = tile.keys * channels / 64
    return (2 * _WAIT_CLOCKS + _TRANSPOSED_STORE * stored) / together


def _attention_cost(kernel: Attention, chip: Chip, tile: AttentionTile, tiles: float) -> Cost:
    bodies = (kernel.query, kernel.key, kernel.value, kernel.score)
    works = [work(body, (), kernel.parameters) for body in bodies]
    works.append(work(kernel.epilogue, kernel.stores, kernel.parameters))
    workgroups = size(kernel.batch) * -(-size(kernel.queries) // tile.queries)
    waiting = 4 * workgroups * tile.waves * tile_wave(chip, kernel.operand_dtype)
    return Cost(
        launch=chip.launch,
        memory=_memory_seconds(_moved_bytes(works, kernel), chip, waiting),
        near=0.0,
        vector=0.0,
        tiles=tiles,
    )


# A share has at least so many keys.
_LEAST_KEYS = 256


def attention_cuts(kernel: Attention, chip: Chip) -> Iterator[AttentionTile]:
    """The ways to cut ``kernel``: each tile, and where workgroups better share tiles, that."""
    for tile in tiles_for_attention(kernel, chip):
        yield tile
        launch, _ = _attention_launch(kernel, chip, tile)
        for shares in launch.best_shares(-(-_LEAST_KEYS // tile.keys)):
            yield replace(tile, shares=shares)


def best_attention_tile(kernel: Attention, chip: Chip) -> tuple[AttentionTile, Cost]:
    """The tile that ``kernel`` takes least time with on ``chip``.

    Of those that memory makes equal, the one whose workgroups have least to do.
    """
    costs = [(tile, predict_attention(kernel, chip, tile)) for tile in attention_cuts(kernel, chip)]
    return min(costs, key=lambda pair: (pair[1].seconds, pair[1].tiles))
