// Shows which replica holds which slot. Names are only ever set as text.

const SVG = "http://www.w3.org/2000/svg";
const PERIOD = 500; // milliseconds between two reads
const RECENT = 4000; // milliseconds for which a slot counts as moved

const list = document.getElementById("replicas");
const status = document.getElementById("status");
const holders = new Map();
const movedAt = new Map();

function row(name) {
  const existing = list.querySelector(`[data-name="${name}"]`);
  if (existing) {
    return existing;
  }
  const item = document.createElement("li");
  item.dataset.name = name;
  item.className = name;
  const button = document.createElement("button");
  button.type = "button";
  button.addEventListener("click", () => send(`shards/${name}/${button.dataset.action}`, button));
  const picture = document.createElementNS(SVG, "svg");
  picture.setAttribute("preserveAspectRatio", "none");
  picture.setAttribute("aria-hidden", "true");
  item.append(document.createElement("span"), button, picture);
  list.append(item);
  return item;
}

async function send(path, button) {
  button.disabled = true;
  try {
    await fetch(path, { method: "POST" });
  } finally {
    button.disabled = false;
  }
}

function note(state) {
  for (const replica of state.replicas) {
    for (const slot of replica.slots) {
      if (holders.has(slot) && holders.get(slot) !== replica.name) {
        movedAt.set(slot, Date.now());
      }
      holders.set(slot, replica.name);
    }
  }
}

function show(state) {
  note(state);
  const held = state.replicas.reduce((sum, { slots }) => sum + slots.length, 0);
  const objects = state.replicas.reduce((sum, replica) => sum + replica.objects, 0);
  status.textContent = `${held} of ${state.slots} slots have a holder; the caches have ${objects} objects`;
  for (const replica of state.replicas) {
    const item = row(replica.name);
    const [text, button, picture] = item.children;
    text.textContent = replica.running
      ? `${replica.name}: ${replica.slots.length} slots, ${replica.objects} objects` : `${replica.name}: ended`;
    button.dataset.action = replica.running ? "end" : "start";
    button.textContent = `${replica.running ? "End" : "Start"} ${replica.name}`;
    picture.setAttribute("viewBox", `0 0 ${state.slots} 10`);
    const own = new Set(replica.slots);
    picture.replaceChildren(...Array.from({ length: state.slots }, (_, slot) => {
      const rect = document.createElementNS(SVG, "rect");
      Object.entries({ x: slot + 0.1, y: 0.2, width: 0.8, height: 9.6 }).forEach(([name, value]) => rect.setAttribute(name, value));
      const moved = own.has(slot) && Date.now() - (movedAt.get(slot) ?? 0) < RECENT;
      rect.setAttribute("class", `slot${own.has(slot) ? " held" : ""}${moved ? " moved" : ""}`);
      return rect;
    }));
  }
}

async function read() {
  try {
    const response = await fetch("shards", { cache: "no-store" });
    if (response.ok) {
      show(await response.json());
    } else {
      status.textContent = "Start the sample with the profile 'shards'.";
    }
  } catch {
    status.textContent = "The application does not respond.";
  }
  setTimeout(read, PERIOD);
}

read();
