"""What the cost model knows of each chip, and where each figure is from."""

from __future__ import annotations

from dataclasses import dataclass, replace

from lumc.dsl.dtypes import DType
from lumc.lowering.kernel_program import Activation

_KIB = 1024
_MIB = 1024 * _KIB
_GHZ = 1e9
_TB = 1e12


@dataclass(frozen=True, slots=True)
class LibraryRates:
    """What the vendor's library reaches; operations are a multiply or an add.

    A product is cut into tiles of ``tile`` rows and columns, one a unit at a time.
    """

    product: float
    """Operations a second of a product that fills the chip."""
    attention: float | None
    """None where lumc does not call the library for it."""
    convolution: float | None
    tile: tuple[int, int]
    call: float
    """Seconds that a call takes beside that and its launch."""
    activations: tuple[Activation, ...] = (Activation.NONE,)
    """What it does with a product's sums."""
    gates: bool = False
    """It multiplies each column of a product by a number of its own."""


@dataclass(frozen=True, slots=True)
class Chip:
    """One device as the cost model sees it; rates are those that real programs reach.

    ``matrix`` gives, by operand type, the operations (a multiply-add is two) that the matrix cores
    of one unit do a clock; it is empty where generated code does not use them.
    """

    target: str
    product: str
    units: int
    """Compute units (AMD) or streaming multiprocessors (NVIDIA)."""
    wave: int
    lanes: int
    """f32 instructions' results a unit and clock; a fused multiply-add is one."""
    clock: float
    """Hz while vector code runs."""
    matrix_clock: float
    """Hz that power allows while the matrix cores are busy."""
    matrix: tuple[tuple[DType, int], ...]
    local_bytes: int
    """Bytes that the threads of a workgroup can share."""
    local_rate: int
    """Bytes a unit reads from shared memory a clock."""
    near_rate: int
    """Bytes a unit reads from its own cache a clock."""
    shared_rate: int
    """Bytes a unit reads a clock from the cache that it shares with others, when all do."""
    bandwidth: float
    """Bytes a second from memory, as a copy of random data reaches."""
    cache_bytes: int
    """The last cache that all units share, and the rate it is read at."""
    cache_bandwidth: float
    latency: float
    """Seconds from a read of memory to its data."""
    launch: float
    """Seconds from the end of a kernel to the start of the next in a recorded graph."""
    threads: int
    """Threads that a unit holds when each needs few registers."""
    library: LibraryRates | None = None
    """What the vendor's library reaches, where it may be called."""

    def matrix_rate(self, dtype: DType) -> int:
        """Operations a unit and clock for products of ``dtype``, by matrix cores or without."""
        return dict(self.matrix).get(dtype, 2 * self.lanes)

    def has_matrix(self, dtype: DType) -> bool:
        """True when products of ``dtype`` run on matrix cores."""
        return dtype in dict(self.matrix)


# Operations a unit and clock, 4 matrix cores a unit: AMD's matrix instruction calculator. The f32
# figure is that of v_mfma_f32_32x32x2f32 and 16x16x4f32 on all three.
_CDNA2 = ((DType.BF16, 1024), (DType.F16, 1024), (DType.F32, 256))
_CDNA3 = ((DType.BF16, 2048), (DType.F16, 2048), (DType.F32, 256))
_CDNA4 = ((DType.BF16, 4096), (DType.F16, 4096), (DType.F32, 256))
# WMMA: 1024 a work-group processor, which is two units, on RDNA3 by the same calculator; twice that
# on RDNA4 (195 TFLOP/s of an RX 9070 XT, by AMD). They have none for f32.
_RDNA3 = ((DType.BF16, 512), (DType.F16, 512))
_RDNA4 = ((DType.BF16, 1024), (DType.F16, 1024))

