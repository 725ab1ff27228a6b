// Pages as they will print: the sheets of the decks, and the rulebook.

import { Outdated, ask } from "/page/data.js";
import { by, h, put } from "/page/dom.js";
import { show } from "/page/face.js";
import { Stage } from "/page/stage.js";

const NAMES = { sheets: "sheets", rules: "book" };
const shown = {}; // by view: the state and language that it shows

const seen = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) {
    if (!isIntersecting) continue;
    seen.unobserve(target);
    const face = target.querySelector(".face");
    show(face, target.page, { width: face.clientWidth, alt: target.title });
  }
}, { rootMargin: "600px 0px" });

/** Shows the pages of a view, which the program makes now if it has not. */
export async function update(state, view) {
  const now = `${state.number} ${state.lang}`;
  if (shown[view] === now) return;
  const section = by(view);
  if (!section.childElementCount) section.replaceChildren(h("p", { class: "quiet" }, "Being made …"));
  try {
    const { parts } = await ask(NAMES[view], { lang: state.lang });
    shown[view] = now;
    const made = parts.flatMap((part) => [
      part.title ? h("h2", {}, `${part.title} `, h("span", { class: "quiet" }, counted(part))) : null,
      h("div", { class: "pages" }, ...part.pages.map((page, i) => tile(page, i, view))),
      part.more ? h("p", { class: "quiet" }, "There are more pages, which are not shown.") : null,
    ]);
    put(section, ...made);
    if (!parts.length) section.replaceChildren(h("p", { class: "quiet" }, "There is nothing to print."));
  } catch (error) {
    if (!(error instanceof Outdated)) section.replaceChildren(h("p", { class: "quiet" }, error.message));
  }
}

const counted = (part) => `${part.pages.length}${part.more ? "+" : ""} ${part.pages.length === 1 ? "page" : "pages"}`;

function tile(page, i, view) {
  const title = view === "sheets" ? `Page ${i + 1}, ${page.name}` : `Page ${page.name}`;
  const face = h("div", { class: "face" });
  face.style.aspectRatio = `${page.width} / ${page.height}`;
  const button = h("button", { type: "button", title, onclick: () => large(page, title) }, face, h("div", { class: "label quiet" }, title));
  button.page = page;
  seen.observe(button);
  return button;
}

/** Shows a page as large as the window. */
function large(page, title) {
  const stage = new Stage();
  const dialog = h("dialog", { class: "alone", "aria-label": title, onclose: () => dialog.remove() }, stage.element);
  stage.tools.append(...stage.zooming, h("button", { type: "button", title: "Esc", onclick: () => dialog.close() }, "Close"));
  document.body.append(dialog);
  dialog.showModal();
  dialog.addEventListener("keydown", (event) => {
    if (["+", "="].includes(event.key)) stage.step(1);
    else if (event.key === "-") stage.step(-1);
  });
  stage.put(page, { alt: title });
}
