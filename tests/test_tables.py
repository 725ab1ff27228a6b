"""Catalogues as tables: CSV and spreadsheets give the cards that YAML gives, or say where not."""

import csv
import shutil
from pathlib import Path

import pytest
import yaml as pyyaml

from stonehand.cards.deck import LoadedGame
from stonehand.cards.reading import load_game
from stonehand.project import find_game, find_project
from stonehand.source.problems import Problems

# --- the shipped games, as tables


def rows_of(catalogue: dict) -> list[list[str]]:
    """Return a YAML catalogue as a table."""
    names = list(dict.fromkeys(name for card in catalogue["cards"] for name in card))
    return [names, *([cell(card.get(name, "")) for name in names] for card in catalogue["cards"])]


def cell(value: object) -> str:
    if isinstance(value, list):
        return "; ".join(value)
    if isinstance(value, dict):
        return "; ".join(f"{key}: {one}" for key, one in value.items())
    return str(value)


def said(game: LoadedGame) -> list[object]:
    """Return all that a game knows of its cards, but for places."""

    def value(one: object) -> object:
        return str(one), getattr(one, "context", "")

    return [
        (
            str(card.id),
            card.kind,
            card.count,
            card.counts,
            card.editions,
            card.back and card.back.template,
            {name: value(one) for name, one in card.values.items()},
        )
        for card in game.cards
    ]


@pytest.mark.parametrize("name", ["oniroo", "tweak", "witch"])
def test_a_shipped_game_in_csv_is_the_same_game(tmp_path: Path, shipped: Path, name: str) -> None:
    folder = tmp_path / "cards" / name
    folder.mkdir(parents=True)
    shutil.copytree(shipped / "cards" / name / "art", folder / "art")
    game = pyyaml.load((shipped / f"cards/{name}/game.yaml").read_text("utf-8"), pyyaml.BaseLoader)
    tables = []
    for file in game["catalogues"]:
        text = (shipped / "cards" / name / file).read_text("utf-8")
        catalogue = pyyaml.load(text, pyyaml.BaseLoader)
        table = {"file": f"{file}.csv", "kind": catalogue["kind"]}
        tables.append(table | {"defaults": catalogue.get("defaults", {})})
        with (folder / f"{file}.csv").open("w", encoding="utf-8", newline="") as target:
            csv.writer(target, delimiter=";").writerows(rows_of(catalogue))
    text = pyyaml.safe_dump(game | {"catalogues": tables}, allow_unicode=True, sort_keys=False)
    (folder / "game.yaml").write_text(text, "utf-8")
    problems = Problems()
    made = load_game(find_game(name, find_project(tmp_path)), problems)
    assert list(problems) == []
    wanted = load_game(find_game(name, find_project(shipped)), problems)
    assert said(made) == said(wanted)
