"""`stonehand serve` in a browser: what a designer sees, and sees change."""

import os
import re
import shutil
import signal
import subprocess
import sys
from io import BytesIO

import pytest
from PIL import Image
from served import change, lay_game

CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), ""
)
if not CHROMIUM and "CI" not in os.environ:
    pytest.skip("no Chromium here to look at the page with", allow_module_level=True)

from playwright.sync_api import expect, sync_playwright  # noqa: E402

PROGRAM = "from stonehand.cli import main; main()"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return lay_game(tmp_path_factory.mktemp("served"), "tweak")


@pytest.fixture(scope="module")
def address(folder):
    """Where the copy of TWEAK! is served."""
    served = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, "serve", "tweak", "--port", "0", "--no-open"],
        cwd=folder.parents[1],
        stdout=subprocess.PIPE,
        text=True,
    )
    yield re.search(r"http://\S+", served.stdout.readline())[0]
    served.send_signal(signal.SIGINT)
    served.communicate(timeout=5)
    assert served.returncode == 0


@pytest.fixture(scope="module")
def browser():
    assert CHROMIUM, "install Chromium: .ci/run does so"
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    with sync_playwright() as playwright:
        options = ["--no-sandbox"] if root else []
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=options)
        yield browser
        browser.close()


@pytest.fixture
def opened(browser, address):
    """Opens the page; at the end, nothing may have been asked of others, nor gone wrong."""
    wrong: list[str] = []
    contexts = []

    def go(at: str = "", **options):
        context = browser.new_context(**{"viewport": {"width": 1100, "height": 760}, **options})
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("console", lambda said: said.type == "error" and wrong.append(said.text))
        page.on("request", lambda r: r.url.startswith(address) or wrong.append(r.url))
        page.set_default_timeout(15_000)
        page.goto(address + at)
        return page

    yield go
    for context in contexts:
        context.close()
    assert wrong == []


def tile(page, card: str):
    return page.locator(f'.tile[data-id="{card}"]')


def picture(page, card: str) -> str:
    image = tile(page, card).locator("img")
    image.wait_for()
    return image.get_attribute("src")


def colours(page, what=None) -> int:
    """Return how many colours a screenshot has: a blank one has few."""
    image = Image.open(BytesIO((what or page).screenshot())).convert("RGB")
    return len(image.getcolors(1 << 24))


def corner(page) -> int:
    """Return how light the corner of a screenshot is, from 0 to 255."""
    return Image.open(BytesIO(page.screenshot())).convert("L").getpixel((2, 2))


def test_all_cards_are_there_and_those_in_the_window_are_drawn(opened, folder):
    page = opened()
    expect(page.locator("#title")).to_have_text("TWEAK!")
    cards = page.locator(".tile").count()
    assert str(cards) in page.locator("#count-cards").inner_text()
    first = page.locator(".tile").first
    first.locator("img").wait_for()
    assert first.locator("img").evaluate("image => image.naturalWidth") >= 320
    assert colours(page) > 200
    assert corner(page) > 200
    expect(page.locator("#banner")).to_be_hidden()


def test_search_and_kinds_leave_the_cards_that_are_meant(opened):
    page = opened()
    page.locator(".tile img").first.wait_for()
    page.keyboard.press("/")
    page.keyboard.type("seven")
    shown = page.locator(".tile")
    expect(page.locator("#count-cards")).to_contain_text("/")
    assert all(
        "seven" in one or "7" in one for one in shown.evaluate_all("t => t.map(e => e.dataset.id)")
    )
    page.keyboard.type(" no such card")
    expect(page.locator("#none")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#none")).to_be_hidden()
    chip = page.locator("#kinds button").nth(1)
    chip.click()
    expect(page.locator("#kinds button").nth(1)).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#count-cards")).to_contain_text("/")


def test_keys_turn_cards_and_change_the_language(opened):
    page = opened()
    card = page.locator(".tile").first.get_attribute("data-id")
    front = picture(page, card)
    page.keyboard.press("f")
    expect(tile(page, card).locator("img")).not_to_have_attribute("src", front)
    page.keyboard.press("f")
    expect(tile(page, card).locator("img")).to_have_attribute("src", front)
    page.keyboard.press("l")
    expect(page.locator("html")).to_have_attribute("lang", "hi")
    assert "lang=hi" in page.url
    page.locator("#language").select_option("ko")
    expect(page.locator("html")).to_have_attribute("lang", "ko")
    page.go_back()
    expect(page.locator("html")).to_have_attribute("lang", "hi")


def test_a_card_is_shown_large_with_its_guides_and_its_lines(opened):
    page = opened()
    page.locator(".tile img").first.wait_for()
    page.locator(".tile").first.click()
    dialog = page.locator("#card")
    dialog.locator("img").wait_for()
    assert dialog.locator("img").evaluate("image => image.naturalWidth") >= 640
    assert dialog.locator("pre").inner_text().strip().startswith("- {")
    expect(dialog.locator("button.place").first).to_have_text(re.compile(r"^cards/tweak/.*:\d+$"))
    page.keyboard.press("b")
    expect(dialog.locator("svg .trim")).to_have_count(1)
    expect(dialog.locator("svg .safe")).to_have_count(1)
    assert dialog.locator("img").get_attribute("src").endswith("b.png")
    assert colours(page, dialog.locator(".face")) > 50
    name = dialog.locator("h2").inner_text()
    first = page.url
    page.keyboard.press("ArrowRight")
    expect(page).not_to_have_url(first)
    page.keyboard.press("ArrowLeft")
    expect(dialog.locator("h2")).to_have_text(name)
    page.keyboard.press("+")
    expect(dialog.locator(".zoom")).to_have_text("150 %")
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    assert page.evaluate("history.length") <= 3  # about:blank, the grid, the card
    expect(page.locator(".tile").first).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".tile").nth(1)).to_be_focused()


