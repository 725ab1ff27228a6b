// The page: what is shown, the address that tells it, the keys, and what happens as files change.

import * as card from "/page/card.js";
import { Outdated, ask, follow } from "/page/data.js";
import { by, h, say } from "/page/dom.js";
import * as findings from "/page/findings.js";
import * as grid from "/page/grid.js";
import * as pages from "/page/pages.js";

const VIEWS = ["cards", "sheets", "rules", "findings"];
const QUIET = 500; // ms without a change after which the game is looked over
const MANY = 10; // kinds; more are a list to choose from
const THEMES = { "": ["◐", "As the system"], light: ["☀", "Light"], dark: ["☾", "Dark"] };

const state = {
  run: "", number: 0, // of the program, and of the reading of the files that is shown
  game: { title: "", languages: [], kinds: [], cards: [], filters: [] },
  faces: new Map(), // by id of card, of this reading and language
  findings: null, // null while they are looked for
  by_card: new Map(),
  faults: [], late: [],
  visible: [], // cards that are searched for
  view: "cards", lang: "", card: null,
  query: "", kind: "", chosen: {},
  flipped: false,
  guides: localStorage.guides === "yes",
  size: Number(localStorage.size) || 150,

  /** The findings of a card. */
  found(id) {
    return this.by_card.get(id) || [];
  },

  /** Asks for faces; an answer that comes too late is dropped. */
  async ask_faces(ids) {
    if (!ids.length) return;
    const asked = `${this.number} ${this.lang}`;
    const { faces, faults, number } = await ask("faces", { lang: this.lang, ids: ids.join(",") });
    if (asked !== `${number} ${this.lang}`) throw new Outdated();
    for (const [id, sides] of Object.entries(faces)) this.faces.set(id, sides);
    tell_faults(faults);
  },

  /** Goes to another view, language or card. */
  go(to) {
    const now = { view: this.view, lang: this.lang, card: this.card, ...to };
    const told = new URLSearchParams();
    for (const [name, value] of Object.entries(now)) if (value) told.set(name, value);
    const address = `#${told}`;
    // one step back leads from a card to the grid, not through all cards that were looked at
    if (this.card && now.card) history.replaceState(history.state, "", address);
    else history.pushState({ from_grid: Boolean(now.card) }, "", address);
    arrive();
  },

  toggle_guides() {
    this.guides = !this.guides;
    localStorage.guides = this.guides ? "yes" : "no";
    by("overlays").setAttribute("aria-pressed", this.guides);
    grid.repaint();
    card.update();
  },

  after_close(id) {
    if (this.view === "cards") grid.focus(id);
  },
};

// --- what the program tells

/** Tells the faults that are known at once, and those that only the checks have found. */
function tell_faults(faults, late = state.late) {
  if (JSON.stringify([faults, late]) === JSON.stringify([state.faults, state.late])) return;
  Object.assign(state, { faults, late });
  findings.banner([...faults, ...late]);
  card.retell();
}

const said = (fault) => `${fault.place} ${fault.message}`;

/** The errors among the findings that are not told yet. */
function late() {
  const told = new Set(state.faults.map(said));
  return state.findings.filter((one) => one.severity === "error" && !told.has(said(one)));
}

/** Takes over the game as its files are now, in the language of the address. */
async function load() {
  let game;
  try {
    game = await ask("game", state.lang ? { lang: state.lang } : {});
  } catch (error) {
    if (!state.lang) throw error;
    state.lang = ""; // the game has no such language any more
    return load();
  }
  if (game.number < state.number) return;
  Object.assign(state, { game, number: game.number, run: game.run, lang: game.language, findings: null, by_card: new Map() });
  state.faces.clear();
  document.title = game.title;
  document.documentElement.lang = game.language || "en";
  by("title").textContent = game.title;
  by("tab-rules").hidden = !game.rules;
  tell_faults(game.faults);
  const languages = game.languages.map(({ code, name }) => h("option", { value: code }, name || code));
  by("language").replaceChildren(...languages);
  by("language").value = game.language;
  by("language").hidden = languages.length < 2;
  filters();
  grid.cards();
  show();
  look_over();
}

let looking = 0;

/** Asks for the findings, after the faces and not while files keep changing. */
function look_over() {
  clearTimeout(looking);
  by("count-findings").textContent = "…";
  findings.all(state);
  if (!state.lang) return;
  looking = setTimeout(async () => {
    const asked = `${state.number} ${state.lang}`;
    try {
      const told = await ask("findings", { lang: state.lang });
      if (asked !== `${told.number} ${state.lang}`) return;
      state.findings = told.findings;
      state.by_card = Map.groupBy(told.findings, (one) => one.card);
    } catch (error) {
      if (!(error instanceof Outdated)) console.error(error);
      return;
    }
    tell_faults(state.faults, late());
    by("count-findings").textContent = state.findings.length;
    findings.all(state);
    grid.labels();
    if (state.card) card.update();
  }, QUIET);
}

function changed({ run, number }) {
  if (state.run && run !== state.run) location.reload(); // the program was started again
  else if (number > state.number) load();
}

// --- where one is

/** Shows what the address tells. */
function arrive() {
  const told = new URLSearchParams(location.hash.slice(1));
  const view = told.get("view") || state.view;
  const lang = told.get("lang") || state.lang;
  state.card = told.get("card");
  state.view = VIEWS.includes(view) ? view : "cards";
  if (lang !== state.lang) {
    state.lang = lang;
    state.number = 0;
    load();
  } else {
    show();
  }
}

