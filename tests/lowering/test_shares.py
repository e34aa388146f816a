"""Every step of shared tiles has one workgroup, and the places for their sums do not overlap."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from lumc.lowering.shares import SharedTiles


@st.composite
def shared_tiles(draw: st.DrawFn) -> SharedTiles:
    tiles, lines = draw(st.integers(1, 12)), draw(st.integers(1, 12))
    return SharedTiles(tiles, lines, draw(st.integers(1, tiles * lines)))


@given(shared_tiles())
def test_runs_are_equal_and_have_every_step_once(shared: SharedTiles) -> None:
    total = shared.tiles * shared.lines
    runs = [
        range(shared.first(share), shared.first(share + 1)) for share in range(shared.workgroups)
    ]
    assert [line for run in runs for line in run] == list(range(total))
    assert max(map(len, runs)) == shared.longest <= min(map(len, runs)) + 1
    assert min(map(len, runs)) >= 1
    for share, run in enumerate(runs):
        assert all(shared.share_of(line) == share for line in run)


@given(shared_tiles())
def test_workgroups_of_a_tile(shared: SharedTiles) -> None:
    places = []
    for tile in range(shared.tiles):
        lines = range(tile * shared.lines, (tile + 1) * shared.lines)
        shares = sorted({shared.share_of(line) for line in lines})
        assert list(shared.shares_of(tile)) == shares
        assert len(shares) <= shared.most_shares
        places += [share + tile for share in shares]
        if shared.is_even:
            assert len(shares) == shared.most_shares
    assert len(set(places)) == len(places)
    assert max(places) < shared.parts


def test_even_shares_are_parts_of_one_tile() -> None:
    assert SharedTiles(3, 8, 12).is_even
    assert not SharedTiles(3, 8, 9).is_even
    assert not SharedTiles(3, 7, 6).is_even
