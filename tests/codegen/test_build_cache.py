"""The cache: content-addressed, safe against damage, parallel writers and bad folders."""

import errno
import os
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from lumc.cache_folder import CACHE_VARIABLE, cache_folder
from lumc.codegen.cache import Cache, CacheWarning, write_atomically

FILES = {"kernel.co": bytes(range(256)) * 3, "kernel.s": "v_add_f32 ; ü\n".encode(), "empty": b""}


def entry_of(cache: Cache) -> Path:
    (entry,) = (path for path in cache.root.rglob("*") if path.is_file())
    return entry


def test_what_is_written_is_read(tmp_path: Path) -> None:
    cache = Cache(tmp_path / "new" / "cache")
    key = cache.key("a", b"b")
    assert cache.read(key) is None
    cache.write(key, FILES)
    assert cache.read(key) == FILES


def test_parts_of_a_key_do_not_run_together() -> None:
    keys = [Cache.key("ab", "c"), Cache.key("a", "bc"), Cache.key("abc"), Cache.key("abc", "")]
    assert len(set(keys)) == 4


@pytest.mark.parametrize("position", [0, 30, 90, 130, -1])
def test_a_damaged_entry_is_not_read(tmp_path: Path, position: int) -> None:
    cache = Cache(tmp_path)
    cache.write(cache.key("x"), FILES)
    entry = entry_of(cache)
    data = bytearray(entry.read_bytes())
    data[position] ^= 1
    entry.write_bytes(data)
    assert cache.read(cache.key("x")) is None


@pytest.mark.parametrize("size", [0, 10, 100, -1])
def test_a_truncated_entry_is_not_read(tmp_path: Path, size: int) -> None:
    cache = Cache(tmp_path)
    cache.write(cache.key("x"), FILES)
    entry = entry_of(cache)
    entry.write_bytes(entry.read_bytes()[:size])
    assert cache.read(cache.key("x")) is None


def test_an_entry_is_replaced(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    cache.write(cache.key("x"), {"a": b"old"})
    cache.write(cache.key("x"), FILES)
    assert cache.read(cache.key("x")) == FILES


def test_readers_never_see_a_part(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    contents = [{"a": bytes([n]) * 200_000} for n in range(4)]
    key = cache.key("x")
    cache.write(key, contents[0])
    done = threading.Event()

    def write() -> None:
        while not done.is_set():
            for content in contents:
                cache.write(key, content)

    writers = [threading.Thread(target=write) for _ in range(2)]
    for writer in writers:
        writer.start()
    try:
        assert all(cache.read(key) in contents for _ in range(200))
    finally:
        done.set()
        for writer in writers:
            writer.join()
    assert len([path for path in cache.root.rglob("*") if path.is_file()]) == 1


def test_a_folder_that_cannot_be_made_warns(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    cache = Cache(tmp_path / "file" / "cache")
    with pytest.warns(CacheWarning, match="going on without it"):
        cache.write(cache.key("x"), FILES)
    assert cache.read(cache.key("x")) is None


def test_a_full_disk_warns_and_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    cache = Cache(tmp_path)
    monkeypatch.setattr(Path, "replace", full)
    with pytest.warns(CacheWarning, match="No space left on device"):
        cache.write(cache.key("x"), FILES)
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_an_interrupted_write_keeps_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "plan.json"
    place.write_bytes(b"old")

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "replace", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_atomically(place, b"new")
    assert [path.name for path in tmp_path.iterdir()] == ["plan.json"]
    assert place.read_bytes() == b"old"


def test_where_the_cache_lies(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv(CACHE_VARIABLE, raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_folder() == tmp_path / "lumc"
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "own"))
    assert cache_folder() == tmp_path / "own"


def test_what_a_link_leads_to_is_written(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "real")
    write_atomically(tmp_path / "link", b"new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_bytes() == b"new"


def test_a_pipe_stays_a_pipe(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with ThreadPoolExecutor() as pool:
        got = pool.submit(pipe.read_bytes)
        write_atomically(pipe, b"new")
        assert got.result(timeout=20) == b"new"
    assert pipe.is_fifo()
