"""`stonehand list`: which games there are, and what is in them."""

import click

from stonehand.cli import report


@click.command("list")
@click.argument("games", nargs=-1, metavar="[GAME]...")
def command(games: tuple[str, ...]) -> None:
    """Show games: their kinds of cards with counts, also by number of players, and languages.

    \b
    Examples:
      stonehand list
      stonehand list oniroo path/to/my-game
    """  # noqa: D301 -- click reads a backspace
    from stonehand.cards.reading import load_game
    from stonehand.source.files import shown
    from stonehand.source.problems import counted

    folders = [report.game_named(name) for name in games]
    with report.problems_told() as problems:
        for folder in folders or report.current_project().games().values():
            with problems.gather():
                game = load_game(folder, problems)
                total = sum(card.count for card in game.cards)
                languages = ", ".join(game.spec.languages)
                told = counted(total, "card")
                click.echo(f"{folder.name}: {game.title}, {told}, in {languages}")
                click.echo(f"  {shown(folder.folder)}")
                players = game.spec.players
                numbers = range(players.first, players.last + 1) if players else ()
                if players:
                    heads = "".join(f"{number:5}" for number in numbers)
                    click.echo(f"    all {heads}  for so many players")
                for kind, title in game.titles.items():
                    cards = [card for card in game.cards if card.kind == kind]
                    counts = [sum(card.count for card in cards)]
                    counts += [sum(c.counts.get(n, c.count) for c in cards) for n in numbers]
                    columns = "".join(f"{count:5}" for count in counts)
                    click.echo(f"  {columns}  {kind}: {title}")
