// Renders the cells of the result tables.
// Every string from the service passes through sanitizeText and is added as a DOM text node, so it cannot inject HTML.
import { announce, createIcon, el } from "./dom.js";
import { formatAge, formatDecimal, isAddress, sanitizeText, shortenHash, toSafeImageUrl, toSafeLinkUrl } from "./format.js";
import { formatUnits } from "./pkg/index.js";

const COPY_ICON = "M5.5 5.5v-3h8v8h-3m-8-5h8v8h-8z";
const COPIED_ICON = "M3 8.5 6.5 12 13 4.5";
const COPIED_ICON_MS = 1500;
const NATIVE_COIN_DECIMALS = 18;

/** A dash where there is no value; `reason` becomes its tooltip. */
export const renderPlaceholder = (reason = null) => el("span", { class: "placeholder", title: reason }, "—");

/** Renders an untrusted string. `bdi` keeps its writing direction from reordering the surrounding text. */
export function renderText(value, className = null) {
  if (value === null || value === undefined || value === "") return renderPlaceholder();
  return el("bdi", { class: className, title: sanitizeText(value) }, sanitizeText(value));
}

export function renderBadge(value, style = "plain") {
  return el("span", { class: `badge ${style}`, title: sanitizeText(value) }, el("bdi", {}, sanitizeText(value, 40)));
}

export function renderNumber(value) {
  return value === null ? renderPlaceholder() : el("span", { class: "number" }, formatDecimal(String(value)));
}

/** Renders the age of an ISO 8601 timestamp; the tooltip is the timestamp. */
export function renderAge(timestamp) {
  const milliseconds = timestamp === null ? NaN : Date.parse(timestamp);
  if (Number.isNaN(milliseconds)) return renderPlaceholder("Unknown time");
  return el("time", { datetime: timestamp, title: timestamp }, formatAge(milliseconds, Date.now()));
}

/** Like `renderAge`, for a string of Unix seconds. */
export function renderAgeOfUnixTime(seconds) {
  const date = new Date(seconds === null ? NaN : Number(seconds) * 1000);
  return renderAge(Number.isNaN(date.getTime()) ? null : date.toISOString());
}

/** IN, OUT or SELF, as seen from `address`. */
export function renderDirection(from, to, address) {
  const [isSender, isReceiver] = [from, to].map((hash) => hash?.toLowerCase() === address.toLowerCase());
  if (isSender && isReceiver) return renderBadge("SELF");
  if (isSender) return renderBadge("OUT", "warn");
  return isReceiver ? renderBadge("IN", "good") : renderPlaceholder();
}

function createCopyButton(value, name) {
  const button = el("button", { type: "button", class: "copy", "aria-label": `Copy ${name}`, title: `Copy ${name}` });
  button.append(createIcon(COPY_ICON));
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(value);
    } catch {
      announce("The browser does not allow copying");
      return;
    }
    announce(`Copied ${name}`);
    button.classList.add("copied");
    button.replaceChildren(createIcon(COPIED_ICON));
    setTimeout(() => {
      button.classList.remove("copied");
      button.replaceChildren(createIcon(COPY_ICON));
    }, COPIED_ICON_MS);
  });
  return button;
}

/** Renders a shortened hex string; the tooltip and the copy button have all of it. */
export function renderHash(value, name = "hash") {
  if (value === null) return renderPlaceholder();
  const shortened = el("span", { class: "mono", title: sanitizeText(value) }, sanitizeText(shortenHash(value)));
  return el("span", { class: "hash" }, shortened, createCopyButton(value, name));
}

/** An address hash that links to the records of that address. The address on display is not a link. */
function renderAddressLink(hash, context) {
  const shortened = shortenHash(hash);
  if (hash.toLowerCase() === context.address.toLowerCase()) {
    return el("span", { class: "mono self", title: `${hash} (this address)` }, shortened);
  }
  if (!isAddress(hash)) return el("span", { class: "mono", title: sanitizeText(hash) }, sanitizeText(shortened));
  return el("a", { class: "mono", href: context.getHref(hash), "data-address": hash, title: hash }, shortened);
}

