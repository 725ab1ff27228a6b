// A face as large as the window lets it be, and larger: what the views of a card and a page share.

import { h } from "/page/dom.js";
import { show } from "/page/face.js";

const STEPS = [1, 1.5, 2, 3, 4, 6];

export class Stage {
  constructor() {
    this.zoom = 1;
    this.face = h("div", { class: "face" });
    this.view = h("div", { class: "view", tabindex: "0", "aria-label": "Picture" }, this.face);
    this.size = h("span", { class: "zoom", "aria-live": "polite" });
    this.tools = h("div", { class: "tools" });
    this.zooming = [
      h("button", { type: "button", title: "Smaller (-)", "aria-label": "Smaller", onclick: () => this.step(-1) }, "−"),
      this.size,
      h("button", { type: "button", title: "Larger (+)", "aria-label": "Larger", onclick: () => this.step(1) }, "+"),
    ];
    this.element = h("div", { class: "stage" }, this.view, this.tools);
    this.face.addEventListener("dblclick", () => this.set(this.zoom === 1 ? 2 : 1));
  }

  step(by) {
    const at = STEPS.findIndex((one) => one >= this.zoom);
    this.set(STEPS[Math.min(STEPS.length - 1, Math.max(0, at + by))]);
  }

  set(zoom) {
    this.zoom = zoom;
    this.draw();
  }

  /** Shows a face with what is drawn over it. */
  async put(face, how) {
    this.shown = [face, how];
    await this.draw();
  }

  async draw() {
    if (!this.shown) return;
    const [face, how] = this.shown;
    const bleed = face && how.guides ? face.bleed : 0;
    const [across, down] = face ? [face.width + 2 * bleed, face.height + 2 * bleed] : [63, 88];
    const room = [this.view.clientWidth - 56, Math.max(240, this.view.clientHeight - 56)];
    if (window.matchMedia("(max-width: 720px)").matches) room.splice(0, 2, window.innerWidth - 32, window.innerHeight * 0.62);
    // a pawn's token need not fill the window: 12 px to the mm are three times its size
    const width = Math.min(room[0], (room[1] * across) / down, across * 12) * this.zoom;
    this.face.style.width = `${width}px`;
    this.size.textContent = `${Math.round(this.zoom * 100)} %`;
    await show(this.face, face, { ...how, width });
  }
}
