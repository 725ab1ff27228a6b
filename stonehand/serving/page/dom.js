// Elements by their tag, properties and children; texts are only ever put in as texts.

const SVG = "http://www.w3.org/2000/svg";

function filled(element, properties, children) {
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

export function h(tag, properties = {}, ...children) {
  return filled(document.createElement(tag), properties, children);
}

export function svg(tag, properties = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), properties, children);
}

/** Puts other children into an element; those that are null are left out. */
export function put(element, ...children) {
  element.replaceChildren(...children.filter((child) => child !== null && child !== undefined));
}

export const by = (id) => document.getElementById(id);

export function say(text) {
  by("said").textContent = text;
}

/** A button that names a place in a file, and copies it. */
export function place(text) {
  return h("button", { type: "button", class: "place", title: "Copy", onclick: (e) => copy(e, text) }, text);
}

/** Copies a text, and says so on the button that was pressed. */
export async function copy(event, text) {
  const button = event.currentTarget;
  event.preventDefault();
  event.stopPropagation();
  await navigator.clipboard.writeText(text);
  const before = button.textContent;
  button.textContent = "Copied";
  say("Copied");
  setTimeout(() => { button.textContent = before; }, 900);
}
