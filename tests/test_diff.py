"""What changed between two states of a project: cards, looks and rules."""

import json
import sys
import time
from pathlib import Path

import pytest
from dulwich import porcelain
from test_bad_input import BASE, lay

from stonehand import cli


@pytest.fixture
def run(monkeypatch, capsys):
    """Runs the program in this process; gives its exit code and what it says."""

    def run(*words):
        monkeypatch.setattr(sys, "argv", ["stonehand", *words])
        return cli._run(), *capsys.readouterr()

    return run


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A game of two cards, in a repository with one commit."""
    folder = tmp_path / "project"
    lay(BASE, folder)
    monkeypatch.chdir(folder)
    porcelain.init(str(folder)).close()
    commit(folder)
    return folder


def commit(folder):
    porcelain.add(str(folder), [str(p) for p in folder.rglob("*") if ".git" not in p.parts])
    porcelain.commit(str(folder), b"a state", author=b"A <a@b>", committer=b"A <a@b>")


def edit(path, old, new):
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")


def test_nothing_differs_from_itself(run, project):
    assert run("diff", "HEAD") == (0, "nothing differs\n", "")


def test_cards_are_told_field_by_field(run, project):
    cards = project / "cards/tiny/cards.yaml"
    edit(cards, "name: Bee", "count: 2, name: Wasp")
    cards.write_text(cards.read_text() + "  - {id: a3, name: Fly}\n")
    assert run("diff", "HEAD")[1].splitlines() == [
        "tiny: cards, 1 added, 1 changed",
        "  card           field                   before  after",
        "  a2    changed  count                   1       2",
        "  a2    changed  name                    Bee     Wasp",
        "  a2    changed  look of the front (en)",
        "  a3    added",
    ]


def test_what_a_template_changes_is_told_of_the_cards_it_changes(run, project):
    edit(project / "cards/tiny/art/dot.svg", 'r="', 'r="1')
    found = json.loads(run("diff", "HEAD", "--json")[1])
    assert found == {
        "games": [
            {
                "game": "tiny",
                "cards": [
                    {
                        "id": "a1",
                        "kind": "thing",
                        "change": "changed",
                        "fields": [],
                        "looks": [{"side": "front", "languages": ["en"]}],
                    }
                ],
                "rules": [],
            }
        ]
    }


def test_comments_and_the_order_of_files_change_nothing(run, project):
    cards = project / "cards/tiny/cards.yaml"
    cards.write_text("# a line more\n" + cards.read_text())
    assert run("diff", "HEAD")[1] == "nothing differs\n"


def test_rules_are_told_by_their_ids(run, project):
    rules = project / "i18n/tiny/rules.md"
    rules.parent.mkdir(parents=True)
    rules.write_text("# Tiny\n\n## Start {#A}\n\n### A_01 Begin\n\nYou begin.\n")
    commit(project)
    edit(rules, "You begin.", "I begin.")
    rules.write_text(rules.read_text() + "\n### A_02 End\n\nYou end.\n")
    assert run("diff", "HEAD")[1].splitlines()[1:] == [
        "  rule           languages",
        "  A_01  changed  en",
        "  A_02  added    en",
    ]


def test_states_are_folders_revisions_and_ranges(run, project, tmp_path):
    edit(project / "cards/tiny/cards.yaml", "Bee", "Wasp")
    commit(project)
    changed = run("diff", "HEAD~1")
    assert "Wasp" in changed[1]
    assert run("diff", "HEAD~1..HEAD") == changed
    assert run("diff", "HEAD~1", "HEAD") == changed
    lay(BASE, tmp_path / "other")
    assert run("diff", str(tmp_path / "other")) == changed
    assert run("diff", "HEAD")[1] == "nothing differs\n"


def test_pictures_are_in_one_file_that_needs_no_other(run, project):
    edit(project / "cards/tiny/cards.yaml", "name: Bee", "name: <b>Wasp</b>")
    assert run("diff", "HEAD", "-o", "changes.html")[0] == 0
    page = (project / "changes.html").read_text()
    assert page.count('<img src="data:image/png;base64,') == 3  # before, after, difference
    assert "&lt;b&gt;Wasp" in page
    assert "<script" not in page
    assert "http" not in page


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("nix",), "command line: error: 'nix' is no folder, and no revision of the repository"),
        (("HEAD~9",), "command line: error: 'HEAD~9' is no folder, and no revision"),
        (("HEAD", "--game", "tini"), "command line: error: no game 'tini' in either state (did"),
    ],
)
def test_a_state_that_is_not_there_is_a_wrong_command_line(run, project, words, said):
    code, out, err = run("diff", *words)
    assert (code, out) == (2, "")
    assert err.startswith(said)


def test_faults_of_an_earlier_state_are_told_as_its_files(run, project):
    edit(project / "cards/tiny/cards.yaml", "art: dot", "art: dit")
    commit(project)
    edit(project / "cards/tiny/cards.yaml", "art: dit", "art: dot")
    code, _, err = run("diff", "HEAD")
    assert code == 1
    assert (
        err
        == "HEAD:cards/tiny/cards.yaml:3:30: error: picture 'dit' not found (did you mean 'dot'?)\n"
    )


def test_links_of_a_repository_are_not_followed(run, project):
    (project / "cards/tiny/art/dot.svg").unlink()
    (project / "cards/tiny/art/dot.svg").symlink_to("/etc/hostname")
    commit(project)
    (project / "cards/tiny/art/dot.svg").unlink()
    lay(BASE, project)
    assert "picture 'dot' not found" in run("diff", "HEAD")[2]


class TestPrintingAgain:
    def test_is_of_the_cards_that_look_different(self, run, project):
        edit(project / "cards/tiny/cards.yaml", "name: Bee", "name: Wasp")
        edit(project / "cards/tiny/cards.yaml", "- {id: a1,", "- {id: a1, count: 4,")
        code, out, err = run("build", "tiny", "--only", "changed")
        assert (code, err) == (0, "")
        assert out == "output/tiny/changed/cards-en.pdf: 1 card on 1 page, cuts shared\n"

    def test_makes_nothing_where_nothing_differs(self, run, project):
        assert run("build", "tiny", "--only", "changed") == (
            0,
            "no card looks different than at HEAD\n",
            "",
        )
        assert not Path("output").exists()


def test_of_a_real_game_takes_seconds(run, shipped, monkeypatch):
    """All faces of ONIROO in one language, both states, of which nothing differs."""
    monkeypatch.chdir(shipped)
    began = time.process_time()
    assert run("diff", ".", "--game", "oniroo", "--lang", "hi")[1] == "nothing differs\n"
    assert time.process_time() - began < 5
