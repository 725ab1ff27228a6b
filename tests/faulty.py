"""The faulty game: `faulty/` with the pictures and fonts that its faults need.

They are made here, since a repository shall hold no file that is wrong by itself.
"""

import shutil
from collections.abc import Callable
from pathlib import Path

from fontTools.ttLib import TTFont
from PIL import Image

FOLDER = Path(__file__).with_name("faulty")
BLUE = "#4466aa"


def lay_faulty(project: Path, make_font: Callable[..., Path]) -> None:
    """Copy the faulty game into a new folder, and make what it needs."""
    shutil.copytree(FOLDER, project)
    _pictures(project / "cards/faulty/art")
    fonts = project / "fonts"
    fonts.mkdir()
    (fonts / "page.woff2").write_bytes(b"wOF2")
    with TTFont(make_font(fonts / "closed.ttf", "Closed", letters="closed")) as font:
        font["OS/2"].fsType = 0x0002  # may not be embedded
        font.save(fonts / "closed.ttf")


def _pictures(art: Path) -> None:
    art.mkdir()

    def picture(name: str, size: tuple[int, int], mode: str = "RGB", colour=BLUE, **options):
        Image.new(mode, size, colour).save(art / name, **options)

    picture("coarse.png", (100, 100))
    picture("soft.png", (200, 200))
    picture("square.png", (400, 400))
    picture("unused.png", (9, 9))
    picture("press.jpg", (300, 300), "CMYK", (90, 60, 0, 0))
    picture("glass.png", (300, 300), "RGBA", (60, 80, 120, 128))
    picture("full.png", (815, 1110), "RGB", "#f4f4e8")  # a card with its bleed, at 300 dpi
    picture("profile.png", (300, 300), icc_profile=b"no profile")
    line = '<path stroke="#000" stroke-width=".2" d="M0 9H90"/>'
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 90 90">{line}</svg>'
    (art / "thin.svg").write_text(svg)
    second = Image.new("RGB", (300, 300), "#aa6644")
    picture("moving.gif", (300, 300), save_all=True, append_images=[second])