# AMD's "GPU hardware specifications" (rocm.docs.amd.com, reference/gpu-specs) has units, wave, LDS,
# caches; peak clocks and bandwidths are from the products' data sheets. LDS is read at 128 bytes a
# clock (256 on CDNA4: ROCm blog "CDNA4 GEMM kernels"), the vector cache at 64 (128 on CDNA4).
#
# The second cache gives 4096 bytes a clock to a die's 110 units on CDNA2 (6.96 TB/s) and 2048 to
# the 38 or 32 of an XCD on CDNA3 and 4 (AMD's white papers); on the Radeons and the H200 about
# 5.5 TB/s were measured in all (Chips and Cheese).
#
# Launch: a node of a recorded chain was measured at 3.9 us on a Radeon 7900 XTX (ROCm issue
# rocm-systems 10834) and 0.6 us on an NVIDIA card; Instinct cards lie between.
#
# Latency: 700 to 900 ns to HBM on CDNA, 500 to 600 on NVIDIA, by published microbenchmarks.
CHIPS = (
    Chip(
        target="gfx90a",
        product="Instinct MI250X, one die",
        units=110,
        wave=64,
        lanes=64,
        clock=1.7 * _GHZ,
        # 191.5 TFLOP/s at the peak clock; libraries reach about three quarters.
        matrix_clock=1.3 * _GHZ,
        matrix=_CDNA2,
        local_bytes=64 * _KIB,
        local_rate=128,
        near_rate=64,
        shared_rate=37,
        # 1.6 TB/s a die by the data sheet; BabelStream reaches 1.3.
        bandwidth=1.3 * _TB,
        cache_bytes=8 * _MIB,
        cache_bandwidth=3.0 * _TB,
        latency=0.8e-6,
        launch=3.0e-6,
        threads=2048,
    ),
    Chip(
        target="gfx942",
        product="Instinct MI300X",
        units=304,
        wave=64,
        lanes=64,
        clock=2.1 * _GHZ,
        # AMD's "Maximum Achievable FLOPs" (ROCm blogs, part 2): bf16 708 TFLOP/s at 1207 MHz.
        matrix_clock=1.207 * _GHZ,
        matrix=_CDNA3,
        local_bytes=64 * _KIB,
        local_rate=128,
        near_rate=64,
        shared_rate=54,
        # 5.3 TB/s by the data sheet; stream benchmarks reach 4.0 to 4.3.
        bandwidth=4.2 * _TB,
        cache_bytes=256 * _MIB,
        # Measured 11.9 of 17.2 TB/s (Chips and Cheese, MI300X).
        cache_bandwidth=11.9 * _TB,
        latency=0.8e-6,
        launch=3.0e-6,
        threads=2048,
    ),
    Chip(
        target="gfx950",
        product="Instinct MI355X",
        units=256,
        wave=64,
        lanes=64,
        clock=2.4 * _GHZ,
        # HipKittens measures 1610 TFLOP/s of 2516 in bf16 at 8192 cubed.
        matrix_clock=1.55 * _GHZ,
        matrix=_CDNA4,
        local_bytes=160 * _KIB,
        local_rate=256,
        near_rate=128,
        shared_rate=64,
        # 8 TB/s by the data sheet; AITER's authors give 6.5 as practical.
        bandwidth=6.5 * _TB,
        cache_bytes=256 * _MIB,
        cache_bandwidth=14.0 * _TB,
        latency=0.8e-6,
        launch=3.0e-6,
        threads=2048,
    ),
    Chip(
        target="gfx1100",
        product="Radeon RX 7900 XTX",
        units=96,
        wave=32,
        # 64 a clock; dual issue would double it where the compiler finds pairs.
        lanes=64,
        clock=2.4 * _GHZ,
        matrix_clock=2.4 * _GHZ,
        matrix=_RDNA3,
        local_bytes=64 * _KIB,
        local_rate=128,
        near_rate=64,
        shared_rate=24,
        # 960 GB/s by the data sheet, times what streams reach on RDNA.
        bandwidth=0.85 * _TB,
        cache_bytes=96 * _MIB,
        cache_bandwidth=3.0 * _TB,
        latency=0.7e-6,
        launch=3.9e-6,
        threads=1024,
    ),
    Chip(
        target="gfx1101",
        product="Radeon RX 7800 XT",
        units=60,
        wave=32,
        lanes=64,
        clock=2.4 * _GHZ,
        matrix_clock=2.4 * _GHZ,
        matrix=_RDNA3,
        local_bytes=64 * _KIB,
        local_rate=128,
        near_rate=64,
        shared_rate=24,
        # 624 GB/s by the data sheet.
        bandwidth=0.55 * _TB,
        cache_bytes=64 * _MIB,
        cache_bandwidth=2.0 * _TB,
        latency=0.7e-6,
        launch=3.9e-6,
        threads=1024,
    ),
    Chip(
        target="gfx1201",
        product="Radeon RX 9070 XT",
        units=64,
        wave=32,
        lanes=64,
        # 2.4 GHz game clock, 2.97 boost; 640 GB/s; 64 MB: AMD's announcement.
        clock=2.7 * _GHZ,
        matrix_clock=2.7 * _GHZ,
        matrix=_RDNA4,
        local_bytes=64 * _KIB,
        local_rate=128,
        near_rate=64,
        shared_rate=32,
        bandwidth=0.57 * _TB,
        cache_bytes=64 * _MIB,
        cache_bandwidth=2.0 * _TB,
        latency=0.7e-6,
        launch=3.9e-6,
        threads=1024,
    ),
    Chip(
        target="sm_90",
        product="H200 SXM",
        units=132,
        wave=32,
        lanes=128,
        clock=1.83 * _GHZ,
        matrix_clock=1.4 * _GHZ,
        # mma.sync of bf16, a part of what wgmma does (4096); f32 is not for them.
        matrix=((DType.BF16, 2560), (DType.F16, 2560)),
        # What a kernel may use without asking for more at launch.
        local_bytes=48 * _KIB,
        local_rate=128,
        near_rate=128,
        shared_rate=22,
        # 4.8 TB/s by the data sheet; a device copy was measured at 4.2.
        bandwidth=4.2 * _TB,
        cache_bytes=50 * _MIB,
        cache_bandwidth=7.0 * _TB,
        latency=0.6e-6,
        launch=1.2e-6,
        threads=2048,
    ),
)

