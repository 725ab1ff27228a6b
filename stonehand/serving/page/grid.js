// The grid of all cards. Faces are asked for when a card comes near the window.

import { Outdated, ask } from "/page/data.js";
import { by, h, put, say } from "/page/dom.js";
import { show } from "/page/face.js";

const AT_ONCE = 60; // cards whose faces are asked for together
const tiles = new Map(); // by id
const near = new Set(); // ids of cards in or near the window
let state;
let waiting = 0;

const seen = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) {
    if (isIntersecting) near.add(target.dataset.id);
    else near.delete(target.dataset.id);
  }
  soon();
}, { rootMargin: "400px 0px" });

export function start(shared) {
  state = shared;
  by("grid").addEventListener("keydown", move);
}

/** Shows the cards of a game; the tiles of those that were there stay. */
export function cards() {
  const ids = new Set(state.game.cards.map((card) => card.id));
  for (const [id, tile] of tiles) {
    if (ids.has(id)) continue;
    seen.unobserve(tile);
    near.delete(id);
    tiles.delete(id);
  }
  for (const card of state.game.cards) {
    let tile = tiles.get(card.id);
    if (!tile) {
      tile = h("a", { class: "tile", "data-id": card.id }, h("div", { class: "face" }), h("div", { class: "label" }));
      tiles.set(card.id, tile);
      seen.observe(tile);
    }
    tile.href = `#card=${encodeURIComponent(card.id)}`;
  }
  filter();
}

/** Shows only the cards that are searched for. */
export function filter() {
  const words = state.query.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  const wanted = Object.entries(state.chosen).filter(([, value]) => value);
  state.visible = state.game.cards.filter((card) =>
    (!state.kind || card.kind === state.kind) &&
    wanted.every(([field, value]) => [card.fields[field]].flat().some((one) => label(one) === value)) &&
    words.every((word) => text(card).includes(word)));
  by("grid").replaceChildren(...state.visible.map((card) => tiles.get(card.id)));
  by("none").hidden = state.visible.length > 0 || !state.game.cards.length;
  const [some, all] = [state.visible.length, state.game.cards.length];
  by("count-cards").textContent = some === all ? all : `${some}/${all}`;
  say(`${some} cards`);
  labels();
  soon();
}

const label = (value) => (value === true ? "yes" : value === false ? "no" : value);

function text(card) {
  card.text ??= [card.id, card.kind, card.name, ...Object.values(card.fields).flat(2)].join("\n").toLocaleLowerCase();
  return card.text;
}

const same = (name, id) => name.toLocaleLowerCase() === id.toLocaleLowerCase();

/** Writes what stands below the cards. */
export function labels() {
  for (const card of state.visible) {
    const worst = ["error", "warning", "note"].find((grave) => state.found(card.id).some((f) => f.severity === grave));
    put(
      tiles.get(card.id).querySelector(".label"),
      same(card.name, card.id) ? null : h("span", { class: "id" }, card.id),
      h("span", { class: "name" }, card.name),
      card.count === 1 ? null : h("span", { class: "id" }, `× ${card.count}`),
      worst ? h("span", { class: `badge ${worst}`, role: "img", "aria-label": worst }) : null,
    );
  }
}

/** Asks for the faces of the cards that are near, of which those of this reading are not known. */
export function soon() {
  cancelAnimationFrame(waiting);
  waiting = requestAnimationFrame(faces);
}

async function faces() {
  const unknown = state.visible.map((card) => card.id).filter((id) => near.has(id) && !state.faces.has(id));
  try {
    await state.ask_faces(unknown.slice(0, AT_ONCE));
  } catch (error) {
    if (!(error instanceof Outdated)) console.error(error);
    return;
  }
  for (const card of state.visible) if (near.has(card.id) && state.faces.has(card.id)) paint(card);
  if (unknown.length > AT_ONCE) soon();
}

/** Shows the side of a card that is up; a picture that has changed is marked for a moment. */
async function paint(card) {
  const tile = tiles.get(card.id);
  const element = tile.querySelector(".face");
  const sides = state.faces.get(card.id);
  const side = state.flipped && sides.back !== undefined ? "back" : "front";
  const before = tile.dataset.shown;
  const now = `${state.lang} ${side} ${sides[side]?.key}`;
  tile.dataset.shown = now;
  const width = element.clientWidth || state.size;
  const there = await show(element, sides[side], { width, guides: state.guides, alt: `${card.name}, ${side}` });
  if (!there && tile.dataset.missed !== `${state.number}`) {
    // of very many faces the program lets some go: it is asked once more
    tile.dataset.missed = state.number;
    state.faces.delete(card.id);
    soon();
  }
  const alike = before?.split(" ").slice(0, 2).join() === now.split(" ").slice(0, 2).join();
  if (before && before !== now && alike) {
    tile.classList.remove("changed");
    void tile.offsetWidth; // so that the animation begins anew
    tile.classList.add("changed");
    setTimeout(() => tile.classList.remove("changed"), 2000);
  }
}

export function repaint() {
  for (const card of state.visible) if (near.has(card.id) && state.faces.has(card.id)) paint(card);
}

export function focus(id) {
  tiles.get(id)?.focus();
}

/** Moves among the cards with the arrow keys. */
function move(event) {
  const all = [...by("grid").children];
  const at = all.indexOf(document.activeElement);
  if (at < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
  const top = all[0].offsetTop;
  const columns = Math.max(1, all.findIndex((tile) => tile.offsetLeft <= all[0].offsetLeft && tile !== all[0]));
  const by_key = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns, Home: -at, End: all.length - 1 - at };
  const step = by_key[event.key];
  if (step === undefined || top === undefined) return;
  event.preventDefault();
  all[Math.min(all.length - 1, Math.max(0, at + step))].focus();
}
