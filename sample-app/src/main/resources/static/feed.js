// What the application sends: its state, the events that were delivered, and what went which step of the way.

const IDLE_LIMIT = 30000; // milliseconds; the application sends something every ten seconds

const listeners = { state: [], row: [], flows: [], open: [], lost: [] };

let ahead = 0; // the server's clock against this one's, in milliseconds
let heardAt = Date.now(); // when the application sent anything, by this clock
let lost = false; // whether what is shown is known to be old
let stateAt = null; // when what is shown was so, by the server's clock

/** Calls a function for each state, row, flows, for each open connection, and once when nothing comes any more. */
export function on(name, listener) {
  listeners[name].push(listener);
}

/** The time by the server's clock, because that of a browser may be another. */
export const serverTime = () => Date.now() + ahead;

function tell(name, data) {
  listeners[name].forEach((listener) => listener(data));
}

export function connect() {
  open();
  setInterval(() => {
    if (Date.now() - heardAt > IDLE_LIMIT) { // a connection may be gone without a word
      lose();
    }
  }, 500);
}

function open() {
  const source = new EventSource("live");
  for (const name of ["open", "state", "row", "flows", "beat"]) {
    source.addEventListener(name, () => heardAt = Date.now());
  }
  source.addEventListener("open", () => tell("open"));
  source.addEventListener("state", (event) => {
    const { now, state } = JSON.parse(event.data);
    stateAt = Date.parse(now);
    ahead = stateAt - Date.now();
    lost = false;
    tell("state", state);
  });
  source.addEventListener("row", (event) => tell("row", JSON.parse(event.data)));
  source.addEventListener("flows", (event) => tell("flows", JSON.parse(event.data)));
  source.addEventListener("error", () => {
    lose();
    if (source.readyState === EventSource.CLOSED) { // refused: the browser does not try again by itself
      setTimeout(open, 3000);
    }
  });
}

/** Nothing that is shown is known to be so any more. */
function lose() {
  if (!lost) {
    lost = true;
    tell("lost", stateAt);
  }
}
