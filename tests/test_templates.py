"""Face templates: what each element draws where, read from the Scene, in mm."""

# ruff: noqa: E501  (one element a line reads best)

from pathlib import Path
from textwrap import dedent

import pytest

from stonehand.cards.deck import Card
from stonehand.cards.layout import Layouter
from stonehand.press import Press
from stonehand.project import find_game, find_project
from stonehand.scene import Box, GlyphRun, Group, Matrix, Picture, Scene
from stonehand.scene import Path as Drawn
from stonehand.source.problems import Problems, StonehandError

OWL = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 10">
<rect width="20" height="10"/></svg>"""

GAME = """
    title: Test
    languages: [en]
    catalogues: [all.yaml]
    icons: icons
    colours: {paint: "#123456"}
    lists:
      suit:
        fields: {name: text, colour: word}
        values: {sun: {name: Sun, colour: "#ffcc00"}, moon: {name: Moon, colour: "#0000cc"}}
    texts: {hello: Hello there}
    styles:
      shout: {size: 12pt, weight: 700, colour: paint, align: center}
    kinds:
      plain:
        title: Plain card
        front: face
        fields:
          name: text
          art: {type: picture, optional: true}
          suit: suit
          tags: {type: list, optional: true}
          hot: flag
          wide: {type: word, default: 10mm}
"""
CARDS = """
    kind: plain
    cards:
      - {id: a, name: Owl, art: owl, suit: sun, tags: [one, two, three], hot: yes}
      - {id: b, name: Fox, suit: moon}
"""


SIZE = "size: {width: 60mm, height: 80mm}"


@pytest.fixture
def lay(tmp_path: Path):
    """Return a function that gives what lays out cards with a template, its problems and cards."""

    def laid(elements: str, head: str = SIZE) -> tuple[Layouter, Problems, dict[str, Card]]:
        game = tmp_path / "cards" / "test"
        (game / "art" / "icons").mkdir(parents=True, exist_ok=True)
        (tmp_path / "layouts").mkdir(exist_ok=True)
        (game / "game.yaml").write_text(dedent(GAME))
        (game / "all.yaml").write_text(dedent(CARDS))
        (game / "art" / "owl.svg").write_text(OWL)
        (game / "art" / "icons" / "star.svg").write_text(OWL)
        template = f"{head}\nelements:\n" + dedent(elements)
        (tmp_path / "layouts" / "face.yaml").write_text(template)
        problems = Problems()
        press = Press(find_project(tmp_path), problems)
        loaded = press.load(find_game(str(game), press.project))
        layouter = press.layouter(loaded, press.languages["en"])
        return layouter, problems, {str(card.id): card for card in loaded.cards}

    return laid


@pytest.fixture
def draw(lay):
    """Return a function that gives the Scene of a card drawn by a template's elements."""

    def drawn(elements: str, card: str = "a", head: str = SIZE) -> Scene:
        layouter, problems, cards = lay(elements, head)
        scene = layouter.front(cards[card])
        problems.raise_errors()
        assert scene
        return scene

    return drawn


def test_anchors_are_those_of_the_card_itself(lay):
    """Also within parts that are drawn once for all cards, or where another card has one more."""
    head = f"""{SIZE}
parts:
  frame: [{{draw: rect, fill: "#111111", anchor: frame, width: 20mm, height: 10mm}}]
  named: [{{draw: text, text: $word, style: shout, anchor: word, height: 8mm}}]"""
    layouter, problems, cards = lay(
        """
        - {draw: use, part: frame, left: 5mm, top: 5mm, width: 30mm, height: 20mm}
        - {draw: use, part: named, values: {word: Owl}, top: 30mm, height: 10mm}
        - {draw: picture, picture: $art, anchor: art, when: $art, top: 50mm, height: 20mm}
        """,
        head,
    )
    both = {"frame": Box(10, 10, 20, 10), "word": Box(0, 31, 60, 8)}
    for _ in range(2):
        assert layouter.anchors(cards["a"]) == {**both, "art": Box(0, 50, 60, 20)}
        assert layouter.anchors(cards["b"]) == both
    problems.raise_errors()


