// Little helpers for what is on the page.

const SVG = "http://www.w3.org/2000/svg";

export const byId = (id) => document.getElementById(id);

/** Sets a text, and touches nothing if it is there already. */
export function setText(element, text) {
  if (element.textContent !== String(text)) {
    element.textContent = text;
  }
}

/** Adds a shape to an SVG, and returns it. */
export function draw(parent, name, attributes = {}, text = "") {
  const shape = document.createElementNS(SVG, name);
  Object.entries(attributes).forEach(([key, value]) => shape.setAttribute(key, value));
  shape.textContent = text;
  parent.append(shape);
  return shape;
}

export function age(milliseconds) {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  return seconds < 120 ? `${seconds} s` : seconds < 7200 ? `${Math.floor(seconds / 60)} min`
    : seconds < 172800 ? `${Math.floor(seconds / 3600)} h` : `${Math.floor(seconds / 86400)} d`;
}

export const count = (number, word) => `${number.toLocaleString("en")} ${word}${number === 1 ? "" : "s"}`;

export const clock = (time) => new Date(time).toLocaleTimeString("en-GB");

/** Makes the options of a select those that are named, after those of the page itself. */
export function setOptions(select, ids, own = 0) {
  const there = [...select.options].slice(own);
  if (there.length !== ids.length || there.some((option, i) => option.value !== ids[i])) {
    const value = select.value;
    there.forEach((option) => option.remove());
    ids.forEach((id) => select.add(new Option(id, id)));
    select.value = [...select.options].some((option) => option.value === value) ? value : select.options[0]?.value ?? "";
  }
}