def test_a_saved_file_changes_the_page_and_a_broken_one_does_not_empty_it(opened, folder):
    page = opened()
    card = page.locator(".tile").first.get_attribute("data-id")
    other = page.locator(".tile").nth(1).get_attribute("data-id")
    before, unchanged = picture(page, card), picture(page, other)
    catalogue = folder / "numbers.yaml"
    good = catalogue.read_text("utf-8")
    value = re.search(r"value: (\d)", good)[0]
    template = folder.parents[1] / "layouts/tweak/number.yaml"
    catalogue.write_text(good.replace(value, "value: 5", 1), "utf-8")
    expect(tile(page, card).locator("img")).not_to_have_attribute("src", before)
    assert picture(page, other) == unchanged
    now = picture(page, card)
    catalogue.write_text(good.replace(value, "valu: 5", 1), "utf-8")
    banner = page.locator("#banner")
    expect(banner).to_be_visible()
    expect(banner).to_contain_text("cards/tweak/numbers.yaml:")
    expect(banner).to_contain_text("did you mean 'value'?")
    assert picture(page, card) == now
    assert colours(page) > 200
    catalogue.write_text(good, "utf-8")
    expect(banner).to_be_hidden()
    expect(tile(page, card).locator("img")).to_have_attribute("src", before)
    tile(page, card).click()
    change(template, "elements:", "element:")
    expect(page.locator("#card .about")).to_contain_text("layouts/tweak/number.yaml:")
    expect(page.locator("#card .face.held")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(banner).to_be_visible()
    expect(tile(page, card).locator(".face.held")).to_have_count(1)
    assert picture(page, card) == before
    change(template, "element:", "elements:")
    expect(banner).to_be_hidden()
    expect(tile(page, card).locator(".face.held")).to_have_count(0)


def test_sheets_rules_and_findings_have_their_views(opened):
    page = opened()
    page.get_by_role("button", name="Sheets").click()
    page.locator("#sheets .pages img").first.wait_for()
    assert page.locator("#sheets .pages button").count() >= 16
    page.get_by_role("button", name="Rules").click()
    page.locator("#rules .pages img").first.wait_for(timeout=20_000)
    page.locator("#rules .pages button").first.click()
    page.locator("dialog.alone img").wait_for()
    assert colours(page) > 100
    page.keyboard.press("Escape")
    expect(page.locator("dialog.alone")).to_have_count(0)
    page.get_by_role("button", name="Findings").click()
    expect(page.locator("#count-findings")).to_have_text(re.compile(r"^\d+$"), timeout=20_000)
    expect(page.locator("#findings")).not_to_contain_text("Looking")


def test_a_phone_in_the_dark_shows_all_without_scrolling_sideways(opened):
    phone = {"viewport": {"width": 390, "height": 800}, "color_scheme": "dark", "has_touch": True}
    page = opened(**phone)
    page.locator(".tile img").first.wait_for()
    wide = "document.documentElement.scrollWidth"
    assert page.evaluate(wide) <= 390
    assert corner(page) < 80
    page.locator(".tile").first.tap()
    page.locator("#card img").wait_for()
    assert page.evaluate(wide) <= 390
    box = page.locator("#card .face").bounding_box()
    assert 200 < box["width"] <= 390
    page.get_by_role("button", name="Close").tap()
    expect(page.locator("#card")).to_be_hidden()


def test_dark_and_light_can_be_chosen(opened):
    page = opened(color_scheme="dark")
    html = page.locator("html")
    expect(html).to_have_attribute("data-theme", "dark")
    page.locator("#theme").click()
    expect(html).to_have_attribute("data-theme", "light")
    page.reload()
    expect(html).to_have_attribute("data-theme", "light")