_BY_TARGET = {chip.target: chip for chip in CHIPS}


# By target. Measured on an H200 in bf16: cuBLAS 640 to 805 TFLOP/s for 2048 rows and more, cuDNN's
# attention 572 to 641 with heads 128 wide, its convolutions 660 to 845 with 128 channels and more.
#
# hipBLASLt in bf16: 708 TFLOP/s on MI300X at 4096 × 4864 × 32896 (AMD, "Measuring Max-Achievable
# FLOPs", part 2); on MI325X 785 at 8192 cubed and 752 at 4096 cubed (HipKittens), which is 659 and
# 632 at MI300X's power; on MI355X 1575 and 1433. A rate and tile that come near all of these.
_LIBRARIES = {
    "sm_90": LibraryRates(720e12, 600e12, 720e12, (128, 256), 2e-6, tuple(Activation)),
    "gfx942": LibraryRates(690e12, None, None, (128, 128), 2e-6, gates=True),
    "gfx950": LibraryRates(1620e12, None, None, (128, 128), 2e-6, gates=True),
}


def with_library(chip: Chip) -> Chip:
    """``chip`` with its vendor's library at hand, where lumc knows one."""
    return replace(chip, library=_LIBRARIES.get(chip.target))


def chip_for(target: str) -> Chip:
    """The chip that costs are modelled on for ``target``.

    Every ``sm_…`` target is modelled as the NVIDIA chip of the table.

    Raises:
        KeyError: no chip of the table has this target.
    """
    return _BY_TARGET["sm_90" if target.startswith("sm_") else target]
