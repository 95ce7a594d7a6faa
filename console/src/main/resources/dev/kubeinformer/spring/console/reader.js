// Reads the endpoint and asks it for actions. Requests go to the same origin only, with its cookies.

const TIMEOUT = 10000; // milliseconds of one request

/** Reason why there is no response to show. `reason` is away, unauthorized, forbidden, not-exposed or error. */
export class Refusal extends Error {

  constructor(reason, message, status) {
    super(message);
    this.reason = reason;
    this.status = status;
  }

}

/** Sends a request, and reads its response to the end: as { answer, body }. */
async function send(url, options) {
  let answer;
  let text;
  try {
    // A login page is not a response of the endpoint, so redirects to it are not followed.
    answer = await fetch(url, { credentials: "same-origin", cache: "no-store", redirect: "manual",
      signal: AbortSignal.timeout(TIMEOUT), ...options });
    text = answer.ok ? await answer.text() : ""; // it may be cut, or take too long
  } catch {
    throw new Refusal("away", "The application does not respond.");
  }
  if (answer.ok) {
    const type = answer.headers.get("Content-Type") ?? "";
    const { pathname } = new URL(url);
    if (!/[/+]json\b/.test(type)) {
      throw new Refusal("error", `${pathname} responds with '${type}', which is not JSON.`, answer.status);
    }
    try {
      return { answer, body: JSON.parse(text) };
    } catch {
      throw new Refusal("error", `The response of ${pathname} is not JSON.`, answer.status);
    }
  }
  if (answer.type === "opaqueredirect" || answer.status === 401) {
    throw new Refusal("unauthorized", "You are not signed in, or no longer.", 401);
  }
  throw refusal(answer.status, await sentence(answer));
}

/** What the endpoint says is wrong, if it says so. */
async function sentence(answer) {
  try {
    const { error } = await answer.json();
    return typeof error === "string" && error.includes(" ") ? error : "";
  } catch {
    return ""; // no JSON: the status says it
  }
}

function refusal(status, said) {
  if (status === 403) {
    return new Refusal("forbidden", "You may not do this (status 403).", status);
  }
  if (status >= 500) {
    return new Refusal("away", `The application responds with status ${status}.`, status);
  }
  return new Refusal("error", said || `The endpoint responds with status ${status}.`, status);
}

export async function readSettings() {
  try {
    return (await send(new URL("config.json", import.meta.url), { headers: { Accept: "application/json" } })).body;
  } catch (failure) {
    throw failure.status === 404 ? new Refusal("not-exposed", "The console is not exposed any more.", 404) : failure;
  }
}

/** Reads all, as { items, now }: the second is the server's time in milliseconds. */
export async function readAll(endpoint) {
  let answer;
  let items;
  try {
    ({ answer, body: items } = await send(endpoint, { headers: { Accept: "application/json" } }));
  } catch (failure) {
    switch (failure.status) {
      case 403:
        throw new Refusal("forbidden", "You may not read the endpoint informers (status 403).", 403);
      case 404:
        throw new Refusal("not-exposed", `There is no endpoint at ${endpoint.pathname}.`, 404);
      default:
        throw failure;
    }
  }
  const date = Date.parse(answer.headers.get("Date") ?? "");
  return { items, now: Number.isNaN(date) ? Date.now() : date };
}

/** Asks for an action, and returns what became of the item. */
export async function act(endpoint, id, action, key) {
  const headers = { "Accept": "application/json", "Content-Type": "application/json" };
  const token = document.cookie.split("; ").find((cookie) => cookie.startsWith("XSRF-TOKEN="));
  if (token) { // of Spring Security, where it gives its CSRF token in a cookie
    headers["X-XSRF-TOKEN"] = decodeURIComponent(token.slice("XSRF-TOKEN=".length));
  }
  const url = new URL(`${endpoint.pathname.replace(/\/$/, "")}/${encodeURIComponent(id)}`, endpoint);
  try {
    return (await send(url, { method: "POST", headers, body: JSON.stringify(key ? { action, key } : { action }) })).body;
  } catch (failure) {
    if (failure.status === 405) {
      throw new Refusal("error", "The endpoint only shows: set management.endpoint.informers.access=unrestricted.", 405);
    }
    if (failure.reason === "away" && !failure.status) {
      throw new Refusal("away", "The application does not respond: it is unknown whether it was done.");
    }
    throw failure;
  }
}
