// The look into a cache, by name and metadata.

import { age, byId, setOptions, setText } from "./dom.js";
import { on, serverTime } from "./feed.js";

export function prepareLook() {
  const form = byId("look");
  on("state", ({ informers }) => setOptions(form.elements.informer, informers.map((informer) => informer.id)));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    look(new FormData(form));
  });
}

async function look(query) {
  const table = byId("found-objects");
  table.hidden = true;
  try {
    const answer = await fetch(`cache?${new URLSearchParams(query)}`);
    const body = await answer.json();
    if (!answer.ok) {
      throw new Error(body.detail ?? body.error ?? `status ${answer.status}`);
    }
    show(body, query.get("informer"));
  } catch (error) {
    setText(byId("found"), `That did not work: ${error.message}`);
  }
}

function show({ resourceVersion, size, matching, objects }, informer) {
  const first = matching > objects.length ? `, the first ${objects.length} of them below` : "";
  setText(byId("found"), `${matching} of ${size} objects of ${informer}, at version ${resourceVersion}${first}`);
  const table = byId("found-objects");
  table.querySelector("tbody").replaceChildren(...objects.map(line));
  table.hidden = objects.length === 0;
}

function line({ namespace, name, labels, resourceVersion, created }) {
  const row = document.createElement("tr");
  const cells = [["Namespace", namespace || "–"], ["Name", name], ["Labels", ""], ["Version", resourceVersion],
    ["Age", created ? age(serverTime() - Date.parse(created)) : "–"]];
  for (const [label, text] of cells) {
    const cell = document.createElement(label === "Name" ? "th" : "td");
    if (label === "Name") {
      cell.scope = "row";
    }
    cell.dataset.label = label;
    cell.textContent = text;
    row.append(cell);
  }
  for (const [key, value] of Object.entries(labels)) {
    const label = document.createElement("span");
    label.className = "label";
    label.textContent = value ? `${key}=${value}` : key;
    row.children[2].append(label, " ");
  }
  return row;
}
