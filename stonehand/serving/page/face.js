// A face: its picture at the width it needs, and guides drawn over it, in mm.

import { h, svg } from "/page/dom.js";

const WIDTHS = [320, 640, 1280, 2560]; // px; those that the program draws

/** The address of a picture of a face, sharp at a width in CSS px. */
export function address(face, width, bleed) {
  const needed = width * Math.min(2, Math.max(1, window.devicePixelRatio || 1)) * 0.94;
  const drawn = WIDTHS.find((one) => one >= needed) || WIDTHS.at(-1);
  return `/picture/${face.key}-${drawn}${bleed ? "b" : ""}.png`;
}

/**
 * Makes an element show a face, or that there is none; what did not change is left as it is.
 * Returns false if the program does not have the picture any more.
 */
export async function show(element, face, { width, guides = false, found = [], alt = "" }) {
  if (!face) {
    element.className = "face missing";
    element.replaceChildren("This face can’t be drawn yet.");
    element.dataset.key = "";
    return true;
  }
  const bleed = guides ? face.bleed : 0;
  const source = address(face, width, bleed > 0);
  element.dataset.key = source;
  let image = element.querySelector("img");
  if (image?.getAttribute("src") !== source) {
    image = h("img", { src: source, draggable: "false" });
    let there = true;
    try { await image.decode(); } catch { there = false; }
    if (element.dataset.key !== source) return true; // something newer is to be shown
    if (!there) return false;
  }
  image.alt = alt;
  const [across, down] = [face.width + 2 * bleed, face.height + 2 * bleed];
  const round = face.shape || bleed ? 0 : face.corner;
  element.className = "face drawn";
  element.classList.toggle("held", face.held);
  element.classList.toggle("shaped", Boolean(face.shape) && !bleed);
  element.title = face.held ? "As it was before its files had faults" : "";
  element.style.aspectRatio = `${across} / ${down}`;
  element.style.borderRadius = `${(100 * round) / across}% / ${(100 * round) / down}%`;
  element.replaceChildren(image, ...over(face, bleed, guides, found));
  return true;
}

function over(face, bleed, guides, found) {
  if (!guides && !found.length) return [];
  const box = `${-bleed} ${-bleed} ${face.width + 2 * bleed} ${face.height + 2 * bleed}`;
  const drawn = svg("svg", { viewBox: box, "aria-hidden": "true" });
  if (guides) {
    drawn.append(...(face.shape ? around_shape(face) : around_card(face)));
    for (const [x1, y1, x2, y2] of face.folds) drawn.append(svg("line", { class: "fold", x1, y1, x2, y2 }));
  }
  for (const finding of found) {
    const [left, top, right, bottom] = finding.extent;
    drawn.append(svg("rect", {
      class: finding.near ? "found near" : "found",
      x: left - 0.6, y: top - 0.6, width: right - left + 1.2, height: bottom - top + 1.2, rx: 0.6,
    }));
  }
  return [drawn];
}

function around_card({ width, height, corner, safe }) {
  const inner = { x: safe, y: safe, width: width - 2 * safe, height: height - 2 * safe };
  return [svg("rect", { class: "trim", width, height, rx: corner }), svg("rect", { class: "safe", ...inner })];
}

let shapes = 0;

/** Around what is cut along an outline, the margin is a band within it. */
function around_shape({ shape, safe }) {
  shapes += 1;
  const id = `cut-${shapes}`;
  return [
    svg("clipPath", { id }, svg("path", { d: shape })),
    svg("path", { class: "margin", d: shape, "stroke-width": 2 * safe, "clip-path": `url(#${id})` }),
    svg("path", { class: "trim", d: shape }),
  ];
}
