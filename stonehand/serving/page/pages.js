// Pages as they will print: the sheets of the decks, and the rulebook.

import { Outdated, ask } from "/page/data.js";
import { by, h, put } from "/page/dom.js";
import { list } from "/page/findings.js";
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
  let told;
  try {
    told = await ask(NAMES[view], { lang: state.lang });
  } catch (error) {
    if (!(error instanceof Outdated)) section.replaceChildren(h("p", { class: "quiet" }, error.message));
    return;
  }
  if (now !== `${told.number} ${state.lang}`) return;
  shown[view] = now;
  const before = [...section.querySelectorAll(".pages button")]; // those that look as before are left alone
  const { parts, faults } = told;
  put(
    section,
    faults.length ? list(faults) : null,
    parts.length || faults.length ? null : h("p", { class: "quiet" }, "There is nothing to print."),
    ...parts.flatMap((part) => [
      part.title ? h("h2", {}, `${part.title} `, h("span", { class: "quiet" }, counted(part))) : null,
      h("div", { class: "pages" }, ...part.pages.map((page, i) => tile(page, i, view, before.shift()))),
      part.more ? h("p", { class: "quiet" }, "There are more pages, which are not shown.") : null,
    ]),
  );
}

const counted = (part) => `${part.pages.length}${part.more ? "+" : ""} ${part.pages.length === 1 ? "page" : "pages"}`;

function tile(page, i, view, before) {
  const title = view === "sheets" ? `Page ${i + 1}, ${page.name}` : `Page ${page.name}`;
  let button = before;
  if (!button) {
    const face = h("div", { class: "face" });
    button = h("button", { type: "button", onclick: () => large(button.page, button.title) }, face, h("div", { class: "label quiet" }));
  }
  button.page = page;
  button.title = title;
  button.querySelector(".label").textContent = title;
  const face = button.querySelector(".face");
  if (!face.firstChild) face.style.aspectRatio = `${page.width} / ${page.height}`;
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
