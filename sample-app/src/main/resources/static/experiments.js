// The buttons that break something, each with what comes of it beside it.

import { byId, setText } from "./dom.js";
import { on } from "./feed.js";
import { effectOf } from "./effects.js";

const PAUSE = 1000; // milliseconds between two texts of an effect, for those who hear them

let state = null;
const effects = new Map();

export async function prepareExperiments() {
  on("state", (now) => {
    state = now;
    effects.forEach((effect) => effect.state?.(now));
  });
  on("row", (row) => effects.forEach((effect) => effect.row?.(row)));
  setInterval(showEffects, 250);
  const possible = await (await fetch("experiments")).json();
  for (const card of document.querySelectorAll("[data-experiment]")) {
    const status = document.createElement("p");
    status.className = "effect";
    status.setAttribute("role", "status");
    card.append(status);
    card.querySelectorAll("button").forEach((button) => prepare(card, button, status, possible));
  }
}

function prepare(card, button, status, possible) {
  const name = button.dataset.start ?? card.dataset.experiment;
  button.dataset.start = name;
  button.dataset.label = button.textContent;
  button.setAttribute("aria-disabled", "false");
  button.addEventListener("click", () => experiment(name, button, status));
  if ("optional" in card.dataset) { // not what is taken away from a real cluster
    card.hidden = !possible.includes(name);
  } else if (!possible.includes(name)) {
    button.disabled = true;
    button.setAttribute("aria-describedby", "reason");
    byId("reason").hidden = false;
  }
}

async function experiment(name, button, status) {
  if (button.getAttribute("aria-disabled") === "true" || !state) {
    return;
  }
  button.setAttribute("aria-disabled", "true");
  effects.set(status, { ...effectOf(name, state), saidAt: 0 });
  try {
    const answer = await fetch(`experiments/${name}`, { method: "POST" });
    if (!answer.ok) {
      throw new Error(`status ${answer.status}`);
    }
    const { lasts } = await answer.json();
    const end = Date.now() + lasts;
    for (let left = lasts; left > 0; left = end - Date.now()) {
      button.textContent = `${Math.ceil(left / 1000)} s to go`;
      await new Promise((done) => setTimeout(done, Math.min(left, 250)));
    }
    button.textContent = button.dataset.label;
  } catch (error) {
    effects.delete(status);
    setText(status, "");
    button.textContent = `Did not work (${error.message}): try again`;
  }
  button.setAttribute("aria-disabled", "false");
}

function showEffects() {
  for (const [status, effect] of effects) {
    const text = effect.text();
    if (text !== status.textContent && Date.now() - effect.saidAt >= PAUSE) {
      setText(status, text);
      effect.saidAt = Date.now();
    }
  }
}
