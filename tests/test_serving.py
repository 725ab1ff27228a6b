"""`stonehand serve` over HTTP: what the page is told, and what nobody else is."""

import asyncio
import json
import re
import signal
import socket
import subprocess
import sys
import time
from io import BytesIO
from pathlib import Path

import pytest
from faulty import lay_faulty
from PIL import Image
from served import change, lay_game
from starlette.testclient import TestClient
from test_bad_input import BAD, BASE, expected, lay

from stonehand import cli
from stonehand.project import find_game, find_project
from stonehand.scene import Box, Group, Matrix, Scene, rectangle
from stonehand.scene import Path as PathMark
from stonehand.serving import pictures
from stonehand.serving.app import PAGE, Site, application
from stonehand.serving.fingerprint import Fingerprints
from stonehand.serving.sources import _item
from stonehand.serving.watch import changes, watched

FAULTS = (  # cases of test_bad_input, one or two of each kind of file
    *("art-files", "card-larger-than-paper", "cards-fields", "everything", "fonts", "game-missing"),
    *("glyph-missing", "po-faults", "tables", "template-drawn", "text-does-not-fit", "yaml-syntax"),
)
SHEETS = ("card-larger-than-paper",)  # faults of these are told later
HERE = "http://127.0.0.1:8123"


class Page:
    """A game that is served, and asked as the page asks."""

    def __init__(self, name: str) -> None:
        self.site = Site(find_game(name, find_project(Path.cwd())))
        self.client = TestClient(application(self.site, follow=False), base_url=HERE)

    def get(self, what: str, **asked: str) -> dict:
        answer = self.client.get(f"/data/{what}", params=asked)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def faces(self, *ids: str, lang: str = "en") -> dict:
        return self.get("faces", lang=lang, ids=",".join(ids))["faces"]

    def picture(self, key: str, width: int = 320, bleed: str = "") -> Image.Image:
        answer = self.client.get(f"/picture/{key}-{width}{bleed}.png")
        assert answer.status_code == 200
        return Image.open(BytesIO(answer.content))

    def saved(self, *files: Path) -> None:
        asyncio.run(self.site.refresh(set(files)))


@pytest.fixture(scope="module")
def copied(tmp_path_factory):
    """A copy of ONIROO, and what is in its files."""
    cards = lay_game(tmp_path_factory.mktemp("project"), "oniroo")
    return cards, {path: path.read_bytes() for path in cards.parents[1].rglob("*.*")}


@pytest.fixture
def folder(copied, monkeypatch):
    """The cards of the copy, from whose project is served; in the end it is as it was."""
    cards, files = copied
    monkeypatch.chdir(cards.parents[1])
    yield cards
    for path, data in files.items():
        if path.read_bytes() != data:
            path.write_bytes(data)


@pytest.fixture
def page(folder):
    page = Page("oniroo")
    yield page
    page.site.end()


@pytest.fixture(scope="module")
def oniroo_page(tmp_path_factory):
    """ONIROO as it is shipped, for what changes nothing."""
    page = Page("oniroo")
    yield page
    page.site.end()


class TestGame:
    def test_is_told_with_all_its_cards(self, oniroo_page):
        told = oniroo_page.get("game")
        assert (told["title"], told["language"], len(told["cards"])) == ("Oniroo", "en", 173)
        assert [one["code"] for one in told["languages"]] == ["en", "hi", "el", "ko"]
        assert told["rules"]
        assert told["faults"] == []
        centaur = next(card for card in told["cards"] if card["id"] == "023")
        assert (centaur["kind"], centaur["name"], centaur["back"]) == ("symbol", "Centaur", True)
        assert centaur["fields"]["group"] == "myth"

    def test_is_told_in_the_language_that_is_asked_for(self, oniroo_page):
        names = {
            code: next(c["name"] for c in oniroo_page.get("game", lang=code)["cards"])
            for code in ("en", "ko")
        }
        assert names["en"] == "Owl"
        assert re.fullmatch("[가-힣]+", names["ko"])

    def test_tells_the_lines_that_each_card_was_written_in(self, oniroo_page):
        for card in oniroo_page.get("game")["cards"]:
            file, line, text = card["source"].values()
            lines = Path(file).read_text("utf-8").splitlines()
            assert "\n".join(lines[line - 1 :]).startswith(text)
            assert re.search(rf"id: \"?{card['id']}\b", text)

    def test_tells_the_fields_that_one_can_choose_by(self, oniroo_page):
        filters = {one["field"]: one["values"] for one in oniroo_page.get("game")["filters"]}
        assert {"group", "letter", "shape", "digit"} <= set(filters)
        assert not {"name", "art"} & set(filters)
        assert {value["value"] for value in filters["letter"]} == set("ABCDEF")

    def test_has_no_language_but_its_own(self, oniroo_page):
        for what in ("game", "faces", "sheets", "book", "findings"):
            assert oniroo_page.client.get(f"/data/{what}?lang=../en").status_code == 404


