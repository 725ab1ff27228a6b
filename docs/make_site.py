"""Hooks of the site (mkdocs.yml): fresh pictures, and pages that lie above this folder."""

import runpy
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

HERE = Path(__file__).parent
ABOVE = {
    "CHANGELOG.md": "CHANGELOG.md",
    "CREDITS.md": "CREDITS.md",
    "benchmarks/README.md": "benchmarks.md",
}
"""Pages of the repository that pages here link to, and what they are called on the site."""


def on_pre_build(config: MkDocsConfig) -> None:
    """Draw all pictures anew, by Stonehand."""
    runpy.run_path(str(HERE / "make_images.py"), run_name="__main__")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages from above."""
    for name, place in ABOVE.items():
        text = (HERE.parent / name).read_text("utf-8").replace("](docs/", "](")
        files.append(File.generated(config, place, content=text.replace("](LICENSE)", "](#)")))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Let links to pages above the folder lead to where they are on the site."""
    up = "../" * page.file.src_uri.count("/")
    for name, place in [*ABOVE.items(), ("README.md", "index.md")]:
        markdown = markdown.replace(f"]({up}../{name}", f"]({up}{place}")
    return markdown
