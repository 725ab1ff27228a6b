// What the checks have found: as a list, each with its cause and cure.

import { by, h, place } from "/page/dom.js";

const GRAVE = ["error", "warning", "note"];

/** A list of findings; `near` is called with one that is pointed at, `go` makes links to cards. */
export function list(found, { near, go } = {}) {
  return h("ul", { class: "findings" }, ...found.map((one) => h(
    "li",
    near ? { onmouseenter: () => near(one), onmouseleave: () => near(null) } : {},
    h("span", { class: `severity ${one.severity}` }, one.title || "This can’t be read or made"),
    h("p", {}, one.message, one.hint ? h("span", { class: "hint" }, ` (${one.hint})`) : null),
    go && one.card ? h("a", { href: `#card=${encodeURIComponent(one.card)}`, onclick: (e) => { e.preventDefault(); go(one.card); } }, one.card) : null,
    go && one.card ? " " : null,
    place(one.place),
    one.cause ? h("details", {}, h("summary", {}, one.code), h("p", {}, one.cause), h("p", {}, one.cure)) : null,
  )));
}

/** Shows all findings of the game, the gravest first. */
export function all(state) {
  const section = by("findings");
  if (!state.findings) {
    section.replaceChildren(h("p", { class: "quiet" }, "Looking the game over …"));
    return;
  }
  const parts = GRAVE.map((grave) => [grave, state.findings.filter((one) => one.severity === grave)]);
  section.replaceChildren(...parts.filter(([, found]) => found.length).flatMap(([grave, found]) => [
    h("h2", {}, `${found.length} ${grave}${found.length === 1 ? "" : "s"}`),
    list(found, { go: (card) => state.go({ card }) }),
  ]));
  if (!state.findings.length) section.append(h("p", { class: "quiet" }, "The checks have found nothing in this language."));
}

/** Shows what must be mended before anything new can be drawn. */
export function banner(faults) {
  const element = by("banner");
  element.hidden = !faults.length;
  const told = faults.map((one) => h(
    "li", {}, place(one.place), " ", one.message, one.hint ? h("span", { class: "hint" }, ` (${one.hint})`) : null,
  ));
  const head = `${faults.length} ${faults.length === 1 ? "fault" : "faults"} to mend. Until then, what can’t be drawn stays as it was.`;
  element.replaceChildren(h("h2", {}, head), h("ul", {}, ...told));
}