def boxes(scene: Scene) -> list[tuple[float, ...]]:
    """Return left, top, width and height of every outline and picture on the card."""
    found = []
    for mark, matrix in scene.walk():
        if isinstance(mark, Drawn):
            points = [p for _, p in mark.outline if p]
            xs = [x for p in points for x in p[::2]]
            ys = [y for p in points for y in p[1::2]]
            corners = [matrix(min(xs), min(ys)), matrix(max(xs), max(ys))]
        elif isinstance(mark, Picture):
            b = mark.box
            corners = [matrix(b.x, b.y), matrix(b.right, b.bottom)]
        else:
            continue
        (x1, y1), (x2, y2) = corners
        found.append(tuple(round(v, 3) for v in (x1, y1, x2 - x1, y2 - y1)))
    return found


def texts(scene: Scene) -> list[str]:
    return scene.text.split("\n")


@pytest.mark.parametrize(
    ("placed", "expected"),
    [
        ("", (0, 0, 60, 80)),
        ("left: 5mm, top: 10mm, right: 5mm, bottom: 20mm,", (5, 10, 50, 50)),
        ("left: 5mm, width: 10mm, top: 1cm, height: 0.5in,", (5, 10, 10, 12.7)),
        ("right: 5mm, width: 10mm, bottom: 72pt, height: 10mm,", (45, 44.6, 10, 10)),
        ("width: 50%, height: 25%,", (15, 30, 30, 20)),
        ("left: -3mm, top: -3mm, right: -3mm, bottom: -3mm,", (-3, -3, 66, 86)),
        ("bleed: true,", (-3, -3, 66, 86)),
        ("left: 5mm, width: $wide, top: 0, height: 5mm,", (5, 0, 10, 5)),
    ],
)
def test_a_box_is_told_by_any_edges_and_sizes(draw, placed, expected):
    assert boxes(draw(f"- {{draw: rect, {placed} fill: '#fff'}}")) == [expected]


def test_shapes_fill_their_box(draw):
    scene = draw("""
        - {draw: ellipse, left: 5mm, top: 5mm, width: 20mm, height: 10mm, fill: paint}
        - {draw: polygon, points: [[0, 0], [100%, 50%], [0, 100%]], left: 1mm, top: 2mm, width: 4mm, height: 6mm, stroke: "#000"}
        - {draw: line, left: 10mm, top: 10mm, width: 10mm, height: 5mm, stroke: "#f00", line: 1mm, dash: [2mm, 1mm]}
        - {draw: path, d: M0 0 L4 0 Q4 4 0 4 Z, left: 30mm, top: 40mm, width: 4mm, height: 4mm, fill: "#abc"}
    """)
    assert boxes(scene) == [(5, 5, 20, 10), (1, 2, 4, 6), (10, 10, 10, 5), (30, 40, 4, 4)]
    marks = [mark for mark, _ in scene.walk()]
    assert [mark.fill for mark in marks] == ["#123456", None, None, "#aabbcc"]
    assert marks[2].stroke.width == 1 and marks[2].stroke.dash == (2, 1)


def test_a_level_line_needs_no_height(draw):
    assert boxes(
        draw('- {draw: line, left: 5mm, right: 5mm, top: 9mm, bottom: 71mm, stroke: "#000"}')
    ) == [(5, 9, 50, 0)]


@pytest.mark.parametrize(
    ("fit", "expected"),
    [
        ("contain", (10, 15, 20, 10)),
        ("contain, valign: top, align: left", (10, 10, 20, 10)),
        ("contain, valign: bottom", (10, 20, 20, 10)),
        ("cover", (0, 10, 40, 20)),
        ("stretch", (10, 10, 20, 20)),
    ],
)
def test_a_picture_is_fitted(draw, fit, expected):
    scene = draw(
        f"- {{draw: picture, picture: $art, fit: {fit}, left: 10mm, top: 10mm, width: 20mm, height: 20mm}}"
    )
    assert boxes(scene) == [expected]


def test_a_picture_that_covers_is_cut_at_its_box(draw):
    scene = draw("- {draw: picture, picture: $art, fit: cover, width: 20mm, height: 20mm}")
    group = next(mark for mark in scene.marks if isinstance(mark, Group))
    assert group.clip is not None


def test_an_optional_picture_that_a_card_leaves_out_draws_nothing(draw):
    assert not draw("- {draw: picture, picture: $art}", card="b").marks