class TestSource:
    def test_of_a_block_is_all_its_lines(self):
        lines = [
            "cards:",
            "  - name: Ant",
            "    id: a",
            "",
            "    rule: |",
            "      Go.",
            "  - id: b",
        ]
        assert _item(lines, "x", 3)[1:3] == (2, 6)
        assert _item(lines, "x", 7)[1:3] == (7, 7)

    def test_of_what_is_no_list_is_the_line(self):
        assert _item(["id,name", "a,Ant", "b,Bee"], "x.csv", 3)[1:] == (3, 3, "b,Bee")


class TestPictures:
    def test_are_of_the_size_that_is_asked_for(self, oniroo_page):
        face = oniroo_page.faces("023")["023"]["front"]
        assert (face["width"], face["height"], face["bleed"]) == (63, 88, 3)
        assert oniroo_page.picture(face["key"]).size == (320, 447)
        assert oniroo_page.picture(face["key"], 1280).size == (1280, 1788)
        assert oniroo_page.picture(face["key"], 640, "b").size == (640, round(640 * 94 / 69))

    def test_are_kept_by_the_browser_for_good(self, oniroo_page):
        key = oniroo_page.faces("023")["023"]["front"]["key"]
        headers = oniroo_page.client.get(f"/picture/{key}-320.png").headers
        assert "immutable" in headers["cache-control"]
        assert headers["etag"]
        assert headers["content-type"] == "image/png"

    def test_of_faces_that_look_alike_are_one(self, oniroo_page):
        faces = oniroo_page.faces("001", "023")
        assert faces["001"]["back"]["key"] == faces["023"]["back"]["key"]
        assert faces["001"]["front"]["key"] != faces["023"]["front"]["key"]

    def test_differ_by_language_where_there_are_words(self, oniroo_page):
        keys = {
            code: oniroo_page.faces("023", lang=code)["023"]["front"]["key"]
            for code in ("en", "hi", "el", "ko")
        }
        assert len(set(keys.values())) == 4

    def test_show_what_prints(self, oniroo_page, press, oniroo, languages):
        card = next(card for card in oniroo.cards if card.id == "023")
        scene = press.layouter(oniroo, languages["en"]).front(card)
        key = oniroo_page.faces("023")["023"]["front"]["key"]
        assert Fingerprints().of(scene) == key
        assert len(oniroo_page.picture(key).getcolors(200_000)) > 100

    def test_of_what_is_cut_along_an_outline_show_nothing_around_it(self, tmp_path, monkeypatch):
        lay_game(tmp_path, "witch")
        monkeypatch.chdir(tmp_path)
        page = Page("witch")
        seal = next(card["id"] for card in page.get("game")["cards"] if card["kind"] == "seal")
        face = page.faces(seal)[seal]["front"]
        assert face["shape"].startswith("M")
        image = page.picture(face["key"])
        assert image.getpixel((0, 0))[3] == 0
        assert image.getpixel((image.width // 2, image.height // 2))[3] == 255
        page.site.end()

    def test_that_nobody_offered_are_not_found(self, oniroo_page):
        for name in ("0123456789abcdef-320.png", "x.png", "..%2f..%2fgame.yaml", "a-1.png"):
            assert oniroo_page.client.get(f"/picture/{name}").status_code == 404

    def test_take_no_more_memory_than_they_may(self, page, monkeypatch):
        monkeypatch.setattr(pictures, "LIMIT", 60_000)
        ids = [card["id"] for card in page.get("game")["cards"][:12]]
        for sides in page.faces(*ids).values():
            page.picture(sides["front"]["key"])
        kept = page.site.faces._made
        assert 0 < sum(map(len, kept.values())) == page.site.faces._size <= 60_000
        assert len(kept) < 12


class TestFingerprint:
    BOX = rectangle(Box(0, 0, 5, 5))

    def name(self, *marks, **more) -> str:
        return Fingerprints().of(Scene(9, 9, marks, **more))

    def test_is_told_by_what_is_seen(self):
        red, blue = PathMark(self.BOX, "#ff0000"), PathMark(self.BOX, "#0000ff")
        moved = Group((red,), Matrix.shift(1, 0))
        names = [self.name(red), self.name(blue), self.name(moved), self.name(red, bleed=3)]
        assert len(set(names)) == 4

    def test_does_not_tell_why_a_mark_is_there(self):
        assert self.name(PathMark(self.BOX, origin="a")) == self.name(PathMark(self.BOX))


class TestChange:
    def test_of_a_card_gives_it_a_new_picture_and_no_other(self, page, folder):
        before = page.faces("001", "002", "003")
        change(folder / "symbols.yaml", "name: Owl", "name: Bird")
        page.saved(folder / "symbols.yaml")
        after = page.faces("001", "002", "003")
        assert page.get("game")["cards"][0]["name"] == "Bird"
        assert after["001"]["front"]["key"] != before["001"]["front"]["key"]
        assert (after["002"], after["003"]) == (before["002"], before["003"])

    def test_of_a_drawing_gives_new_pictures_to_the_cards_that_have_it(self, page, folder):
        before = page.faces("001", "002")
        change(folder / "art/owl.svg", "<path", '<circle r="9"/><path')
        page.saved(folder / "art/owl.svg")
        after = page.faces("001", "002")
        assert after["001"]["front"]["key"] != before["001"]["front"]["key"]
        assert after["002"] == before["002"]
        page.picture(after["001"]["front"]["key"])

    def test_of_a_template_gives_new_pictures_to_all(self, page, folder):
        before = page.faces("001", "002")
        template = folder.parents[1] / "layouts/oniroo/symbol.yaml"
        change(template, "left: 5mm, right: 16.4mm", "left: 6mm, right: 16.4mm")
        page.saved(template)
        after = page.faces("001", "002")
        assert all(after[i]["front"]["key"] != before[i]["front"]["key"] for i in after)

    def test_is_told_to_pages_that_wait(self, page):
        async def told() -> list[str]:
            events = page.site.told()
            first = await anext(events)
            await page.site.refresh(set())
            second = await anext(events)
            await events.aclose()
            return [json.loads(event.removeprefix("data: ")) for event in (first, second)]

        first, second = asyncio.run(told())
        assert (first["number"], second["number"]) == (1, 2)
        assert first["run"] == second["run"]

    def test_is_seen_however_a_file_is_saved(self, folder):
        """Editors write into a file, or another beside it that takes its place."""
        game = find_game("oniroo", find_project(Path.cwd()))
        beside = folder / "symbols.new"

        async def seen() -> list[set[Path]]:
            following = changes(game)
            told = []
            for save in (
                lambda: change(folder / "symbols.yaml", "name: Owl", "name: Bird"),
                lambda: beside.write_text("{}") and beside.replace(folder / "fairies.yaml"),
                (folder / "codes.yaml").unlink,
            ):
                waiting = asyncio.ensure_future(anext(following))
                await asyncio.sleep(0.3)
                save()
                told.append(await asyncio.wait_for(waiting, 5))
            await following.aclose()
            return told

        for name, told in zip(("symbols", "fairies", "codes"), asyncio.run(seen()), strict=True):
            assert folder / f"{name}.yaml" in told
        (folder / "codes.yaml").touch()

    def test_is_looked_for_in_all_folders_of_a_project(self, page, folder):
        project = folder.parents[1]
        assert {project / "cards", project / "layouts", project / "i18n"} <= set(
            watched(page.site.folder)
        )
        (project / "fonts").mkdir()
        assert project / "fonts" in watched(page.site.folder)
        (project / "fonts").rmdir()


class TestFault:
    def test_in_a_catalogue_is_told_and_the_game_stays_as_it_was(self, page, folder):
        before = page.faces("001")
        change(folder / "symbols.yaml", "name: Owl", "nam: Owl")
        page.saved(folder / "symbols.yaml")
        told = page.get("game")
        [first, second] = told["faults"]
        assert first["place"] == "cards/oniroo/symbols.yaml:3:6"
        assert first["message"] == "'name' is missing"
        assert second["hint"] == "did you mean 'name'?"
        assert len(told["cards"]) == 173
        assert page.faces("001") == before
        page.picture(before["001"]["front"]["key"])

    def test_that_is_mended_is_told_no_more(self, page, folder):
        change(folder / "symbols.yaml", "name: Owl", "nam: Owl")
        page.saved(folder / "symbols.yaml")
        change(folder / "symbols.yaml", "nam: Owl", "name: Bird")
        page.saved(folder / "symbols.yaml")
        told = page.get("game")
        assert told["faults"] == []
        assert told["cards"][0]["name"] == "Bird"

    def test_in_the_table_of_languages_leaves_the_game_as_it_was(self, page, folder):
        before = page.faces("001")
        table = folder.parents[1] / "i18n/languages.yaml"
        table.write_text("en: [")
        page.saved(table)
        assert page.get("game")["faults"][0]["file"] == "i18n/languages.yaml"
        assert page.faces("001") == before
        table.unlink()
        page.saved(table)
        assert page.get("game")["faults"] == []

    def test_in_a_template_holds_the_pictures_of_its_cards(self, page, folder):
        before = page.faces("001", "002", "wake-up")
        template = folder.parents[1] / "layouts/oniroo/symbol.yaml"
        change(template, "style: name", "style: nam")
        page.saved(template)
        after = page.faces("001", "002", "wake-up")
        assert after["001"]["front"] == before["001"]["front"] | {"held": True}
        assert after["002"]["front"]["held"]
        assert after["wake-up"] == before["wake-up"]
        [fault] = page.get("game")["faults"]
        assert fault["place"].startswith("layouts/oniroo/symbol.yaml:6:")
        page.picture(after["001"]["front"]["key"], 640)

    def test_in_a_text_holds_the_picture_of_its_card_alone(self, page, folder):
        before = page.faces("001", "002")
        change(folder / "symbols.yaml", "name: Owl", "name: " + "Owl " * 60)
        page.saved(folder / "symbols.yaml")
        after = page.faces("001", "002")
        assert after["001"]["front"]["held"]
        assert after["002"] == before["002"]
        [fault] = page.get("game")["faults"]
        assert (fault["code"], fault["card"]) == ("text-overflow", "001")

    def test_that_is_there_at_first_leaves_what_can_be_shown(self, folder):
        change(folder / "symbols.yaml", "name: Owl", "nam: Owl")
        page = Page("oniroo")
        assert len(page.get("game")["faults"]) == 2
        page.picture(page.faces("002")["002"]["front"]["key"])
        page.site.end()

    def test_that_leaves_no_game_leaves_a_page_that_waits(self, folder):
        good = (folder / "game.yaml").read_text("utf-8")
        (folder / "game.yaml").write_text("title: [")
        page = Page("oniroo")
        told = page.get("game")
        assert (told["cards"], told["language"]) == ([], "")
        assert told["faults"][0]["file"] == "cards/oniroo/game.yaml"
        (folder / "game.yaml").write_text(good, "utf-8")
        page.saved(folder / "game.yaml")
        assert len(page.get("game")["cards"]) == 173
        page.site.end()


class TestAnyFault:
    """Cases of test_bad_input, each saved over a good game while it is shown."""

    def everything(self, page: Page) -> list[dict]:
        game = page.get("game")
        ids = ",".join(card["id"] for card in game["cards"])
        for language in game["languages"]:
            page.get("faces", lang=language["code"], ids=ids)
        return page.get("game")["faults"]

    @pytest.mark.parametrize("case", FAULTS)
    def test_is_told_and_when_it_is_mended_all_is_well(self, tmp_path, monkeypatch, case):
        monkeypatch.chdir(tmp_path)
        lay(BASE, tmp_path)
        page = Page("tiny")
        assert self.everything(page) == []
        lay(BAD / case, tmp_path)
        page.saved(*tmp_path.rglob("*.*"))
        wanted = {line.split(": ")[0] for line in expected(BAD / case) if ": error: " in line}
        told = {fault["place"] for fault in self.everything(page)}
        assert told <= wanted
        assert told or case in SHEETS or not wanted
        for path in filter(Path.is_file, tmp_path.rglob("*")):
            path.unlink()
        lay(BASE, tmp_path)
        page.saved(*tmp_path.rglob("*.*"))
        assert self.everything(page) == []
        page.site.end()

    def test_of_a_sheet_is_told_with_the_sheets(self, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        lay(BASE, tmp_path)
        lay(BAD / "margin-leaves-no-room", tmp_path)
        page = Page("tiny")
        told = page.get("sheets", lang="en")
        assert [fault["place"] for fault in told["faults"]] == ["cards/tiny/game.yaml:2:1"]
        page.site.end()


class TestSlowThings:
    def test_sheets_are_those_that_print(self, page):
        [part] = page.get("sheets", lang="en")["parts"]
        assert part["title"] == "cards"
        assert [one["name"] for one in part["pages"]] == ["front", "back"] * 20
        assert page.picture(part["pages"][0]["key"]).size == (320, 453)

    def test_the_book_has_its_pages(self, tmp_path, monkeypatch):
        lay_game(tmp_path, "tweak")
        monkeypatch.chdir(tmp_path)
        page = Page("tweak")
        [part] = page.get("book", lang="ko")["parts"]
        assert [one["name"] for one in part["pages"]][:3] == ["1", "2", "3"]
        assert page.picture(part["pages"][0]["key"], 640).size == (640, 905)
        page.site.end()

    def test_findings_are_those_of_the_checks_with_their_cards(
        self, tmp_path, make_font, monkeypatch, capsys
    ):
        lay_faulty(tmp_path / "project", make_font)
        monkeypatch.chdir(tmp_path / "project")
        page = Page("faulty")
        code = page.get("game")["language"]
        found = page.get("findings", lang=code)["findings"]
        page.site.end()
        monkeypatch.setattr("sys.argv", ["stonehand", "check", "faulty", "-l", code, "-q"])
        cli._run()
        said = capsys.readouterr().out.splitlines()
        assert [line.split(": ")[0] for line in said] == [one["place"] for one in found]
        seen = {one["code"]: one for one in found}
        assert seen["coarse-picture"]["card"]
        assert len(seen["coarse-picture"]["extent"]) == 4
        assert seen["coarse-picture"]["cause"]
        assert seen["coarse-picture"]["cure"]

    def test_findings_of_a_game_that_has_changed_are_given_up(self, page):
        def changed(*_, **__):
            page.site.desk.number += 1
            page.site._pause(1)()

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("stonehand.serving.app.look_over", changed)
            assert page.get("findings", lang="en") == {"outdated": True}


class TestGuard:
    @pytest.mark.parametrize("host", ["evil.example", "evil.example:8123", "127.0.0.1.evil", ""])
    def test_refuses_names_that_are_not_of_this_machine(self, oniroo_page, host):
        for path in ("/", "/data/game", "/events"):
            assert oniroo_page.client.get(path, headers={"Host": host}).status_code == 421

    @pytest.mark.parametrize("host", ["localhost:8123", "127.0.0.1:1", "127.0.0.1"])
    def test_knows_the_names_of_this_machine(self, oniroo_page, host):
        assert oniroo_page.client.get("/", headers={"Host": host}).status_code == 200

    @pytest.mark.parametrize("path", ["/", "/data/game", "/picture/x", "/nothing"])
    def test_lets_the_browser_load_nothing_from_elsewhere(self, oniroo_page, path):
        headers = oniroo_page.client.get(path).headers
        policy = headers["content-security-policy"]
        assert policy.startswith("default-src 'none';")
        assert "unsafe" not in policy
        assert "http" not in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert "access-control-allow-origin" not in headers

    @pytest.mark.parametrize(
        "path",
        [
            "/page/../app.py",
            "/page/..%2fapp.py",
            "/page/%2e%2e/app.py",
            "/page/....//app.py",
            "/page//etc/passwd",
            "/page/",
            "/..%2f..%2fcards/oniroo/game.yaml",
            "/data/faces?lang=en&ids=../../game.yaml",
        ],
    )
    def test_gives_no_other_file(self, oniroo_page, path):
        answer = oniroo_page.client.get(path)
        assert answer.status_code == 404 or answer.json()["faces"] == {}

    def test_takes_nothing_but_questions(self, oniroo_page):
        for path in ("/", "/data/game", "/picture/x"):
            assert oniroo_page.client.post(path).status_code == 405


class TestFiles:
    def test_of_the_page_are_all_there(self, oniroo_page):
        text = oniroo_page.client.get("/").text
        wanted = set(re.findall(r'"(/page/[\w.]+)"', text))
        for script in PAGE.glob("*.js"):
            wanted |= set(re.findall(r'from "(/page/[\w.]+)"', script.read_text("utf-8")))
        assert "/page/app.js" in wanted
        for path in wanted:
            assert oniroo_page.client.get(path).status_code == 200, path

    def test_name_nothing_elsewhere_and_hold_no_script_in_the_page(self):
        for path in PAGE.iterdir():
            text = path.read_text("utf-8").replace("http://www.w3.org/2000/svg", "")
            assert "http:" not in text, path
            assert "https:" not in text, path
            assert "innerHTML" not in text, path
        page = (PAGE / "index.html").read_text("utf-8")
        assert not re.search(r"<script(?! type=\"module\" src)|<style|\son\w+=|style=", page)

    def test_are_not_sent_again_if_the_browser_has_them(self, oniroo_page):
        tag = oniroo_page.client.get("/page/app.js").headers["etag"]
        again = oniroo_page.client.get("/page/app.js", headers={"If-None-Match": tag})
        assert (again.status_code, again.content) == (304, b"")


AUDITED = """
import sys

def hook(event, arguments):
    if event in ("socket.bind", "socket.connect", "socket.getaddrinfo", "subprocess.Popen"):
        print(event, arguments[1:], file=sys.stderr, flush=True)

sys.addaudithook(hook)
from stonehand.cli import main
main()
"""


class TestCommand:
    def run(self, monkeypatch, capsys, *words: str) -> tuple[int, str]:
        monkeypatch.setattr("sys.argv", ["stonehand", "serve", *words])
        return cli._run(), capsys.readouterr().err

    def test_serves_until_ctrl_c_and_calls_nobody(self, folder):
        """The promise of the README, as Python's own audit sees it."""
        served = subprocess.Popen(
            [sys.executable, "-c", AUDITED, "serve", "--port", "0", "--no-open"],
            cwd=folder.parents[1],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        said = served.stdout.readline()
        port = int(re.fullmatch(r"oniroo is shown at http://127\.0\.0\.1:(\d+)/ .*\n", said)[1])
        with socket.create_connection(("127.0.0.1", port), timeout=10) as events:
            events.sendall(b"GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")
            heard = events.recv(4096)
            while b'"number": 1' not in heard:
                heard += events.recv(4096)
            change(folder / "symbols.yaml", "name: Owl", "name: Bird")
            while b'"number": 2' not in heard:
                heard += events.recv(4096)
            with socket.create_connection(("127.0.0.1", port), timeout=10) as checks:
                checks.sendall(b"GET /data/findings?lang=en HTTP/1.1\r\nHost: localhost\r\n\r\n")
                time.sleep(0.2)
                served.send_signal(signal.SIGINT)
                out, err = served.communicate(timeout=1)
        assert (served.returncode, out) == (0, "")
        assert err == "socket.bind (('127.0.0.1', 0),)\n"

    def test_tells_that_a_port_is_taken(self, monkeypatch, capsys):
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            port = str(taken.getsockname()[1])
            code, err = self.run(monkeypatch, capsys, "oniroo", "--port", port, "--no-open")
        assert code == 2
        assert err.startswith(f"command line: error: port {port} can't be used: ")
        assert err.endswith("(name another with --port)\n")

    def test_tells_what_to_install(self, monkeypatch, capsys):
        monkeypatch.setitem(sys.modules, "uvicorn", None)
        monkeypatch.delitem(sys.modules, "stonehand.serving.server", raising=False)
        code, err = self.run(monkeypatch, capsys, "oniroo")
        assert code == 2
        assert "(pip install 'stonehand[serve]')" in err

    def test_asks_which_game_of_several(self, monkeypatch, capsys, shipped):
        monkeypatch.chdir(shipped)
        code, err = self.run(monkeypatch, capsys)
        assert code == 2
        assert "name a game: oniroo, tweak, witch" in err
