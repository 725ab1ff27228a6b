"""Builds that remember: the same bytes and the same words, with less work."""

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
from test_bad_input import BASE, lay

from stonehand import cli, making
from stonehand.cache import Cache, Entry, Output
from stonehand.source.trace import Looker, fingerprint, traced

ROOT = Path(__file__).parents[1]
PROGRAM = (sys.executable, "-c", "from stonehand.cli import main; main()")
PO = """msgid ""
msgstr ""
"Language: el\\n"
"Content-Type: text/plain; charset=UTF-8\\n"

msgctxt "card.a1.name"
msgid "Ant"
msgstr "{}"
"""


@pytest.fixture
def made(monkeypatch):
    """The pieces that are made and not taken from the cache."""
    pieces = []
    make = making.Workshop.make

    def noted(self, piece, known=making.Known()):  # noqa: B008
        pieces.append(" ".join(filter(None, piece[:3])))
        return make(self, piece, known)

    monkeypatch.setattr(making.Workshop, "make", noted)
    return pieces


@pytest.fixture
def build(monkeypatch, capsys, tmp_path, made):
    """Builds as the program does; gives what it says, and which pieces it made."""
    monkeypatch.setenv("STONEHAND_CACHE", str(tmp_path / "cache"))

    def run(*words):
        made.clear()
        monkeypatch.setattr(sys, "argv", ["stonehand", "build", *words])
        code = cli._run()
        return code, *capsys.readouterr(), list(made)

    return run


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A game of two cards in two languages, as a place to stand in."""
    folder = tmp_path / "project"
    lay(BASE, folder)
    game = folder / "cards/tiny/game.yaml"
    game.write_text(game.read_text().replace("languages: [en]", "languages: [en, el]"))
    (folder / "i18n/tiny").mkdir(parents=True)
    (folder / "i18n/tiny/el.po").write_text(PO.format("Μυρμήγκι"))
    monkeypatch.chdir(folder)
    return folder


def output(folder):
    return {p.name: p.read_bytes() for p in sorted((folder / "output").rglob("*")) if p.is_file()}


def edit(path, old, new):
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")


class TestARealGame:
    def test_is_the_same_cold_warm_changed_and_changed_back(self, build, tmp_path, monkeypatch):
        """Of TWEAK!, a card that the rules do not show: nothing of the rules is made again."""
        folder = tmp_path / "project"
        for part in ("cards", "layouts", "i18n"):
            shutil.copytree(ROOT / part / "tweak", folder / part / "tweak")
        monkeypatch.chdir(folder)
        asked = ("tweak", "--lang", "en")
        code, said, told, pieces = build(*asked)
        cold = output(folder)
        assert code == 0
        assert pieces == ["cards cards en", "rules en", "use"]
        assert build(*asked) == (0, said, told, [])
        assert output(folder) == cold
        shutil.rmtree(folder / "output")
        assert build(*asked) == (0, said, told, [])
        assert output(folder) == cold
        card = '{id: "08", colour: red,    value: 5, target: '
        edit(folder / "cards/tweak/numbers.yaml", f"{card}9", f"{card}8")
        _, said_then, told_then, pieces = build(*asked)
        assert pieces == ["cards cards en", "use"]
        then = output(folder)
        assert then["cards-en.pdf"] != cold["cards-en.pdf"]
        assert build(*asked, "--no-cache")[:3] == (0, said_then, told_then)
        assert output(folder) == then
        edit(folder / "cards/tweak/numbers.yaml", f"{card}8", f"{card}9")
        assert build(*asked) == (0, said, told, [])
        assert output(folder) == cold


class TestWhatIsRemembered:
    def test_is_a_language_whose_translation_has_not_changed(self, build, project):
        first = build("tiny")
        assert first[3] == ["cards cards en", "cards cards el", "use", "words cards el"]
        (project / "i18n/tiny/el.po").write_text(PO.format("Μέρμηγκας"))
        code, said, _, pieces = build("tiny")
        assert (code, said) == first[:2]
        assert pieces == ["cards cards el", "words cards el"]

    def test_is_what_was_before_a_change_that_is_taken_back(self, build, project):
        build("tiny")
        before = output(project)
        edit(project / "cards/tiny/cards.yaml", "Bee", "Wasp")
        assert "cards cards en" in build("tiny")[3]
        assert output(project) != before
        changed = output(project)
        build("tiny", "--no-cache")
        assert output(project) == changed
        edit(project / "cards/tiny/cards.yaml", "Wasp", "Bee")
        assert build("tiny")[3] == []
        assert output(project) == before

    def test_depends_on_files_that_were_not_there(self, build, project):
        """A table of the project, which replaces the shipped one."""
        build("tiny")
        (project / "layouts/sizes.yaml").write_text("mine: {width: 50mm, height: 70mm}\n")
        assert "cards cards en" in build("tiny")[3]

    def test_depends_on_pictures_and_templates(self, build, project):
        build("tiny")
        edit(project / "cards/tiny/art/dot.svg", "<svg", "<svg ")
        assert "cards cards en" in build("tiny")[3]
        path = project / "layouts/tiny/front.yaml"
        path.write_text(path.read_text() + "# another word\n")
        assert "cards cards el" in build("tiny")[3]

    def test_tells_its_warnings_again_at_the_lines_they_have_now(self, build, project):
        (project / "i18n/tiny/el.po").write_text(PO.format("Μ").replace('"Ant"', '"Aunt"'))
        first = build("tiny")
        assert "el.po:8:8: warning: " in first[2]
        assert build("tiny") == (*first[:3], [])
        po = project / "i18n/tiny/el.po"
        po.write_text("# a line more\n" + po.read_text())
        assert "el.po:9:8: warning: " in build("tiny")[2]

    def test_is_nothing_that_has_errors(self, build, project):
        edit(project / "cards/tiny/cards.yaml", "art: dot", "art: dit")
        first = build("tiny")
        assert first[0] == 1
        assert build("tiny")[:3] == first[:3]
        assert not (project / "output").exists()

    def test_differs_by_what_is_asked_for(self, build, project):
        build("tiny", "--lang", "en")
        assert "cards cards en" not in build("tiny")[3]
        assert build("tiny", "-o", "elsewhere")[3] == []
        assert (project / "elsewhere/cards-en.pdf").is_file()

    def test_leaves_files_alone_that_have_not_changed(self, build, project):
        build("tiny")
        path = project / "output/tiny/cards-en.pdf"
        os.utime(path, (1, 1))
        (project / "i18n/tiny/el.po").write_text(PO.format("Μέρμηγκας"))
        build("tiny")
        assert path.stat().st_mtime == 1
        path.write_bytes(b"spoilt")
        build("tiny")
        assert path.read_bytes().startswith(b"%PDF")


class TestTheCache:
    def test_is_as_if_it_were_not_there_where_it_is_damaged(self, build, project, tmp_path):
        first = build("tiny")
        before = output(project)
        for path in sorted((tmp_path / "cache").rglob("*")):
            if path.is_file():
                path.write_bytes(b"\x93spoilt" + path.read_bytes()[:40])
        assert build("tiny") == first
        assert output(project) == before
        assert build("tiny")[3] == []

    def test_may_be_deleted_or_closed(self, build, project, tmp_path):
        first = build("tiny")
        shutil.rmtree(tmp_path / "cache")
        (tmp_path / "cache").write_text("in the way")
        assert build("tiny") == first

    def test_is_not_used_when_it_is_off(self, build, project, tmp_path):
        first = build("tiny", "--no-cache")
        assert build("tiny", "--no-cache") == first
        assert not (tmp_path / "cache").exists()

    def test_removes_what_was_not_used_for_longest(self, tmp_path):
        cache = Cache(tmp_path, limit=3000)
        for number in range(5):
            data = bytes([number]) * 1000
            entry = Entry((Output("a", fingerprint(data)),), (), (), (), (), ())
            cache.keep(f"work-{number}", entry, {"a": data})
            os.utime(tmp_path / "data" / fingerprint(data), (number + 1, number + 1))
            os.utime(tmp_path / "entries" / f"work-{number}", (number + 1, number + 1))
        cache.close()
        there = [n for n in range(5) if any(map(cache.data, cache.entries(f"work-{n}")))]
        assert there == [3, 4]

    def test_holds_plain_data(self, build, project, tmp_path):
        build("tiny")
        entries = sorted((tmp_path / "cache/entries").iterdir())
        assert len(entries) == 4
        for path in entries:
            assert isinstance(msgspec.msgpack.decode(path.read_bytes()), list)


class TestTraces:
    def test_note_what_is_looked_at_within_them(self, project):
        from stonehand.source.files import content_of, read_text, there

        path = project / "cards/tiny/cards.yaml"
        with traced() as outer:
            with traced() as inner:
                read_text(path)
            there(project / "nothing")
        assert set(inner) == {("content", str(path))}
        assert outer[("there", str(project / "nothing"))] == "False"
        assert Looker({}, content_of).same(outer)
        (project / "nothing").write_text("")
        assert not Looker({}, content_of).same(outer)
        assert not Looker({}, content_of).same({("a look of the future", ""): ""})

    def test_read_a_file_again_that_was_written_within_the_same_moment(self, project):
        from stonehand.source.files import content_of

        path = project / "young"
        path.write_text("one")
        looker = Looker({}, content_of)
        seen = looker.look("content", str(path))
        assert looker.known == {}
        path.write_text("two")
        assert Looker(looker.known, content_of).look("content", str(path)) != seen


def test_processes_make_the_same(build, project):
    edit(project / "cards/tiny/cards.yaml", "art: dot", "art: dot, count: 2")
    first = build("tiny", "--no-cache")
    before = output(project)
    shutil.rmtree(project / "output")
    assert build("tiny", "--jobs", "2")[:3] == first[:3]
    assert output(project) == before


def test_watching_builds_again_and_goes_on_after_faults(project, tmp_path):
    edit(project / "cards/tiny/game.yaml", "[en, el]", "[en]")
    run = subprocess.Popen(
        [*PROGRAM, "build", "tiny", "--watch"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, "STONEHAND_CACHE": str(tmp_path / "cache"), "PYTHONUNBUFFERED": "1"},
    )
    try:
        lines = run.stdout
        assert lines.readline().startswith("cards-en.pdf (")
        edit(project / "cards/tiny/cards.yaml", "art: dot", "art: dit")
        assert "error: picture 'dit' not found" in lines.readline()
        assert lines.readline() == "nothing written: what is mended is built again\n"
        edit(project / "cards/tiny/cards.yaml", "art: dit", "art: dot, count: 2")
        assert lines.readline().startswith("cards-en.pdf (")
        run.send_signal(signal.SIGINT)
        assert run.wait(10) == 130
    finally:
        run.kill()
        run.wait()
        run.stdout.close()
