// Removes what is private from responses before they become fixtures: keys, tokens, e-mail and IP addresses, and personal tags.

const REPLACEMENTS = [
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]+/g, "token"],
  [/\bproapi_\w+/g, "key"],
  [/([?&](?:api_?key|key|token|secret|signature|sig|auth|password)=)[^&\s"]+/gi, "$1removed"],
  [/\b(Bearer|Basic) +[\w.~+/=-]+/gi, "$1 removed"],
  [/[\w.+-]+@[\w-]+(\.[\w-]+)+/g, "removed@example.com"],
  [/(?<![\d.v])(?:\d{1,3}\.){3}\d{1,3}(?![\d.])/g, "192.0.2.1"],
  [/(?<![\w:])(?:[\da-f]{1,4}:){3,7}:?[\da-f]{1,4}(?![\w:])/gi, "2001:db8::1"],
];
/** Fields of a user of the service, whose account the key belongs to. */
const PERSONAL = /^(private_tags|watchlist_names|watchlist_address_id|email|ip|ip_address|cookie|set-cookie|api_?key|session)$/i;

/** Returns a copy of a JSON value without anything private. `secrets` are strings that it must not contain. */
export function removePrivate(value, secrets = []) {
  if (typeof value === "string") {
    const open = secrets.filter(Boolean).reduce((text, secret) => text.replaceAll(secret, "removed"), value);
    return REPLACEMENTS.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), open);
  }
  if (Array.isArray(value)) return value.map((item) => removePrivate(item, secrets));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, PERSONAL.test(name) ? clear(member) : removePrivate(member, secrets)]),
  );
}

/** An empty value of the same type, so that the response still has the documented shape. */
function clear(value) {
  if (Array.isArray(value)) return [];
  return typeof value === "string" ? "removed" : null;
}
