"""The style sheet of a rulebook's HTML: the reader's fonts, light and dark, screen and paper."""

from stonehand.language.languages import Language
from stonehand.source.text import Text

LATIN = 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", Ubuntu, Cantarell, sans-serif'
FONTS = {
    "Deva": '"Noto Sans Devanagari", "Kohinoor Devanagari", "Nirmala UI", Mangal',
    "Kore": 'Pretendard, "Apple SD Gothic Neo", "Malgun Gothic", "Noto Sans KR"',
    "Jpan": '"Hiragino Sans", "Yu Gothic", Meiryo, "Noto Sans JP"',
    "Hans": '"PingFang SC", "Microsoft YaHei", "Noto Sans SC"',
    "Hant": '"PingFang TC", "Microsoft JhengHei", "Noto Sans TC"',
}
"""Fonts that systems have for a script, by ISO 15924 code, before those for Latin."""

LEADING = {"Deva": 1.8, "Kore": 1.7, "Jpan": 1.8, "Hans": 1.75, "Hant": 1.75}
"""Line height by script: marks above and below, or letters that fill their square, need more."""


def style_sheet(language: Language) -> str:
    """Return the style sheet for a language."""
    script = str(language.script)
    fonts = ", ".join(filter(None, (FONTS.get(script), LATIN)))
    own = [f":root {{ font-family: {fonts}; line-height: {LEADING.get(script, 1.6)}; }}"]
    if language.emphasis == "bold":
        own.append("em { font-style: normal; font-weight: 700; }")
    if language.hyphenation:
        own.append("p, li, figcaption { hyphens: auto; }")
    if script == "Kore":
        own.append("body { word-break: keep-all; overflow-wrap: anywhere; }")
    dash = str(language.list_marks.get(Text("dash"), "–"))
    own.append(f"ul {{ list-style-type: {_string(dash + ' ')}; }}")
    before, _, after = str(language.list_marks.get(Text("number"), "{}.")).partition("{}")
    own.append(
        "@counter-style numbers { system: extends decimal; "
        f"prefix: {_string(before)}; suffix: {_string(after + ' ')}; }}"
    )
    own.append("main ol { list-style-type: numbers; }")
    return _COMMON + "\n".join(own) + "\n"


def _string(text: str) -> str:
    """Return a CSS string (CSS Syntax 3, 4.3.5); `<` would end the style element in HTML."""
    return '"' + "".join(f"\\{ord(c):x} " if c in '"\\<\n\r\f' else c for c in text) + '"'


