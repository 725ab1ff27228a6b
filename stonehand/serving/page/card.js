// One card, large: its sides, what it says, where it was written, and what was found.

import { by, copy, h, place, put } from "/page/dom.js";
import { list } from "/page/findings.js";
import { Stage } from "/page/stage.js";

let state;
let stage;
let about;
let side = "front";
let last = null; // the card that was shown last

export function start(shared) {
  state = shared;
  stage = new Stage();
  about = h("div", { class: "about" });
  const button = (label, title, onclick) => h("button", { type: "button", title, onclick }, label);
  stage.tools.append(
    button("←", "Card before (←)", () => step(-1)),
    button("→", "Next card (→)", () => step(1)),
    button("Flip", "Front or back (f)", flip),
    button("Guides", "Trim, safe area and bleed (b)", () => state.toggle_guides()),
    ...stage.zooming,
  );
  const dialog = by("card");
  const closing = button("Close", "Back to all cards (Esc)", close);
  closing.className = "close";
  dialog.append(stage.element, about, closing);
  dialog.addEventListener("cancel", (event) => { event.preventDefault(); close(); });
  new ResizeObserver(() => dialog.open && stage.draw()).observe(stage.view);
}

export const open = () => state.card !== null;

/** Shows the card of the address, or none. */
export async function update() {
  const dialog = by("card");
  const card = state.game.cards.find((one) => one.id === state.card);
  if (!card) {
    if (dialog.open) {
      dialog.close();
      state.after_close(last);
    }
    return;
  }
  last = card.id;
  if (!dialog.open) {
    side = state.flipped ? "back" : "front";
    dialog.showModal();
    dialog.focus();
    stage.zoom = 1;
  }
  dialog.setAttribute("aria-label", card.name);
  if (!state.faces.has(card.id)) {
    await state.ask_faces([card.id]).catch(() => {});
    if (state.card !== card.id) return;
  }
  tell(card);
  draw(card);
}

/** Tells again what is known of the card that is shown. */
export function retell() {
  const card = state.game.cards.find((one) => one.id === state.card);
  if (card && by("card").open) tell(card);
}

function draw(card, near = null) {
  const sides = state.faces.get(card.id);
  if (!sides) return;
  if (sides.back === undefined) side = "front";
  const found = state.found(card.id)
    .filter((one) => one.extent && one.side === side)
    .map((one) => ({ ...one, near: one === near }));
  const alt = `${card.name}, ${side}`;
  stage.put(sides[side], { guides: state.guides, found: state.guides || near ? found : [], alt });
}

function tell(card) {
  const kind = state.game.kinds.find((one) => one.name === card.kind);
  const faults = [...state.faults, ...state.late];
  const told = new Set(faults.map((one) => one.place + one.message));
  const found = state.found(card.id).filter((one) => !told.has(one.place + one.message));
  const { file, line, text } = card.source;
  const fields = Object.entries(card.fields).filter(([, value]) => value !== "" && value.length !== 0);
  put(
    about,
    h("h2", {}, card.name),
    h("div", { class: "quiet" }, `${kind?.title || card.kind} · ${card.id} · printed ${card.count === 1 ? "once" : `${card.count} times`}`),
    faults.length ? h("h3", {}, "To mend") : null,
    faults.length ? list(faults) : null,
    found.length ? h("h3", {}, "Findings") : null,
    found.length ? list(found, { near: (one) => draw(card, one) }) : null,
    fields.length ? h("h3", {}, "Fields") : null,
    h("dl", {}, ...fields.flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, shown(value))])),
    h("h3", {}, "Written in"),
    place(`${file}:${line}`),
    " ",
    h("button", { type: "button", class: "place", onclick: (event) => copy(event, text) }, "Copy lines"),
    h("pre", { tabindex: "0", class: text.includes("\n") ? null : "line" }, text),
  );
}

const shown = (value) => (value === true ? "yes" : value === false ? "no" : [value].flat().join(", "));

export function flip() {
  side = side === "front" ? "back" : "front";
  stage.view.classList.remove("turned");
  void stage.view.offsetWidth; // so that the animation begins anew
  stage.view.classList.add("turned");
  draw(state.game.cards.find((one) => one.id === state.card));
}

export function close() {
  // whoever came from the grid goes back to it, so that the next step back does not lead here again
  if (history.state?.from_grid) history.back();
  else state.go({ card: null });
}

/** Goes to another card among those that are searched for. */
export function step(by_many) {
  const ids = state.visible.map((card) => card.id);
  const at = ids.indexOf(state.card);
  const next = ids[at + by_many];
  if (next !== undefined) state.go({ card: next });
}

/** Does what a key asks for while a card is shown; tells whether it did. */
export function key(name) {
  const done = {
    ArrowLeft: () => stage.zoom === 1 && step(-1),
    ArrowRight: () => stage.zoom === 1 && step(1),
    f: flip,
    "+": () => stage.step(1),
    "=": () => stage.step(1),
    "-": () => stage.step(-1),
    0: () => stage.set(1),
  }[name];
  return done ? done() !== false : false;
}
