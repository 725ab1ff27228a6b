"""Tables of a rulebook: written ones, the components of the game, and a score sheet to fill in."""

from typing import TYPE_CHECKING

from msgspec.structs import replace

from stonehand.rules.blocks import Scores, Table
from stonehand.rules.style import ACCENT, HAIRLINE, TINT
from stonehand.scene import Box as Area
from stonehand.scene import Group, Mark, Matrix, Path, Stroke, Tag, polygon, rectangle
from stonehand.source.text import Text
from stonehand.typesetting import markup

if TYPE_CHECKING:
    from stonehand.rules.setting import Look, Piece, Setter, Wording

RULE = Stroke(HAIRLINE, 0.2)
CELL_SIZES = (0.83, 0.77, 0.72)  # tried in turn
CELL_PAD = 0.9  # mm; left and right of a cell's text


def table(setter: "Setter", block: Table, x: float, width: float) -> list["Piece"]:
    """Return the pieces of a table, a row each; those of one up to half a column keep together."""
    setter.where = Text(block.head[0].context, block.at)

    head = [setter.wording(cell) for cell in block.head]
    rows = [[setter.wording(cell) for cell in row] for row in block.rows]
    first, *rest = _set_table(setter, head, rows, x, width)
    return [replace(first, before=setter.unit), *rest]


def _set_table(
    setter: "Setter", head: list["Wording"], rows: list[list["Wording"]], x: float, width: float
) -> list["Piece"]:
    from stonehand.rules.setting import CELL, Piece

    columns = len(head)
    look, widths, over = CELL, [0.0], 0.0
    for size in CELL_SIZES:
        look = replace(CELL, size=size)
        widths, over = _widths(setter, [head, *rows], columns, width, look)
        if over > 0 and x == setter.hang:
            # a table that is too wide goes out to where the ids hang, and then gets smaller
            x, width = 0.0, width + setter.hang
            widths, over = _widths(setter, [head, *rows], columns, width, look)
        if over <= 0:
            break
    if over > 0:
        message = f"the table is {over:.1f} mm too wide for its column"
        setter.layouter.problems.finding(
            "wide-table", setter.where.at, message, "use a wider format"
        )
    bold = replace(look, weight=700, colour=ACCENT, role="TH")
    pad = setter.unit * (1 - CELL.lines) / 2  # a row of one line is one line of the grid
    tag = Tag("Table", setter.root)
    made: list[Piece] = []
    for number, row in enumerate([head, *rows]):
        row_tag = Tag("TR", tag)
        row_look = bold if number == 0 else look
        marks: list[Mark] = []
        height, at = 0.0, x
        for column, cell in enumerate(row):
            role = "TH" if number == 0 else "TD"
            scope = "Column" if number == 0 else ""
            cell_tag = Tag(role, row_tag, cell.code, scope=scope)
            inner = widths[column] - 2 * CELL_PAD
            y = pad
            left = at + CELL_PAD
            lines: list[Piece] = []
            if cell.spans:
                lines = setter.lines(cell.spans, left, inner, cell.look(row_look), cell_tag)
            else:
                marks.append(Group((), tag=cell_tag))  # an empty cell is one all the same
            for line in setter.barred(lines, cell, left):
                marks.append(line.shifted(0, y))
                y += line.height
            height = max(height, y + pad)
            at += widths[column]
        piece = setter.stacked([Piece(height, tuple(marks))])
        area = Area(x, 0, width, piece.height)
        ground = (Path(rectangle(area), fill=TINT),) if number == 0 else ()
        foot = _rule(x, piece.height, x + width, piece.height)
        made.append(replace(piece, marks=(*ground, foot, *piece.marks)))
    whole = sum(row.height for row in made) <= setter.room / 2
    # a table is divided only if it is long; even then, the head and the last row are not alone
    return [
        replace(piece, keep=number < len(rows) and (whole or number in (0, len(rows) - 1)))
        for number, piece in enumerate(made)
    ]