def test_text_takes_fields_properties_and_texts(draw):
    scene = draw("""
        - {draw: text, text: "$name: ${suit.name} $$5, $kind, $id"}
        - {draw: text, text: $text.hello, top: 10mm}
        - {draw: text, text: "$game $lists.suit.moon.name", top: 20mm, style: shout}
    """)
    assert texts(scene) == ["Owl: Sun $5, Plain card, a", "Hello there", "Test Moon"]
    run = [mark for mark, _ in scene.walk() if isinstance(mark, GlyphRun)][2]
    assert run.colour == "#123456"
    assert run.size == pytest.approx(12 * 25.4 / 72)
    assert run.x + run.width / 2 == pytest.approx(30)


def test_colours_follow_a_fields_property(draw):
    elements = "- {draw: rect, fill: $suit.colour}"
    assert draw(elements, "a").marks[0].fill == "#ffcc00"
    assert draw(elements, "b").marks[0].fill == "#0000cc"


def test_conditions_choose_what_is_drawn(draw):
    elements = """
        - {draw: text, text: hot, when: $hot}
        - {draw: text, text: cold, unless: $hot}
        - {draw: text, text: pictured, when: $art}
        - {draw: text, text: sunny, when: {suit: sun}}
        - {draw: text, text: known, when: {suit: [moon, sun], id: b}}
    """
    assert texts(draw(elements, "a")) == ["hot", "pictured", "sunny"]
    assert texts(draw(elements, "b")) == ["cold", "known"]


def test_row_and_column_share_what_is_left(draw):
    scene = draw("""
        - draw: row
          gap: 2mm
          pad: 1mm
          height: 10mm
          top: 0
          elements:
            - {draw: rect, fill: "#fff", width: 10mm}
            - {draw: rect, fill: "#fff"}
            - {draw: rect, fill: "#fff"}
        - draw: column
          top: 20mm
          height: 30mm
          elements: [{draw: rect, fill: "#000", height: 20mm}, {draw: rect, fill: "#000"}]
    """)
    assert boxes(scene) == [
        (1, 1, 10, 8),
        (13, 1, 22, 8),
        (37, 1, 22, 8),
        (0, 20, 60, 20),
        (0, 40, 60, 10),
    ]


def test_grid_and_stack(draw):
    scene = draw("""
        - {draw: grid, columns: 2, gap: 2mm, height: 22mm, width: 22mm, left: 0, top: 0, elements: [
            {draw: rect, fill: "#fff"}, {draw: rect, fill: "#fff"}, {draw: rect, fill: "#fff"}]}
        - {draw: stack, pad: 5mm, elements: [{draw: rect, fill: "#fff"}, {draw: rect, fill: "#fff"}]}
    """)
    assert boxes(scene) == [
        (0, 0, 10, 10),
        (12, 0, 10, 10),
        (0, 12, 10, 10),
        (5, 5, 50, 70),
        (5, 5, 50, 70),
    ]


def test_repeat_goes_over_fields_lists_and_values(draw):
    scene = draw("""
        - {draw: repeat, over: $tags, element: {draw: text, text: $item}}
        - {draw: repeat, over: $lists.suit, name: s, arrange: column, element: {draw: text, text: "$s $s.name"}}
        - {draw: repeat, over: [x, $id], arrange: stack, element: {draw: text, text: $item}}
    """)
    assert texts(scene) == ["one", "two", "three", "sun Sun", "moon Moon", "x", "a"]
    runs = [mark for mark, _ in scene.walk() if isinstance(mark, GlyphRun)]
    assert [round(run.x) for run in runs[:3]] == [0, 20, 40]


def test_repeat_over_a_list_that_a_card_leaves_out_draws_nothing(draw):
    assert not draw("- {draw: repeat, over: $tags, element: {draw: text, text: $item}}", "b").marks


def test_parts_are_shared_and_take_values(draw):
    scene = draw(
        "- {draw: use, part: badge, values: {label: $name, c: $suit.colour}, left: 5mm, width: 10mm}",
        head=(
            "size: {width: 60mm, height: 80mm}\n"
            "parts: {badge: [{draw: rect, fill: $c}, {draw: text, text: $label}]}"
        ),
    )
    assert boxes(scene) == [(5, 0, 10, 80)]
    assert texts(scene) == ["Owl"]