_COMMON = """\
:root {
  color-scheme: light dark;
  --ink: #1d1a2b; --paper: #ffffff; --accent: #6237b0; --tint: #f2eefa; --quiet: #6b6780;
  --line: #b9b2cc; --stale: #c22339;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ink: #ebe8f4; --paper: #17141f; --accent: #c3a8ff; --tint: #251f33; --quiet: #a9a3bd;
    --line: #514a66; --stale: #ff8896;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0 auto; padding: 1.5rem 1.25rem 4rem; max-width: 44rem;
  color: var(--ink); background: var(--paper);
}
h1, h2, h3 { line-height: 1.3; text-wrap: balance; break-after: avoid; }
h1 { font-size: 3rem; margin: 1rem 0 0; color: var(--accent); }
h2 { font-size: 1.75rem; margin: 3rem 0 1rem; color: var(--accent); }
h3 { font-size: 1.125rem; margin: 2rem 0 0.5rem; }
h3.part { font-size: 1.375rem; color: var(--accent); }
h3 + h3 { margin-top: 0.75rem; }
p { margin: 0 0 0.75rem; }
p.kind { font-size: 1.25rem; color: var(--quiet); }
a { color: var(--accent); text-underline-offset: 0.15em; text-decoration-thickness: 0.06em; }
a.id { margin-inline-end: 0.4em; font-size: 0.875em; text-decoration: none; }
a.id:hover { text-decoration: underline; }
h2, h3, section { scroll-margin-top: 1rem; }
h3:target, section:target > h2 { background: var(--tint); }
.letter { display: inline-block; min-width: 1.5em; }
.optional { color: var(--quiet); font-weight: 400; }
.languages { display: flex; flex-wrap: wrap; gap: 0.25rem 1.25rem; margin: 0; padding: 0; }
.languages li { list-style: none; }
.languages [aria-current] { font-weight: 700; }
.contents { margin: 2rem 0; }
.contents h2 { font-size: 1.25rem; margin: 0 0 0.5rem; }
.contents ol { list-style: none; margin: 0; padding: 0; columns: 2 16rem; }
.contents .letter { color: var(--accent); font-weight: 700; }
.contents a { color: inherit; text-decoration: none; }
.contents a:hover { text-decoration: underline; }
main ul, main ol { margin: 0 0 0.75rem; padding-inline-start: 1.75em; }
.contents ol { padding: 0; }
li { margin-bottom: 0.25rem; }
::marker { color: var(--accent); }
aside, .lead {
  margin: 1.25rem 0; padding: 0.75rem 1rem 0.25rem; background: var(--tint);
  border-inline-start: 0.25rem solid var(--accent); border-radius: 0.25rem;
}
aside .name { margin-bottom: 0.25rem; color: var(--accent); font-size: 0.875rem; font-weight: 700; }
figure { margin: 1.5rem 0; break-inside: avoid; }
figcaption { color: var(--quiet); font-size: 0.875rem; }
.cards { display: flex; flex-wrap: wrap; gap: 0.5rem; margin-bottom: 0.5rem; }
.card { display: block; position: relative; flex: none; }
.card img { display: block; background: #ffffff; box-shadow: 0 0 0 1px var(--line); }
.cards img { width: 6.875rem; height: auto; }
.parts img { width: 12.5rem; height: auto; }
.arrows .card:not(:first-child) { padding-inline-start: 1.25rem; }
.arrows .card:not(:first-child)::before {
  content: "›"; content: "›" / ""; position: absolute; inset-inline-start: 0; top: 50%;
  transform: translateY(-55%); color: var(--accent); font-size: 2rem; line-height: 1;
}
.fan { justify-content: center; padding: 0.75rem 2rem 2rem; flex-wrap: nowrap; gap: 0; }
.fan .card + .card { margin-inline-start: -3.5rem; }
.fan img { transform-origin: 50% 170%; }
@media (max-width: 32rem) {
  .fan { padding: 0.75rem 1rem 2rem; }
  .fan .card + .card { margin-inline-start: -4.5rem; }
}
.parts { display: flex; flex-wrap: wrap; gap: 1rem 2rem; padding-inline-start: 0.75rem; }
.parts ol { flex: 1 1 14rem; font-size: 0.9375rem; }
.parts svg { position: absolute; inset: 0; width: 100%; height: 100%; overflow: visible; }
.table { margin: 1.25rem 0; overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: 0.9375rem; line-height: 1.45; }
th, td { padding: 0.35rem 0.5rem; border-bottom: 1px solid var(--line); }
th, td { text-align: start; vertical-align: top; }
thead th { background: var(--tint); color: var(--accent); }
tbody th { font-weight: inherit; }
.total > * { font-weight: 700; }
.scores th, .scores td { border: 1px solid var(--line); height: 2.25rem; vertical-align: middle; }
.scores th { width: 5.5rem; font-weight: 700; }
.stale { border-inline-start: 0.15rem solid var(--stale); padding-inline-start: 0.5rem; }
@media print {
  :root { --ink: #000000; --paper: #ffffff; --accent: #6237b0; --tint: #f2eefa; }
  :root { --quiet: #6b6780; --line: #b9b2cc; --stale: #c22339; font-size: 10pt; }
  @page { margin: 18mm 16mm; }
  body { max-width: none; padding: 0; }
  .languages { display: none; }
  a { color: inherit; text-decoration: none; }
  p, li { orphans: 2; widows: 2; }
  aside, tr, .lead { break-inside: avoid; }
  aside, .lead, thead th, img, svg { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  .scores { break-before: page; }
}
"""
