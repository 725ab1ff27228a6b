"""`stonehand list`: which games there are, and what is in them."""

import click

from stonehand.cli import report


@click.command("list")
@click.argument("games", nargs=-1, metavar="[GAME]...")
def command(games: tuple[str, ...]) -> None:
    """Show games: their kinds of cards with counts, and their languages."""
    from stonehand.cards.deck import load_game
    from stonehand.scene import ArtLike
    from stonehand.source.files import shown
    from stonehand.source.text import Text

    class NamedOnly:
        """Stands for art that is not looked at."""

        def load(self, path: object, name: Text) -> ArtLike:
            return self  # type: ignore[return-value]

    folders = [report.game_named(name) for name in games]
    with report.problems_told() as problems:
        for folder in folders or report.current_project().games().values():
            with problems.gather():
                game = load_game(folder, NamedOnly(), problems)
                total = sum(card.count for card in game.cards)
                languages = ", ".join(game.spec.languages)
                click.echo(f"{folder.name}: {game.title}, {total} cards, in {languages}")
                click.echo(f"  {shown(folder.folder)}")
                for kind, title in game.titles.items():
                    count = sum(card.count for card in game.cards if card.kind == kind)
                    click.echo(f"  {count:5}  {kind}: {title}")
