// Draws single values of the chain as DOM nodes. Every text goes through visibleText and becomes a text node.
import { announce, el, icon } from "./dom.js";
import { age, isAddress, readableDecimal, safeImage, safeLink, shortHash, visibleText } from "./format.js";
import { formatUnits } from "./pkg/index.js";

const COPY = "M5.5 5.5v-3h8v8h-3m-8-5h8v8h-8z";
const COPIED = "M3 8.5 6.5 12 13 4.5";
const NATIVE_DECIMALS = 18;

export const none = (why = null) => el("span", { class: "none", title: why }, "—");

/** Text from the chain: isolated, so that its writing direction cannot reorder what stands around it. */
export function text(value, className = null) {
  if (value === null || value === undefined || value === "") return none();
  return el("bdi", { class: className, title: visibleText(value) }, visibleText(value));
}

export function badge(value, tone = "plain") {
  return el("span", { class: `badge ${tone}`, title: visibleText(value) }, el("bdi", {}, visibleText(value, 40)));
}

export function number(value) {
  return value === null ? none() : el("span", { class: "number" }, readableDecimal(String(value)));
}

export function time(timestamp) {
  const milliseconds = timestamp === null ? NaN : Date.parse(timestamp);
  if (Number.isNaN(milliseconds)) return none("time unknown");
  return el("time", { datetime: timestamp, title: timestamp }, age(milliseconds, Date.now()));
}

/** The time of a text of unix seconds. */
export function timeOfSeconds(text) {
  const date = new Date(text === null ? NaN : Number(text) * 1000);
  return time(Number.isNaN(date.getTime()) ? null : date.toISOString());
}

/** Whether a record leaves the address, reaches it, or both. */
export function way(from, to, address) {
  const [sent, received] = [from, to].map((side) => side?.toLowerCase() === address.toLowerCase());
  if (sent && received) return badge("self");
  return sent ? badge("out", "out") : received ? badge("in", "in") : none();
}

function copyButton(value, what) {
  const button = el("button", { type: "button", class: "copy", "aria-label": `Copy ${what}`, title: `Copy ${what}` });
  button.append(icon(COPY));
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(value);
    } catch {
      announce("Copying is not allowed here");
      return;
    }
    announce(`Copied ${what}`);
    button.classList.add("copied");
    button.replaceChildren(icon(COPIED));
    setTimeout(() => {
      button.classList.remove("copied");
      button.replaceChildren(icon(COPY));
    }, 1500);
  });
  return button;
}

/** Hex text, shortened, whole in the title and on the clipboard. */
export function hash(value, what = "hash") {
  if (value === null) return none();
  const short = el("span", { class: "mono", title: visibleText(value) }, visibleText(shortHash(value)));
  return el("span", { class: "hash" }, short, copyButton(value, what));
}

/** An address hash that leads to the same list for that address. */
function addressLink(value, context) {
  const short = shortHash(value);
  if (value.toLowerCase() === context.address.toLowerCase()) {
    return el("span", { class: "mono self", title: `${value} (the address you look at)` }, short);
  }
  if (!isAddress(value)) return el("span", { class: "mono", title: visibleText(value) }, visibleText(short));
  return el("a", { class: "mono", href: context.hrefOf(value), "data-address": value, title: value }, short);
}

/** An address object: its best name above its hash. */
export function address(value, context) {
  if (value === null) return none();
  const name = value.ens_domain_name ?? value.name ?? value.metadata?.name ?? value.implementation_name;
  const notes = [
    value.is_scam || value.reputation === "scam" ? badge("scam", "bad") : null,
    value.is_contract && !name ? badge("contract") : null,
  ];
  return el(
    "span",
    { class: "address" },
    name || notes.some(Boolean) ? el("span", { class: "line" }, name ? text(name, "name") : null, notes) : null,
    el("span", { class: "hash" }, addressLink(value.hash, context), copyButton(value.hash, "address")),
  );
}

export function token(value, context) {
  if (value === null) return none("token unknown");
  return el(
    "span",
    { class: "address" },
    el(
      "span",
      { class: "line" },
      text(value.name || value.symbol || "Unnamed token", "name"),
      value.symbol && value.name ? text(value.symbol, "symbol") : null,
      value.reputation === "scam" ? badge("scam", "bad") : null,
    ),
    el(
      "span",
      { class: "line" },
      value.type ? badge(value.type) : null,
      value.address_hash ? addressLink(value.address_hash, context) : null,
      value.address_hash ? copyButton(value.address_hash, "token address") : null,
    ),
  );
}

/** `value` base units as units; the title keeps the exact base-unit value. */
export function amount(value, decimals, unit, { signed = false, base = "base units" } = {}) {
  if (value === null) return none("amount unknown");
  let exact;
  try {
    exact = formatUnits(value, decimals ?? 0);
  } catch {
    return el("span", { class: "number", title: "the decimals of this token make no sense" }, visibleText(value));
  }
  const tone = !signed || /^-?0+$/.test(value) ? "" : value.startsWith("-") ? " minus" : " plus";
  const sign = tone === " plus" ? "+" : "";
  return el(
    "span",
    { class: `number${tone}`, title: `${value} ${base}` },
    sign + readableDecimal(exact),
    unit ? text(unit, "symbol") : null,
  );
}

export const native = (value, options = {}) => amount(value, NATIVE_DECIMALS, null, { base: "wei", ...options });

/** What a transfer moved: an amount, a token id, or both. Which one follows from the members that are there. */
export function transferTotal({ total, token }) {
  if (total === null) return none("amount unknown");
  const id = total.token_id === null ? null : tokenId(total.token_id);
  if (total.value === null && id) return id;
  if (total.value === null) return badge("confidential or unknown");
  const units = amount(total.value, total.decimals, id ? null : (token?.symbol ?? null));
  return id ? el("span", { class: "line end" }, units, el("span", { class: "none" }, "×"), id) : units;
}

export function tokenId(id) {
  return el("span", { class: "mono", title: visibleText(id) }, `#${visibleText(shortHash(id, 8, 4))}`);
}

/** A link the chain offers; anything but https stays text. */
export function link(url, label) {
  const safe = safeLink(url);
  if (!safe) return null;
  return el("a", { href: safe, rel: "noopener noreferrer", target: "_blank", title: visibleText(safe) }, label);
}

/** The picture of a token, asked for without a referrer; the first usable URL wins. */
export function picture(urls, label) {
  const empty = () => el("span", { class: "picture empty", "aria-hidden": "true" }, "no image");
  const url = urls.map(safeImage).find(Boolean);
  if (!url) return empty();
  const image = el("img", { class: "picture", alt: visibleText(label, 100), loading: "lazy", decoding: "async" });
  image.referrerPolicy = "no-referrer";
  image.addEventListener("error", () => image.replaceWith(empty()));
  image.src = url;
  return image;
}

/** Free JSON from the chain, as text of bounded length. */
export function json(value) {
  return text(typeof value === "string" ? value : JSON.stringify(value), "json");
}
