// Draws pictures of the code from its own declarations: tables of layers, the imports of modules, and the prices of methods.
// Each is an SVG element with a title and a description, in the colours of the page.
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

const ROW = 34;
/** Width of a box, and where the text beside it begins. */
const BOX = 118;
const LEFT = 132;
/** The way of a request through the modules of `src/client`: each calls the next one. */
const REQUEST_WAY = ["list", "retry", "transport", "rate_limiter", "runtime"];
/** The way of its response through the layers of the crate. */
const RESPONSE_WAY = ["decode", "frame"];

/** Draws the layers of the crate: a row for each, and an arc to each layer that it uses. `table` has the modules and their contents. */
export function drawLayers(root, table) {
  const layers = readRows(table).flatMap(([names]) => Array.from(names.matchAll(/\w+/g), ([name]) => name));
  const uses = layers.map((name) => findUsed(root, `src/${name}`, /\bcrate::(\w+)/g).filter((used) => layers.includes(used)));
  const arcs = layers.flatMap((name, at) => uses[at].filter((used) => used !== name).map((used) => [layers.indexOf(used), at]));
  const boxes = layers.map((name, at) => drawBox(at, name));
  const height = layers.length * ROW;
  const content = boxes.join("") + arcs.map(([from, to]) => drawArc(from, to)).join("");
  const description = layers.map((name, at) => `${name} uses ${uses[at].filter((used) => used !== name).join(", ") || "none"}`);
  return draw("Layers of the crate and what they use", `${description.join("; ")}.`, height, content);
}

/**
 * Draws the path of a request and its response: a row for each module, with its line from the table of the client or of the layers.
 * Throws if a module does not use the next one.
 */
export function drawRequestWay(root, layers, client) {
  checkWay(root, "src/client", REQUEST_WAY, /\b(?:client|super)::(\w+)/g);
  checkWay(root, "src", RESPONSE_WAY, /\bcrate::(\w+)/g);
  const way = [...REQUEST_WAY, ...RESPONSE_WAY];
  const contents = new Map([...readContents(layers), ...readContents(client)]);
  const boxes = way.map((name, at) => drawBox(at, name, contents.get(name)));
  const arrows = way.slice(1).map((_, at) => `<path d="M60 ${at * ROW + 28}v8m-4 -4l4 4l4 -4" class="line"/>`);
  const description = way.map((name) => `${name}: ${contents.get(name)}`).join("; ");
  return draw("The way of a request and its response", `${description}.`, way.length * ROW, boxes.join("") + arrows.join(""));
}

function checkWay(root, folder, way, path) {
  for (const [at, next] of way.slice(1).entries()) {
    if (!findUsed(root, `${folder}/${way[at]}`, path).includes(next)) throw new Error(`${way[at]} does not use ${next}`);
  }
}

/** Reads the contents of each module that a table names. */
function readContents(table) {
  return readRows(table).flatMap(([names, text]) => Array.from(names.matchAll(/\w+/g), ([name]) => [name, text]));
}

/** Draws how many methods have each price. `reference` is the page of all methods. */
export function drawCredits(reference) {
  const prices = Array.from(reference.matchAll(/^\| \[`.+ \| (\d+) \|$/gm), ([, credits]) => Number(credits));
  const counts = new Map();
  for (const price of prices) counts.set(price, (counts.get(price) ?? 0) + 1);
  const rows = [...counts].sort(([a], [b]) => a - b);
  const most = Math.max(...rows.map(([, count]) => count));
  const bars = rows.map(([price, count], at) => {
    const y = at * ROW;
    const width = Math.round((count / most) * 340);
    const label = `<text x="${LEFT - 12}" y="${y + 21}" text-anchor="end">${price} credits</text>`;
    return `${label}<rect x="${LEFT}" y="${y + 6}" width="${width}" height="22" class="bar"/><text x="${LEFT + width + 8}" y="${y + 21}">${count}</text>`;
  });
  const description = rows.map(([price, count]) => `${price} credits: ${count} methods`).join("; ");
  return draw("How many methods cost how many credits a request", `${description}.`, rows.length * ROW, bars.join(""));
}

/** Reads the rows of a Markdown table, without its head. */
function readRows(table) {
  const rows = table.trim().split("\n").slice(2);
  return rows.map((row) =>
    row
      .replace(/^.*?\| /, "")
      .replace(/ \|$/, "")
      .split(" | "),
  );
}

/** Finds the modules that the files of a module name by a path, in the order of the code. Comments and unit tests do not count. */
function findUsed(root, module, path) {
  const folder = join(root, module);
  const files = existsSync(folder) ? readdirSync(folder, { recursive: true }).map((name) => join(folder, name)) : [];
  const sources = [`${folder}.rs`, ...files].filter((file) => file.endsWith(".rs") && existsSync(file));
  const code = sources.map((file) =>
    readFileSync(file, "utf8")
      .split("#[cfg(test)]\nmod tests")[0]
      .replaceAll(/\/\/.*$/gm, ""),
  );
  return [...new Set(Array.from(code.join("\n").matchAll(path), ([, name]) => name))];
}

function drawBox(at, name, text = "") {
  const y = at * ROW;
  const note = text === "" ? "" : `<text x="${LEFT}" y="${y + 20}">${escapeText(text.replaceAll(/[`[\]]/g, ""))}</text>`;
  return `<rect x="1" y="${y + 2}" width="${BOX}" height="26" rx="4" class="box"/><text x="12" y="${y + 20}" class="name">${escapeText(name)}</text>${note}`;
}

/** An arc from a row to one above it. */
function drawArc(from, to) {
  const [top, bottom] = [from * ROW + 15, to * ROW + 15];
  const start = BOX + 2;
  const x = start + (to - from) * 26;
  return `<path d="M${start} ${bottom}C${x} ${bottom} ${x} ${top} ${start + 4} ${top}m5 -4l-6 4l6 4" class="line"/>`;
}

function draw(title, description, height, content) {
  return `<svg class="picture" role="img" viewBox="0 0 620 ${height}" aria-label="${escapeText(title)}"><title>${escapeText(title)}</title><desc>${escapeText(description)}</desc>${content}</svg>`;
}

function escapeText(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