def test_a_turned_element_turns_about_its_centre(draw):
    scene = draw(
        '- {draw: rect, left: 10mm, width: 20mm, top: 10mm, height: 10mm, fill: "#fff", rotate: 90}'
    )
    (group,) = scene.marks
    turned = group.marks[0]
    assert isinstance(turned, Group)
    assert turned.matrix(20, 15) == pytest.approx((20, 15))
    assert turned.matrix(10, 10) == pytest.approx((25, 5))


def test_a_qr_code_is_square_and_as_dark_as_its_colour(draw):
    scene = draw("- {draw: code, data: 'https://example.org/$id', width: 20mm, height: 30mm}")
    assert boxes(scene) == [(20, 30, 20, 20)]


def test_icons_stand_in_the_line(draw):
    scene = draw("- {draw: text, text: 'take :star: now', left: 0, top: 0}")
    picture = next(mark for mark, _ in scene.walk() if isinstance(mark, Picture))
    runs = [mark for mark, _ in scene.walk() if isinstance(mark, GlyphRun)]
    assert [run.text for run in runs] == ["take ", " now"]
    assert runs[0].x + runs[0].width == pytest.approx(picture.box.x)
    assert picture.box.right == pytest.approx(runs[1].x)
    assert picture.box.width == pytest.approx(2 * picture.box.height)


def test_what_is_the_same_on_every_card_is_one_shared_group(draw):
    scene = draw("""
        - {draw: rect, fill: "#fff"}
        - {draw: rect, fill: "#eee", left: 5mm}
        - {draw: text, text: $name}
        - {draw: rect, fill: "#ddd", left: 9mm}
    """)
    first, _, last = scene.marks
    assert first.shared and len(first.marks) == 2
    assert last.shared and len(last.marks) == 1


def test_a_template_without_fields_is_one_scene_for_all_cards(draw):
    assert draw('- {draw: rect, fill: "#fff"}').shared


def test_sizes_have_names_with_corners(draw):
    scene = draw('- {draw: rect, fill: "#fff"}', head="size: poker")
    assert (scene.width, scene.height, scene.corner, scene.bleed) == (63, 88, 3, 3)
    scene = draw('- {draw: rect, fill: "#fff"}', head="size: tarot\ncorner: 5mm\nbleed: 2mm")
    assert (scene.width, scene.height, scene.corner, scene.bleed) == (70, 120, 5, 2)


@pytest.mark.parametrize(
    ("element", "message"),
    [
        ("{draw: rect, fill: nocolour}", "unknown colour 'nocolour'"),
        ("{draw: rect, fill: $hot}", "'$hot' is not a text"),
        ("{draw: rect, width: $name, fill: '#fff'}", "'Owl' is not a length"),
        ("{draw: text, text: $nmae}", "unknown field 'nmae' (did you mean 'name'?)"),
        ("{draw: text, text: $suit.nam}", "unknown property 'nam' (did you mean 'name'?)"),
        ("{draw: text, text: x, style: shuot}", "unknown style 'shuot' (did you mean 'shout'?)"),
        ("{draw: use, part: nothing}", "unknown layout 'nothing'"),
        ("{draw: line}", "'stroke' is missing"),
        ("{draw: path, d: M0 0 L, fill: '#fff'}", "this is not SVG path data"),
        ("{draw: text, text: ':strar: here'}", "picture 'icons/strar' not found"),
        ("{draw: repeat, over: $name, element: {draw: text, text: x}}", "'$name' is not a list"),
        ("{draw: rect, left: 40mm, right: 30mm, fill: '#fff'}", "the element has no room"),
    ],
)
def test_a_fault_in_a_template_is_told_with_its_place(draw, element, message):
    with pytest.raises(StonehandError) as caught:
        draw(f"- {element}")
    [problem] = [p for p in caught.value.problems if not p.code]
    assert message in str(problem)
    assert problem.location.line > 0


def test_a_box_in_a_box_is_measured_from_it():
    assert Box(10, 10, 20, 20).grown(-5) == Box(15, 15, 10, 10)
    assert Matrix.turn(180, 5, 5)(0, 0) == (10, 10)
