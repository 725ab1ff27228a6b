"""Write the pictures of the page of `stonehand serve`: `python docs/make_screenshot.py`.

They are made apart from the others, since they need Chromium (on Debian, the package `chromium`),
which Playwright drives. Labels are in the fonts of the machine that they are made on.
"""

import re
import shutil
import subprocess
import sys
from io import BytesIO
from pathlib import Path

from PIL import Image

ROOT = Path(__file__).parent.parent
IMAGES = ROOT / "docs/images"
PICTURES = ("serve.png", "serve-card.png")
SIZE = {"width": 1290, "height": 640}
COLOURS = 256  # of a picture, to keep it small
COMMAND = "from stonehand.cli import main; main()"


def main() -> None:
    """Serve ONIROO, and keep what is seen of all its cards and of one."""
    command = [sys.executable, "-c", COMMAND, "serve", "oniroo", "--port", "0", "--no-open"]
    served = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert served.stdout
    found = re.search(r"http://\S+", served.stdout.readline())
    assert found
    try:
        for name, data in zip(PICTURES, seen(found[0]), strict=True):
            image = Image.open(BytesIO(data)).convert("RGB")
            few = image.quantize(COLOURS, kmeans=3, dither=Image.Dither.NONE)
            few.save(IMAGES / name, optimize=True)
    finally:
        served.terminate()


def seen(address: str) -> tuple[bytes, bytes]:
    """Return screenshots of the grid and of a card with its guides."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        page = browser.new_page(viewport=SIZE)
        page.goto(address)
        page.locator('.tile[data-id="021"] img').wait_for()
        page.get_by_text(re.compile(r"^Findings \d")).wait_for()
        grid = page.screenshot()
        page.goto(f"{address}#card=083")
        page.locator("#card img").wait_for()
        page.keyboard.press("b")
        page.locator("#card svg .trim").wait_for()
        page.wait_for_timeout(500)
        card = page.screenshot()
        browser.close()
        return grid, card


if __name__ == "__main__":
    main()
