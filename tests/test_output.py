"""Files appear whole or not at all; what was there before a failed run is still there after it."""

import errno
import os
import signal
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from stonehand.output.files import Staged
from stonehand.source.problems import StonehandError


def listing(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*"))


def write(staged: Staged, target: Path, content: str = "new") -> None:
    staged.write(target, content.encode())


@contextmanager
def with_rights(folder: Path, mode: int) -> Iterator[None]:
    """Give a folder other rights for a while, and those above it such that it can be reached."""
    for parent in folder.parents[:4]:  # those that pytest has made
        if parent.owner() == folder.owner():
            parent.chmod(parent.stat().st_mode | 0o011)
    folder.chmod(mode)
    root = os.geteuid() == 0
    if root:
        os.seteuid(65534)  # nobody: root may read and write anywhere
    try:
        yield
    finally:
        if root:
            os.seteuid(0)
        folder.chmod(0o755)


class TestARunThatGoesWell:
    def test_puts_all_its_files_in_place_and_leaves_nothing_else(self, tmp_path):
        with Staged() as staged:
            write(staged, tmp_path / "a.pdf")
            write(staged, tmp_path / "b" / "c.pdf")
        assert listing(tmp_path) == ["a.pdf", "b", "b/c.pdf"]
        assert (tmp_path / "b" / "c.pdf").read_text() == "new"

    def test_shows_no_file_under_its_name_before_the_end(self, tmp_path):
        with Staged() as staged:
            write(staged, tmp_path / "a.pdf")
            write(staged, tmp_path / "b.pdf")
            assert not (tmp_path / "a.pdf").exists()
            assert all(name.startswith(".") for name in listing(tmp_path))

    def test_replaces_earlier_files(self, tmp_path):
        (tmp_path / "a.pdf").write_text("old")
        with Staged() as staged:
            write(staged, tmp_path / "a.pdf")
            assert (tmp_path / "a.pdf").read_text() == "old"
        assert (tmp_path / "a.pdf").read_text() == "new"

    def test_tells_what_it_will_write(self, tmp_path):
        with Staged() as staged:
            write(staged, tmp_path / "a.pdf")
            write(staged, tmp_path / "b.pdf")
            assert staged.targets == [tmp_path / "a.pdf", tmp_path / "b.pdf"]

    def test_gives_files_the_rights_that_other_new_files_have(self, tmp_path):
        with Staged() as staged:
            write(staged, tmp_path / "a.pdf")
        (tmp_path / "plain").write_text("")
        modes = {stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("a.pdf", "plain")}
        assert len(modes) == 1

    def test_takes_names_of_any_script(self, tmp_path):
        with Staged() as staged:
            write(staged, tmp_path / "한국어" / "पत्ते.pdf")
        assert listing(tmp_path) == ["한국어", "한국어/पत्ते.pdf"]


FAILURES = [RuntimeError("a fault"), KeyboardInterrupt(), SystemExit(1), MemoryError()]


class TestARunThatFails:
    @pytest.mark.parametrize("failure", FAILURES, ids=lambda failure: type(failure).__name__)
    def test_after_writing_some_files_leaves_none(self, tmp_path, failure):
        with pytest.raises(type(failure)), Staged() as staged:
            write(staged, tmp_path / "a.pdf")
            write(staged, tmp_path / "b.pdf")
            raise failure
        assert listing(tmp_path) == []

    @pytest.mark.parametrize("failure", FAILURES, ids=lambda failure: type(failure).__name__)
    def test_while_writing_a_file_leaves_earlier_ones_as_they_were(
        self, tmp_path, failure, monkeypatch
    ):
        def interrupted(descriptor):
            raise failure

        (tmp_path / "a.pdf").write_text("old")
        monkeypatch.setattr(os, "fsync", interrupted)
        with pytest.raises(type(failure)), Staged() as staged:
            write(staged, tmp_path / "a.pdf", "half")
        assert listing(tmp_path) == ["a.pdf"]
        assert (tmp_path / "a.pdf").read_text() == "old"

    def test_because_the_disk_is_full_says_so_and_leaves_nothing_new(self, tmp_path, monkeypatch):
        (tmp_path / "a.pdf").write_text("old")

        def full(descriptor):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

        monkeypatch.setattr(os, "fsync", full)
        with pytest.raises(StonehandError, match="can't be written: No space left"), Staged() as s:
            write(s, tmp_path / "a.pdf")
        assert listing(tmp_path) == ["a.pdf"]
        assert (tmp_path / "a.pdf").read_text() == "old"

    def test_while_files_are_put_in_place_leaves_no_hidden_ones(self, tmp_path, monkeypatch):
        def refused(self, target):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

        with pytest.raises(StonehandError, match="can't be written: Permission denied"):  # noqa: SIM117
            with Staged() as staged:
                write(staged, tmp_path / "a.pdf")
                monkeypatch.setattr(Path, "replace", refused)
        assert listing(tmp_path) == []


class TestATargetThatIs:
    def test_a_link_to_a_file_elsewhere_is_replaced_and_not_followed(self, tmp_path):
        outside = tmp_path / "outside.pdf"
        outside.write_text("not ours")
        folder = tmp_path / "out"
        folder.mkdir()
        (folder / "a.pdf").symlink_to(outside)
        with Staged() as staged:
            write(staged, folder / "a.pdf")
        assert outside.read_text() == "not ours"
        assert not (folder / "a.pdf").is_symlink()
        assert (folder / "a.pdf").read_text() == "new"

    @pytest.mark.skipif(sys.platform == "win32", reason="which lets no one replace an open file")
    def test_open_elsewhere_stays_as_it_was_for_who_reads_it(self, tmp_path):
        (tmp_path / "a.pdf").write_text("old")
        with (tmp_path / "a.pdf").open() as reader:
            with Staged() as staged:
                write(staged, tmp_path / "a.pdf")
            assert reader.read() == "old"
        assert (tmp_path / "a.pdf").read_text() == "new"


class TestATargetThatCannotBeWritten:
    def test_because_a_folder_has_its_name_is_reported(self, tmp_path):
        (tmp_path / "a.pdf").mkdir()
        with pytest.raises(StonehandError, match="is in the way and not a file"), Staged() as s:
            write(s, tmp_path / "a.pdf")
        assert listing(tmp_path) == ["a.pdf"]

    def test_because_a_file_stands_where_its_folder_should_be_is_reported(self, tmp_path):
        (tmp_path / "out").write_text("mine")
        with (
            pytest.raises(StonehandError, match="out: error: is a file where a folder"),
            Staged() as s,
        ):
            write(s, tmp_path / "out" / "deep" / "a.pdf")
        assert (tmp_path / "out").read_text() == "mine"

    def test_because_a_link_leads_nowhere_is_reported(self, tmp_path):
        (tmp_path / "a.pdf").symlink_to(tmp_path / "gone" / "b.pdf")
        with pytest.raises(StonehandError, match="is in the way"), Staged() as staged:
            write(staged, tmp_path / "a.pdf")
        assert (tmp_path / "a.pdf").is_symlink()

    def test_because_its_name_is_too_long_is_reported(self, tmp_path):
        with pytest.raises(StonehandError, match="can't be written"), Staged() as staged:
            write(staged, tmp_path / ("x" * 300 + ".pdf"))
        assert listing(tmp_path) == []

    @pytest.mark.parametrize("mode", [0o555, 0o000], ids=["read-only", "closed"])
    def test_because_its_folder_is_not_ours_to_write_is_reported(self, tmp_path, mode):
        folder = tmp_path / "out"
        folder.mkdir()
        with (
            with_rights(folder, mode),
            pytest.raises(StonehandError, match="can't be written"),
            Staged() as staged,
        ):
            write(staged, folder / "a.pdf")
        assert listing(folder) == []

    def test_twice_in_one_run_is_reported_and_nothing_is_written(self, tmp_path):
        with pytest.raises(StonehandError, match="would be written twice"), Staged() as staged:
            write(staged, tmp_path / "a.pdf")
            write(staged, tmp_path / "a.pdf")
        assert listing(tmp_path) == []


def no_file_over(size: int):
    """Return what makes a process meet a full disk after so many bytes of a file."""
    resource = pytest.importorskip("resource")
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


class TestAFullDisk:
    """The commands themselves, on a disk that is full after some kilobytes of a file."""

    @pytest.mark.parametrize(
        "arguments",
        [
            ["cards", "oniroo", "--lang", "en", "--only", "001-018"],
            ["preview", "oniroo", "023", "--lang", "en"],
        ],
        ids=lambda arguments: arguments[0],
    )
    def test_is_reported_in_a_line_and_leaves_the_folder_as_it_was(self, tmp_path, arguments):
        out = tmp_path / "out"
        out.mkdir()
        (out / "cards-en.pdf").write_text("old")
        entry = "import sys; from stonehand.cli import main; sys.argv[0] = 'stonehand'; main()"
        done = subprocess.run(
            [sys.executable, "-B", "-c", entry, *arguments, "-o", str(out)],
            preexec_fn=no_file_over(10_000),
            cwd=tmp_path,
            env={**os.environ, "TMPDIR": str(tmp_path)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 1, done.stderr
        assert "Traceback" not in done.stderr
        assert "can't be written: File too large" in done.stderr
        assert listing(tmp_path) == ["out", "out/cards-en.pdf"]
        assert (out / "cards-en.pdf").read_text() == "old"


HALF = """
import os, signal, sys
from pathlib import Path
from stonehand.output.files import Staged
folder = Path(sys.argv[1])
with Staged() as staged:
    staged.write(folder / "a.pdf", b"new")
    staged.write(folder / "b.pdf", b"new")
    os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="has neither these signals nor these locks")
class TestOtherRuns:
    def test_that_were_killed_left_old_files_whole_and_are_tidied_up_after(self, tmp_path):
        (tmp_path / "a.pdf").write_text("old")
        killed = subprocess.run([sys.executable, "-c", HALF, str(tmp_path)], check=False)
        assert killed.returncode == -signal.SIGKILL
        assert (tmp_path / "a.pdf").read_text() == "old"
        hidden = [name for name in listing(tmp_path) if name != "a.pdf"]
        assert len(hidden) == 2
        assert all(name.startswith(".") for name in hidden)
        with Staged() as staged:  # they might be those of a run that is at work
            write(staged, tmp_path / "a.pdf", "newer")
        assert listing(tmp_path) == sorted(["a.pdf", *hidden])
        for name in hidden:
            os.utime(tmp_path / name, (0, 0))
        with Staged() as staged:
            write(staged, tmp_path / "a.pdf", "newest")
            write(staged, tmp_path / "b.pdf", "newest")
        assert listing(tmp_path) == ["a.pdf", "b.pdf"]
        assert (tmp_path / "a.pdf").read_text() == "newest"

    def test_leave_hidden_files_that_are_not_theirs(self, tmp_path):
        for name in (".a.pdf.tmp", ".c.pdf.12.tmp", ".a.pdf.x.tmp"):
            (tmp_path / name).write_text("mine")
            os.utime(tmp_path / name, (0, 0))
        with Staged() as staged:
            write(staged, tmp_path / "a.pdf")
        assert listing(tmp_path) == [".a.pdf.tmp", ".a.pdf.x.tmp", ".c.pdf.12.tmp", "a.pdf"]

    def test_do_not_wait_for_themselves_where_one_folder_has_two_names(self, tmp_path):
        (tmp_path / "out").mkdir()
        (tmp_path / "alias").symlink_to(tmp_path / "out")

        def run():
            with Staged() as staged:
                write(staged, tmp_path / "out" / "a.pdf")
                write(staged, tmp_path / "alias" / "b.pdf")

        thread = threading.Thread(target=run, daemon=True)
        thread.start()
        thread.join(10)
        assert not thread.is_alive()
        assert listing(tmp_path / "out") == ["a.pdf", "b.pdf"]

    def test_into_a_folder_that_is_closed_to_readers_are_put_in_place(self, tmp_path):
        folder = tmp_path / "out"
        folder.mkdir()
        with with_rights(folder, 0o333), Staged() as staged:
            write(staged, folder / "a.pdf")
        assert listing(folder) == ["a.pdf"]

    def test_into_one_folder_at_once_do_not_mix(self, tmp_path):
        """Each puts its files in place while no other does."""
        import fcntl

        other = os.open(tmp_path, os.O_RDONLY)
        fcntl.flock(other, fcntl.LOCK_EX)

        def run():
            with Staged() as staged:
                write(staged, tmp_path / "a.pdf")
                write(staged, tmp_path / "b.pdf")

        thread = threading.Thread(target=run)
        thread.start()
        thread.join(0.3)
        assert thread.is_alive()
        assert not {"a.pdf", "b.pdf"} & set(listing(tmp_path))
        os.close(other)
        thread.join(10)
        assert listing(tmp_path) == ["a.pdf", "b.pdf"]
