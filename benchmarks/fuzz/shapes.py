"""Makes well-formed SVG of the bytes of a fuzzer, so that it is drawn and not only refused."""

from typing import Any

Take = Any  # atheris.FuzzedDataProvider

TAGS = (
    "g svg use path rect circle ellipse line polyline polygon marker symbol switch image "
    "linearGradient radialGradient stop pattern mask clipPath"
)
NUMBERS = "0 1 -1 .5 40 300 1e-7 -1e-30 1e6 9999999 50% 1e3% 1px 2mm 3em .01in +1. 00"
SIZES = (
    "x y width height r rx ry cx cy x1 y1 x2 y2 fx fy fr offset stroke-width stroke-miterlimit "
    "stroke-dashoffset markerWidth markerHeight refX refY opacity fill-opacity font-size"
)
LISTS = "viewBox points stroke-dasharray"
MOVES = "transform gradientTransform patternTransform"
PAINTS = "fill stroke mask clip-path marker-start marker-mid marker-end color"
UNITS = "userSpaceOnUse objectBoundingBox"
WORDS = {
    "id": "a b c",
    "href": "#a #b #c",
    "gradientUnits": UNITS,
    "patternUnits": UNITS,
    "maskContentUnits": UNITS,
    "clipPathUnits": UNITS,
    "markerUnits": "strokeWidth userSpaceOnUse",
    "spreadMethod": "pad reflect repeat",
    "preserveAspectRatio": "none xMinYMax defer",
    "overflow": "visible hidden",
    "orient": "auto auto-start-reverse 45",
    "stroke-linejoin": "miter round arcs",
    "display": "none inline",
}
DEEPEST = 5


def drawing_of(take: Take) -> bytes:
    """Return a drawing with some elements in elements."""
    inner = "".join(_element(take, 0) for _ in range(4))
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">{inner}</svg>'.encode()


def _element(take: Take, depth: int) -> str:
    attributes = dict(_attribute(take) for _ in range(take.ConsumeIntInRange(0, 6)))
    written = "".join(f' {name}="{value}"' for name, value in attributes.items())
    count = take.ConsumeIntInRange(0, 3) if depth < DEEPEST else 0
    inner = "".join(_element(take, depth + 1) for _ in range(count))
    tag = _one(take, TAGS)
    return f"<{tag}{written}>{inner}</{tag}>"


def _attribute(take: Take) -> tuple[str, str]:
    match take.ConsumeIntInRange(0, 5):
        case 0:
            steps = "MLHVCSQTAZmlhvcsqtaz"
            count = take.ConsumeIntInRange(0, 5)
            return "d", "M0 0" + "".join(
                take.PickValueInList(list(steps)) + _numbers(take, 7) for _ in range(count)
            )
        case 1:
            function = _one(take, "translate scale rotate skewX skewY matrix")
            return _one(take, MOVES), f"{function}({_numbers(take, 6)})"
        case 2:
            return _one(take, PAINTS), _one(take, "red none currentColor url(#a) url(#b)")
        case 3:
            name = take.PickValueInList(list(WORDS))
            return name, _one(take, WORDS[name])
        case 4:
            return _one(take, LISTS), _numbers(take, 9)
    return _one(take, SIZES), _one(take, NUMBERS)


def _numbers(take: Take, most: int) -> str:
    return " ".join(_one(take, NUMBERS) for _ in range(take.ConsumeIntInRange(0, most)))


def _one(take: Take, words: str) -> str:
    choice: str = take.PickValueInList(words.split())
    return choice