/** Renders an address object: its most specific name above its hash. */
export function renderAddress(address, context) {
  if (address === null) return renderPlaceholder();
  const name = address.ens_domain_name ?? address.name ?? address.metadata?.name ?? address.implementation_name;
  const badges = [
    address.is_scam || address.reputation === "scam" ? renderBadge("scam", "bad") : null,
    address.is_contract && !name ? renderBadge("contract") : null,
  ];
  const hasFirstLine = name || badges.some(Boolean);
  return el(
    "span",
    { class: "address" },
    hasFirstLine ? el("span", { class: "inline-row" }, name ? renderText(name, "name") : null, badges) : null,
    el("span", { class: "hash" }, renderAddressLink(address.hash, context), createCopyButton(address.hash, "address")),
  );
}

export function renderToken(token, context) {
  if (token === null) return renderPlaceholder("Unknown token");
  return el(
    "span",
    { class: "address" },
    el(
      "span",
      { class: "inline-row" },
      renderText(token.name || token.symbol || "Unnamed token", "name"),
      token.symbol && token.name ? renderText(token.symbol, "symbol") : null,
      token.reputation === "scam" ? renderBadge("scam", "bad") : null,
    ),
    el(
      "span",
      { class: "inline-row" },
      token.type ? renderBadge(token.type) : null,
      token.address_hash ? renderAddressLink(token.address_hash, context) : null,
      token.address_hash ? createCopyButton(token.address_hash, "token address") : null,
    ),
  );
}

/** Renders `value`, a string of base units, in whole units. The tooltip is the exact number of base units. */
export function renderAmount(value, decimals, symbol, { hasSign = false, baseUnit = "base units" } = {}) {
  if (value === null) return renderPlaceholder("Unknown amount");
  let exact;
  try {
    exact = formatUnits(value, decimals ?? 0);
  } catch {
    return el("span", { class: "number", title: "Invalid token decimals; this is the raw value" }, sanitizeText(value));
  }
  const isZero = /^-?0+$/.test(value);
  const sign = !hasSign || isZero ? null : value.startsWith("-") ? "negative" : "positive";
  return el(
    "span",
    { class: sign ? `number ${sign}` : "number", title: `${value} ${baseUnit}` },
    (sign === "positive" ? "+" : "") + formatDecimal(exact),
    symbol ? renderText(symbol, "symbol") : null,
  );
}

/** Renders an amount of the chain's native coin, given in wei. */
export const renderNativeAmount = (value, options = {}) =>
  renderAmount(value, NATIVE_COIN_DECIMALS, null, { baseUnit: "wei", ...options });

/** Renders what a token transfer moved: an amount, a token ID, or both. */
export function renderTransferAmount({ total, token }) {
  if (total === null) return renderPlaceholder("Unknown amount");
  const id = total.token_id === null ? null : renderTokenId(total.token_id);
  if (total.value === null && id) return id;
  if (total.value === null) return renderBadge("confidential or unknown");
  const amount = renderAmount(total.value, total.decimals, id ? null : (token?.symbol ?? null));
  if (!id) return amount;
  return el("span", { class: "inline-row align-end" }, amount, el("span", { class: "placeholder" }, "×"), id);
}

export function renderTokenId(id) {
  return el("span", { class: "mono", title: sanitizeText(id) }, `#${sanitizeText(shortenHash(id, 8, 4))}`);
}

/** Renders an untrusted URL as a link, or returns null if it is not https. */
export function renderExternalLink(url, label) {
  const safeUrl = toSafeLinkUrl(url);
  if (!safeUrl) return null;
  return el("a", { href: safeUrl, rel: "noopener noreferrer", target: "_blank", title: sanitizeText(safeUrl) }, label);
}

/** Renders the first safe image of `urls`. The request carries no referrer, so the host cannot see the address. */
export function renderImage(urls, description) {
  const createFallback = () => el("span", { class: "nft-image empty", "aria-hidden": "true" }, "No image");
  const url = urls.map(toSafeImageUrl).find(Boolean);
  if (!url) return createFallback();
  const alt = sanitizeText(description, 100);
  const image = el("img", { class: "nft-image", alt, loading: "lazy", decoding: "async" });
  image.referrerPolicy = "no-referrer";
  image.addEventListener("error", () => image.replaceWith(createFallback()));
  image.src = url;
  return image;
}

/** Renders any JSON value as text of limited length. */
export function renderJson(value) {
  return renderText(typeof value === "string" ? value : JSON.stringify(value), "json");
}
