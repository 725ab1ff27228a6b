"""`stonehand list`: which games there are, and what is in them."""

import click

from stonehand.cli import report


@click.command("list")
@click.argument("games", nargs=-1, metavar="[GAME]...")
def command(games: tuple[str, ...]) -> None:
    """Show games: their kinds of cards with counts, and their languages.

    \b
    Examples:
      stonehand list
      stonehand list oniroo path/to/my-game
    """  # noqa: D301 -- click reads a backspace
    from stonehand.cards.deck import load_game
    from stonehand.source.files import shown

    folders = [report.game_named(name) for name in games]
    with report.problems_told() as problems:
        for folder in folders or report.current_project().games().values():
            with problems.gather():
                game = load_game(folder, problems)
                total = sum(card.count for card in game.cards)
                languages = ", ".join(game.spec.languages)
                cards = "1 card" if total == 1 else f"{total} cards"
                click.echo(f"{folder.name}: {game.title}, {cards}, in {languages}")
                click.echo(f"  {shown(folder.folder)}")
                for kind, title in game.titles.items():
                    count = sum(card.count for card in game.cards if card.kind == kind)
                    click.echo(f"  {count:5}  {kind}: {title}")
