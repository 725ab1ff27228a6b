"""`stonehand import images`: what names and pixels tell, and projects that build at once."""

import hashlib
import re
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies
from PIL import Image

from stonehand.cards.reading import is_name
from stonehand.cards.template import load_sizes
from stonehand.pictures.names import (
    Ids,
    Told,
    in_order,
    is_for_all,
    name_of,
    numbered_names,
    told_by,
)
from stonehand.pictures.sizes import BLEEDS, Look, card_size
from stonehand.pictures.writing import quoted
from stonehand.source import yaml
from stonehand.source.problems import Problems

ROOT = Path(__file__).parent.parent
SIZES = load_sizes([ROOT / "layouts/sizes.yaml"], Problems())


@pytest.fixture
def stonehand(stonehand, monkeypatch, tmp_path):
    """The same, in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return stonehand


@pytest.fixture
def pictures(tmp_path):
    """Draws pictures of one colour each, told by its number; 0.4 mm to a pixel if left alone."""

    def draw(names: dict[str, int], size=(158, 220), folder="scans", **options) -> Path:
        place = tmp_path / folder
        for name, number in names.items():
            path = place / name
            path.parent.mkdir(parents=True, exist_ok=True)
            Image.new("RGB", size, (number, 40, 80)).save(path, **options)
        return place

    return draw


def cards(folder: Path, kind="cards") -> list[str]:
    """Return the lines of a catalogue, each without its braces."""
    [game] = (folder / "cards").iterdir()
    return re.findall(r"- \{(.*)\}", (game / f"{kind}.yaml").read_text("utf-8"))


class TestNames:
    @pytest.mark.parametrize(
        ("stem", "told"),
        [
            ("goblin", Told("goblin")),
            ("goblin-back", Told("goblin", "back")),
            ("goblin_Back", Told("goblin", "back")),
            ("goblin (back)", Told("goblin", "back")),
            ("goblin[front]", Told("goblin", "front")),
            ("front-goblin", Told("goblin", "front")),
            ("BACK goblin", Told("goblin", "back")),
            ("goblin-3x", Told("goblin", "", 3)),
            ("goblin x12", Told("goblin", "", 12)),
            ("goblin (3)", Told("goblin", "", 3)),
            ("goblin (3x)", Told("goblin", "", 3)),
            ("3x goblin", Told("goblin", "", 3)),
            ("3x goblin-back", Told("goblin", "back", 3)),
            ("goblin-back (2)", Told("goblin", "back", 2)),
            ("2x_goblin (front)", Told("goblin", "front", 2)),
            ("feedback", Told("feedback")),
            ("backpack", Told("backpack")),
            ("matrix3", Told("matrix3")),
            ("640x480", Told("640x480")),
            ("dragon@2x", Told("dragon@2x")),
            ("card 3", Told("card 3")),
            ("back", Told("back")),
        ],
    )
    def test_tell_side_count_and_base(self, stem, told):
        assert told_by(stem) == told

    def test_keys_are_equal_for_both_sides_in_whatever_spelling(self):
        stems = ["Fire_Dragon", "fire-dragon back", "FIRE DRAGON (back)", "3x fire.dragon"]
        assert {told_by(stem).key for stem in stems} == {"fire dragon"}

    def test_numbers_in_brackets_are_counts_only_where_one_stands_alone(self):
        numbered = numbered_names(["orc (1)", "orc (2)", "elf (2)", "elf-back"])
        assert numbered == {"orc"}
        assert told_by("orc (2)", numbered=numbered) == Told("orc (2)")
        assert told_by("orc (2)-back", numbered=numbered) == Told("orc (2)", "back")
        assert told_by("elf (2)", numbered=numbered) == Told("elf", "", 2)

    def test_backs_of_all_cards_have_names_of_their_own(self):
        names = ["back", "Backs", "card-back", "cardback", "Card Back", "backside"]
        assert all(map(is_for_all, names))
        assert not any(map(is_for_all, ["goblin-back", "backpack", "my back"]))

    @pytest.mark.parametrize(
        ("base", "name"),
        [
            ("02_iceGolem", "Ice Golem"),
            ("fire-dragon", "Fire dragon"),
            ("007", "007"),
            ("2 of hearts", "Of hearts"),
            ("orc (2)", "Orc (2)"),
            ("a\u202eb", "Ab"),
        ],
    )
    def test_become_readable(self, base, name):
        assert name_of(base) == name

    def test_become_ids_that_any_file_system_takes_and_no_other_card_has(self):
        ids = Ids(("back",))
        made = [ids.of(b) for b in ["Orc!", "orc", "ORC ", "back", "CON", "..", "Ünï", "x" * 200]]
        assert made[:7] == ["orc", "orc-2", "orc-3", "back-2", "card-con", "card", "ünï"]
        assert len(made[7]) == 80

    @settings(max_examples=30)
    @given(strategies.lists(strategies.text(max_size=60), max_size=4))
    def test_of_any_letters_become_ids_and_texts_of_yaml(self, stems):
        ids = Ids()
        made = [ids.of(told_by(stem).base) for stem in stems]
        assert all(map(is_name, made))
        assert len({one.casefold() for one in made}) == len(made)
        for name in map(name_of, stems):
            assert not name or yaml.parse(f"[{{name: {quoted(name)}}}]", "x")[0]["name"] == name

    def test_are_put_in_the_order_in_which_people_count(self):
        assert sorted(["c10", "c9", "b", "1"], key=in_order) == ["1", "b", "c9", "c10"]


class TestSizes:
    @pytest.mark.parametrize(
        ("width", "height", "dpi", "found"),
        [
            (825, 1125, 0, ("poker-us", 63.5, 88.9, 3.175, "resolution", 300)),
            (1650, 2250, 0, ("poker-us", 63.5, 88.9, 3.175, "resolution", 600)),
            (822, 1122, 0, ("poker-us", 63.5, 88.9, 3.0, "resolution", 300)),
            (750, 1050, 0, ("poker-us", 63.5, 88.9, 0.0, "resolution", 300)),
            (744, 1039, 0, ("poker", 63.0, 88.0, 0.0, "resolution", 300)),
            (745, 1040, 0, ("poker", 63.0, 88.0, 0.0, "resolution", 300)),
            (815, 1110, 0, ("poker", 63.0, 88.0, 3.0, "resolution", 300)),
            (1110, 815, 0, ("poker", 88.0, 63.0, 3.0, "resolution", 300)),
            (900, 1500, 0, ("tarot-us", 69.85, 120.65, 3.175, "resolution", 300)),
            (372, 520, 150, ("poker", 63.0, 88.0, 0.0, "told", 150)),
            (488, 680, 0, ("poker", 63.0, 88.0, 0.0, "shape", 0)),
            (488, 680, 300, ("poker", 63.0, 88.0, 0.0, "shape", 0)),
            (1000, 300, 0, ("", 84.7, 25.4, 0.0, "none", 300)),
            (1000, 300, 254, ("", 100.0, 30.0, 0.0, "none", 254)),
        ],
    )
    def test_of_pixels_are_found_and_told_how(self, width, height, dpi, found):
        size = card_size(Look("", width, height, drawn=False, dpi=dpi), SIZES, BLEEDS)
        assert (*size.key, size.how, size.dpi) == found

    def test_of_drawings_are_those_of_their_files(self):
        size = card_size(Look("", 69, 94, drawn=True), SIZES, BLEEDS)
        assert (*size.key, size.how) == ("poker", 63.0, 88.0, 3.0, "told")
        assert card_size(Look("", 21, 70, drawn=True), SIZES, BLEEDS).key == ("", 21.0, 70.0, 0.0)

    def test_of_every_named_size_are_found_at_300_dpi_with_and_without_bleed(self):
        """None is taken for another, but those that are the same to a pixel."""
        for name, size in SIZES.items():
            for bleed in (0.0, 3.0, 3.175):
                pixels = [
                    round((side.mm + 2 * bleed) / 25.4 * 300) for side in (size.width, size.height)
                ]
                found = card_size(Look("", *pixels, drawn=False), SIZES, (0.0, 3.0, 3.175))
                off = abs(found.width - size.width.mm), abs(found.height - size.height.mm)
                assert found.name == name or max(off) < 0.4, (name, bleed, found)

    def test_are_found_with_the_bleed_that_is_named_alone(self):
        look = Look("", 825, 1125, drawn=False)
        assert card_size(look, SIZES, (0.0,)).bleed == 0
        assert card_size(look, SIZES, (2.0,)).bleed == 2


class TestProjects:
    def test_the_page_about_it_can_be_followed(self, stonehand, monkeypatch, tmp_path):
        page = (ROOT / "docs/how-to/import-images.md").read_text("utf-8")
        colours: dict[str, int] = {"3x goblin": 99, "goblin copy": 99}
        for name, width, height in re.findall(r"^(scans/.*\.png) +(\d+) x (\d+)$", page, re.M):
            path = tmp_path / name
            path.parent.mkdir(exist_ok=True)
            colour = colours.setdefault(path.stem, len(colours))
            Image.new("RGB", (int(width), int(height)), (colour, 0, 0)).save(path)
        (tmp_path / "scans/ideas.txt").write_text("a mermaid?")
        before = _content(tmp_path / "scans")
        blocks = re.findall(r"^```(\w+)\n(.*?)^```$", page, re.M | re.S)
        code, said, _ = stonehand("import", "images", "scans", "--name", "dragons")
        assert code == 0
        assert said.partition("next:")[0] == blocks[2][1]
        assert _content(tmp_path / "scans") == before
        made = tmp_path / "dragons/cards/dragons/poker-us.yaml"
        assert made.read_text("utf-8") == blocks[3][1]
        monkeypatch.chdir(tmp_path / "dragons")
        code, said, told = stonehand("build")
        assert code == 0
        assert re.findall(r"\[([\w-]+)\]", told) == ["coarse-picture"]
        assert said.startswith("output/dragons/cards-en.pdf: 7 cards on ")

    def test_without_backs_check_without_a_finding(self, stonehand, monkeypatch, pictures):
        folder = pictures({f"card {n}.png": n for n in range(3)}, (744, 1039))
        assert stonehand("import", "images", str(folder), "-o", "p")[0] == 0
        monkeypatch.chdir(folder.parent / "p")
        assert stonehand("check", "--strict") == (0, "nothing found\n", "")

    def test_with_backs_of_folders_check_without_a_finding(self, stonehand, monkeypatch, pictures):
        names = {"fronts/back row.png": 1, "fronts/b-2x.png": 2, "fronts/c-front.png": 5}
        backs = {"backs/back row.png": 3, "backs/b.png": 4, "backs/c-back.png": 6}
        folder = pictures(names | backs, (815, 1110))
        assert stonehand("import", "images", str(folder), "-o", "p")[0] == 0
        assert cards(folder.parent / "p") == [
            "id: b, count: 2, name: B, art: b, reverse: backs/b",
            "id: back-row, name: Back row, art: back-row, reverse: backs/back-row",
            "id: c, name: C, art: c, reverse: backs/c",
        ]
        monkeypatch.chdir(folder.parent / "p")
        assert stonehand("check", "--strict") == (0, "nothing found\n", "")

    def test_cards_without_a_back_among_those_with_have_none(self, stonehand, pictures):
        folder = pictures({"a.png": 1, "a-back.png": 2, "b.png": 3})
        assert stonehand("import", "images", str(folder), "-o", "p")[0] == 0
        assert cards(folder.parent / "p")[1] == "id: b, name: B, art: b, back: none"
        assert stonehand("list", "p/cards/scans")[0] == 0

    def test_backs_that_are_all_the_same_are_one(self, stonehand, pictures):
        folder = pictures({"a.png": 1, "a-back.png": 9, "b.png": 3, "b-back.png": 9})
        assert stonehand("import", "images", str(folder), "-o", "p")[0] == 0
        made = folder.parent / "p/cards/scans/art"
        assert {path.name for path in made.rglob("*.*")} == {"a.png", "b.png", "back.png"}

    def test_a_picture_alone_in_a_folder_of_backs_is_the_back_of_all(self, stonehand, pictures):
        folder = pictures({"a.png": 1, "b.png": 2, "backs/blue.png": 9})
        assert stonehand("import", "images", str(folder), "-o", "p")[0] == 0
        assert cards(folder.parent / "p") == ["id: a, name: A, art: a", "id: b, name: B, art: b"]
        game = (folder.parent / "p/cards/scans/game.yaml").read_text("utf-8")
        assert "back: {template: scans/card-back, values: {picture: back}}" in game

    def test_a_back_may_be_named(self, stonehand, pictures, tmp_path):
        folder = pictures({"a.png": 1, "cardback.png": 2})
        other = pictures({"blue.png": 3}, folder="elsewhere") / "blue.png"
        code, said, _ = stonehand("import", "images", str(folder), "--back", str(other), "-o", "p")
        assert code == 0
        assert "left out: cardback.png, as another back was named" in said
        copied = tmp_path / "p/cards/scans/art/back.png"
        assert copied.read_bytes() == other.read_bytes()

    def test_pictures_that_end_at_the_cut_are_continued(self, stonehand, pictures):
        folder = pictures({"a.png": 1}, (815, 1110))
        for bleed, told in (
            ("auto", "bleed: yes"),
            ("none", "bleed: extend"),
            ("3mm", "bleed: yes"),
        ):
            assert stonehand("import", "images", str(folder), "--bleed", bleed, "-o", bleed)[0] == 0
            assert told in (folder.parent / bleed / "layouts/scans/card.yaml").read_text("utf-8")

    def test_differing_sizes_are_kinds_of_their_own(self, stonehand, pictures):
        pictures({"a.png": 1, "b.png": 2}, (744, 1039))
        folder = pictures({"c.png": 3}, (1039, 744))
        _, said, _ = stonehand("import", "images", str(folder), "-o", "p")
        assert "poker on its side, 88 x 63 mm" in said
        assert cards(folder.parent / "p", "poker-wide") == ["id: c, name: C, art: c"]
        assert len(cards(folder.parent / "p", "poker")) == 2

    def test_pages_of_pdf_files_are_cards(self, stonehand, monkeypatch, pictures, tmp_path):
        pages = [Image.new("RGB", (744, 1039), (n, 0, 0)) for n in range(3)]
        for name, some in (("deck.pdf", pages[:2]), ("deck-back.pdf", pages[2:])):
            some[0].save(tmp_path / name, save_all=True, append_images=some[1:], resolution=300)
        (tmp_path / "scans").mkdir()
        (tmp_path / "deck.pdf").rename(tmp_path / "scans/deck.pdf")
        (tmp_path / "deck-back.pdf").rename(tmp_path / "scans/deck-back.pdf")
        _, said, _ = stonehand("import", "images", "scans", "-o", "p")
        assert "2 pictures, with backs: poker, 63 x 88 mm, without bleed" in said
        lines = cards(tmp_path / "p")
        assert lines[1] == "id: deck-2, name: Deck 2, art: documents/deck.pdf#2"
        assert stonehand("import", "images", "scans/deck.pdf", "-o", "q")[0] == 0
        assert len(cards(tmp_path / "q")) == 2
        monkeypatch.chdir(tmp_path / "p")
        assert stonehand("preview", "scans", "deck-2", "--back")[0] == 0

    def test_lines_that_are_printed_are_lines_whatever_files_are_called(self, stonehand, pictures):
        pictures({"a\nb.png": 1, "c.png": 1})
        _, said, _ = stonehand("import", "images", "scans", "-o", "p")
        assert "  c.png is the same picture as a\\nb.png: one card, 2 times\n" in said

    def test_names_are_written_as_yaml_takes_them(self, stonehand, pictures):
        folder = pictures({"what, no.png": 1, "a # b.png": 2, "it's - 5.png": 3, "no.png": 4})
        assert stonehand("import", "images", str(folder), "-o", "p")[0] == 0
        assert cards(folder.parent / "p") == [
            'id: a-b, name: "A # b", art: a-b',
            "id: it-s-5, name: It's 5, art: it-s-5",
            "id: no, name: No, art: no",
            'id: what-no, name: "What, no", art: what-no',
        ]
        assert stonehand("list", "p/cards/scans")[0] == 0


class TestFaults:
    def test_unreadable_pictures_are_told_all_at_once_and_nothing_is_written(
        self, stonehand, pictures, tmp_path
    ):
        folder = pictures({"good.png": 1})
        (folder / "bad.png").write_bytes(b"\x89PNG\r\n\x1a\nbroken")
        (folder / "empty.jpg").write_bytes(b"")
        (folder / "named.pdf").write_bytes((folder / "good.png").read_bytes())
        code, said, told = stonehand("import", "images", "scans", "-o", "p")
        assert (code, said) == (1, "")
        assert [line.split(":")[0] for line in told.splitlines()] == [
            "scans/bad.png",
            "scans/empty.jpg",
            "scans/named.pdf",
        ]
        assert not (tmp_path / "p").exists()

    @pytest.mark.parametrize(
        ("names", "told"),
        [
            (["a.png", "back.png", "cardback.png"], "could both be the back of all cards"),
            (["a.png", "backs/b.png", "backs/c.png"], "there is no front of this name"),
            (["a.png", "a-back.png", "a (back).png"], "is a second back of 'a'"),
            (["a (2000x).png", "a-1001x.png"], ""),
        ],
    )
    def test_backs_that_fit_nothing_are_told(self, stonehand, pictures, tmp_path, names, told):
        pictures({name: number for number, name in enumerate(names)})
        code, _, said = stonehand("import", "images", "scans", "-o", "p")
        assert code == (1 if told else 0)
        assert told in said
        assert (tmp_path / "p").exists() is not bool(told)

    def test_a_folder_without_pictures_is_told(self, stonehand, tmp_path):
        (tmp_path / "scans").mkdir()
        told = "scans: error: has no pictures in it (PNG, JPEG, WebP, TIFF, GIF, SVG or PDF)\n"
        assert stonehand("import", "images", "scans", "-o", "p") == (1, "", told)

    def test_links_out_of_the_folder_are_not_followed(self, stonehand, pictures, tmp_path):
        folder = pictures({"a.png": 1})
        secret = pictures({"b.png": 2}, folder="elsewhere") / "b.png"
        (folder / "c.png").symlink_to(secret)
        code, _, told = stonehand("import", "images", "scans", "-o", "p")
        assert code == 1
        assert told == "scans/c.png: error: is a link out of its folder (copy the file)\n"

    @pytest.mark.parametrize(
        "words",
        [["nowhere"], ["scans", "--bleed", "wide"], ["scans", "--bleed", "10%"], []],
    )
    def test_a_wrong_command_line_is_told(self, stonehand, pictures, words):
        pictures({"a.png": 1})
        assert stonehand("import", "images", *words)[0] == 2

    def test_a_project_is_not_written_over(self, stonehand, pictures, tmp_path):
        pictures({"a.png": 1})
        code, _, told = stonehand("import", "images", "scans")
        assert code == 1
        assert told.startswith("scans: error: has files in it already")
        assert {path.name for path in (tmp_path / "scans").iterdir()} == {"a.png"}


def _content(folder: Path) -> dict[str, tuple[str, int]]:
    """Return digest and time of change of all files of a folder."""
    return {
        path.name: (hashlib.sha256(path.read_bytes()).hexdigest(), path.stat().st_mtime_ns)
        for path in folder.iterdir()
    }