function show() {
  for (const view of VIEWS) by(view).hidden = view !== state.view;
  for (const tab of document.querySelectorAll(".tabs button")) {
    if (tab.dataset.view === state.view) tab.setAttribute("aria-current", "page");
    else tab.removeAttribute("aria-current");
  }
  if (state.lang && (state.view === "sheets" || state.view === "rules")) pages.update(state, state.view);
  if (state.view === "cards") grid.soon();
  if (state.number) card.update();
}

// --- search and filters

function filters() {
  const kinds = [{ name: "", title: "All" }, ...state.game.kinds];
  const choose_kind = (name) => { state.kind = name; filters(); grid.filter(); };
  const chip = ({ name, title }) => h("button", {
    type: "button", "aria-pressed": String(state.kind === name), onclick: () => choose_kind(name),
  }, title);
  if (kinds.length > MANY) {
    const all = kinds.map(({ name, title }) => h("option", { value: name }, name ? title : "All kinds"));
    const list = h("select", { "aria-label": "Kind", onchange: (event) => choose_kind(event.target.value) }, ...all);
    list.value = state.kind;
    by("kinds").replaceChildren(list);
  } else {
    by("kinds").replaceChildren(...(kinds.length > 2 ? kinds.map(chip) : []));
  }
  const rows = state.game.filters.flatMap(({ field, values }) => {
    const options = values.map(({ value, cards }) => h("option", { value }, `${value} (${cards})`));
    const choose = h("select", {
      id: `choose-${field}`, onchange: (event) => { state.chosen[field] = event.target.value; used(); grid.filter(); },
    }, h("option", { value: "" }, "any"), ...options);
    choose.value = state.chosen[field] || "";
    return [h("label", { for: `choose-${field}` }, field), choose];
  });
  by("choices").replaceChildren(...rows);
  by("fields").hidden = !rows.length;
  used();
}

function used() {
  by("fields").classList.toggle("used", Object.values(state.chosen).some(Boolean));
}

function clear() {
  Object.assign(state, { query: "", kind: "", chosen: {} });
  by("search").value = "";
  filters();
  grid.filter();
}

// --- what people do

function flip() {
  state.flipped = !state.flipped;
  by("flip").setAttribute("aria-pressed", state.flipped);
  grid.repaint();
}

function next_language() {
  const codes = state.game.languages.map(({ code }) => code);
  const code = codes[(codes.indexOf(state.lang) + 1) % codes.length];
  if (code && code !== state.lang) {
    state.go({ lang: code });
    say(code);
  }
}

function theme(name) {
  const dark = name ? name === "dark" : window.matchMedia("(prefers-color-scheme: dark)").matches;
  document.documentElement.dataset.theme = dark ? "dark" : "light";
  localStorage.theme = name;
  [by("theme").textContent] = THEMES[name];
  by("theme").title = `${THEMES[name][1]}: change light and dark`;
  by("theme").setAttribute("aria-label", by("theme").title);
}

const KEYS = {
  "/": () => { state.go({ view: "cards", card: null }); by("search").select(); },
  f: flip,
  l: next_language,
  b: () => state.toggle_guides(),
};

function pressed(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const within = event.target.closest("input, select, textarea");
  if (within) {
    if (event.key !== "Escape" || within.id !== "search") return;
    if (within.value) clear();
    within.blur();
    return;
  }
  if (card.open() && card.key(event.key)) event.preventDefault();
  else if (KEYS[event.key]) {
    event.preventDefault();
    KEYS[event.key]();
  } else if (event.key.startsWith("Arrow") && event.target === document.body && state.view === "cards") {
    event.preventDefault();
    if (state.visible.length) grid.focus(state.visible[0].id);
  }
}

function start() {
  theme(localStorage.theme || "");
  const scheme = window.matchMedia("(prefers-color-scheme: dark)");
  scheme.addEventListener("change", () => theme(localStorage.theme || ""));
  by("theme").addEventListener("click", () => {
    const names = Object.keys(THEMES);
    theme(names[(names.indexOf(localStorage.theme || "") + 1) % names.length]);
  });
  grid.start(state);
  card.start(state);
  const resize = (size) => {
    state.size = size;
    localStorage.size = size;
    document.documentElement.style.setProperty("--size", `${size}px`);
  };
  resize(state.size);
  by("size").value = state.size;
  by("size").addEventListener("input", (event) => resize(Number(event.target.value)));
  by("size").addEventListener("change", () => grid.repaint());
  by("search").addEventListener("input", (event) => { state.query = event.target.value; grid.filter(); });
  by("clear").addEventListener("click", clear);
  by("language").addEventListener("change", (event) => state.go({ lang: event.target.value }));
  by("flip").addEventListener("click", flip);
  by("overlays").addEventListener("click", () => state.toggle_guides());
  by("overlays").setAttribute("aria-pressed", state.guides);
  for (const tab of document.querySelectorAll(".tabs button")) {
    tab.addEventListener("click", () => state.go({ view: tab.dataset.view, card: null }));
  }
  by("grid").addEventListener("click", (event) => {
    const tile = event.target.closest(".tile");
    if (!tile || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    state.go({ card: tile.dataset.id });
  });
  document.addEventListener("click", (event) => {
    if (!event.target.closest("#fields")) by("fields").open = false;
  });
  document.addEventListener("keydown", pressed);
  window.addEventListener("popstate", arrive);
  const told = new URLSearchParams(location.hash.slice(1));
  Object.assign(state, { lang: told.get("lang") || "", card: told.get("card"), view: told.get("view") || "cards" });
  if (!VIEWS.includes(state.view)) state.view = "cards";
  follow(changed, (linked) => {
    by("title").dataset.link = linked ? "there" : "lost";
    by("title").title = linked ? "Follows the files" : "The program has ended: start ‘stonehand serve’ again";
  });
}

start();