def _widths(
    setter: "Setter", rows: list[list["Wording"]], columns: int, width: float, look: "Look"
) -> tuple[list[float], float]:
    """Return the columns' widths, and by how many mm the table is too wide all the same.

    Each column holds its longest word; the rest is shared by need.
    """
    size = setter.size * look.size
    least, want = [0.0] * columns, [0.0] * columns
    for number, row in enumerate(rows):
        row_look = replace(look, weight=700) if number == 0 else look
        for i, cell in enumerate(row):
            if not cell.spans:
                continue
            paragraph = setter.paragraph(cell.spans, cell.look(row_look))
            _, excess = paragraph.lines(0.0, "left")
            lines, _ = paragraph.lines(1000.0, "left")
            least[i] = max(least[i], excess * size + 2 * CELL_PAD)
            want[i] = max(want[i], max(line.width for line in lines) * size + 2 * CELL_PAD + 0.2)
    over = sum(least) - width
    if over > 0.1:
        return [w * width / sum(least) for w in least], over
    spare = width - sum(least)
    need = [max(0.0, w - m) for w, m in zip(want, least, strict=True)]
    whole = sum(need)
    if whole <= spare:
        extra = (spare - whole) / columns
        return [m + n + extra for m, n in zip(least, need, strict=True)], 0.0
    return [m + n * spare / whole for m, n in zip(least, need, strict=True)], 0.0


def components(setter: "Setter", x: float, width: float) -> "Piece":
    """Return the table of components: each kind of card with its number, counted in the deck."""
    game = setter.layouter.game
    rows: list[list[Wording]] = []
    for kind, title in game.titles.items():
        count = setter.names.count(kind)
        words = str(setter.translations.text(title))
        rows.append([_plain(words), _plain(str(count))])
    total = str(setter.names.count(""))
    rows.append([_plain(setter.word("total"), strong=True), _plain(total, strong=True)])
    head = [_plain(setter.word("kind")), _plain(setter.word("count"))]
    return setter.stacked(_set_table(setter, head, rows, x, width))


def _plain(words: str, *, strong: bool = False) -> "Wording":
    from stonehand.rules.setting import Wording

    return Wording((markup.Span(words, strong=strong),))


def scores(setter: "Setter", block: Scores, x: float, width: float) -> "Piece":
    """Return a score sheet: a column for each player, a row for each round, and the total."""
    from stonehand.rules.setting import CELL, Piece

    row = setter.unit * 1.5
    first = min(16.0, width * 0.2)
    column = (width - first) / block.players
    labels = [setter.word("player"), *map(str, range(1, block.rows + 1)), setter.word("total")]
    tag = Tag("Table", setter.root)
    marks: list[Mark] = []
    for number, label in enumerate(labels):
        y = number * row
        row_tag = Tag("TR", tag)
        cell = Tag("TH", row_tag, scope="Row")
        look = replace(CELL, weight=700, size=0.8)
        line = setter.lines([markup.Span(label)], x + CELL_PAD, first - CELL_PAD, look, cell)[0]
        marks.append(Group(line.marks, Matrix.shift(0, y + (row - line.height) / 2)))
    height = row * len(labels)
    lines: list[Mark] = []
    for i in range(len(labels) + 1):
        lines.append(_rule(x, i * row, x + width, i * row))
    lines.append(_rule(x, 0, x, height))
    for i in range(block.players + 1):
        at = x + first + i * column
        lines.append(_rule(at, 0, at, height))
    sheet = setter.stacked([Piece(height, (*lines, *marks)), Piece(setter.unit * 0.3, ())])
    return replace(sheet, before=setter.unit)


def _rule(x1: float, y1: float, x2: float, y2: float) -> Path:
    return Path(polygon([(x1, y1), (x2, y2)], closed=False), stroke=RULE)
