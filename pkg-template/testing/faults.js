// What goes wrong between the service and its caller, by chance that comes again with its seed.

import { crashed, crashedCall, refusedCall, TOO_MANY } from "./errors.js";
import { random } from "./random.js";

/** The connection broke, as fetch tells of it. */
export class Disconnected extends TypeError {
  constructor() {
    super("fetch failed");
  }
}

/** Half of a body, and then what `end` does. */
const half = (text, end) => {
  const bytes = new TextEncoder().encode(text);
  let isSent = false;
  return new ReadableStream({
    pull(body) {
      if (isSent) return end(body);
      isSent = true;
      body.enqueue(bytes.subarray(0, Math.ceil(bytes.length / 2)));
    },
  });
};

/** From what stands in front of the service: without the service's headers (`isBare`). */
const foreign = (status, type, text) => ({ status, text, isBare: true, headers: { "content-type": type } });
const page = (status, title) => foreign(status, "text/html", `<!DOCTYPE html><html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>`);

const gateway = (status, title) => ({ dice }) =>
  dice.chance(0.5) ? page(status, `${status} ${title}`) : foreign(status, "application/json", JSON.stringify({ error: title, source: "upstream" }));

/** The service's own words for "too many requests"; `headers` are those of one request. */
const limited = (headers) => (request) => ({
  status: 429,
  body: request.isAccount ? refusedCall(TOO_MANY).body : { message: TOO_MANY },
  isBare: true,
  headers: { "content-type": "application/json; charset=utf-8", "bypass-429-option": "no_bypass", ...headers(request) },
});
const window = (reset) => ({ "x-ratelimit-limit": "300", "x-ratelimit-remaining": "0", "x-ratelimit-reset": String(reset) });

/** Labels of open sets: the next version may have new ones. */
const LABELS = ["type", "token_type", "proxy_type"];

/** A record as the next version may send it. */
const drifted = (record) => ({
  ...record,
  ...Object.fromEntries(LABELS.filter((name) => typeof record[name] === "string").map((name) => [name, `${record[name]}-next`])),
  ...(record.token && { token: drifted(record.token) }),
  unheard_of: { of: ["yet", null, 1e3] },
});

/** Parameters that are no part of a cursor, unless the service repeats them there. */
const FILTERS = new Set(["type", "filter", "token", "topic", "sort", "order", "include_zero_value", "key", "apikey"]);

/** A parameter as it stood in the cursor that it came from. */
const scalar = (text, isText) => {
  if (text === "null") return null;
  return isText || !/^\d+$/.test(text) ? text : BigInt(text);
};

/**
 * Each kind makes the answer to a request. It is given the request's `dice`, `sent` parameters and `signal`, whether it
 * `isAccount`; `wait` for so long, `grow` by a block, and `answer`, as the service would; `text` is that of an answer.
 */
const KINDS = {
  latency: async ({ dice, wait, answer }) => {
    await wait(10 + dice.below(90));
    return answer();
  },
  stall: ({ wait }) => wait(Infinity),
  "stalled-body": async ({ answer, text, signal }) => {
    const sent = await answer();
    const ends = (body) => new Promise(() => signal.addEventListener("abort", () => body.error(signal.reason), { once: true }));
    return { ...sent, text: half(text(sent), ends) };
  },
  network: () => {
    throw new Disconnected();
  },
  "429-reset": limited(({ dice }) => window(20 + dice.below(80))),
  "429-retry-after": limited(() => ({ "retry-after": "1" })),
  "429-date": limited(() => ({ "retry-after": new Date(Date.now() + 1000).toUTCString() })),
  "429-unlimited": limited(() => window(-1)),
  "429-bare": () => foreign(429, "text/plain", "error code: 1015"),
  500: ({ isAccount }) => ({ ...(isAccount ? crashedCall() : crashed()), headers: {} }),
  502: gateway(502, "Bad Gateway"),
  503: gateway(503, "Service Unavailable"),
  504: gateway(504, "Gateway Timeout"),
  "html-200": () => page(200, "Just a moment..."),
  "html-403": () => page(403, "Access denied"),
  truncated: async ({ dice, answer, text }) => {
    const sent = await answer();
    const whole = text(sent);
    return { ...sent, text: whole.slice(0, dice.below(whole.length)) };
  },
  null: async () => ({ status: 200, text: "null" }),
  "broken-stream": async ({ answer, text }) => {
    const sent = await answer();
    return { ...sent, text: half(text(sent), (body) => body.error(new Disconnected())) };
  },
  "duplicate-keys": async ({ answer, sent }) => ({ ...(await answer()), stale: Object.fromEntries(sent) }),
  "repeated-cursor": async ({ answer, sent }) => {
    const answered = await answer();
    const next = answered.page?.next_page_params;
    const names = [...sent.keys()].filter((name) => next && (Object.hasOwn(next, name) || !FILTERS.has(name)));
    // The first page has no cursor to repeat.
    if (names.every((name) => FILTERS.has(name))) return answered;
    const repeated = names.map((name) => [name, scalar(sent.get(name), typeof next[name] === "string")]);
    return { ...answered, page: { ...answered.page, next_page_params: Object.fromEntries(repeated) } };
  },
  drift: async ({ answer }) => {
    const { page, body, ...sent } = await answer();
    if (page) return { ...sent, page: { ...page, items: page.items.map(drifted), unheard_of: true } };
    const isRows = Array.isArray(body?.result) && body.result.every((row) => typeof row === "object");
    return { ...sent, body: isRows ? { ...body, result: body.result.map(drifted), unheard_of: true } : body };
  },
  "new-blocks": ({ grow, answer }) => {
    grow();
    return answer();
  },
};

/** Those that a careful client gets through; a 403 is for its caller to see. */
export const PASSING = Object.keys(KINDS).filter((kind) => kind !== "html-403");

/** The faults of one service. The n-th request has the same one each time. */
export class Faults {
  #seed;
  #rate;
  #kinds;
  #count = 0;

  constructor({ seed = 1, rate = 0.3, kinds = PASSING, ...others }) {
    const [other] = Object.keys(others);
    if (other !== undefined) throw new RangeError(`faults has no option ${other}; there are seed, rate, kinds`);
    if (typeof rate !== "number" || !(rate >= 0 && rate <= 1)) throw new RangeError(`faults.rate must be a number from 0 to 1, not ${rate}`);
    if (!Array.isArray(kinds) || kinds.length === 0) throw new RangeError("faults.kinds must be a list of kinds, and not empty");
    const unknown = kinds.find((kind) => !Object.hasOwn(KINDS, kind));
    if (unknown !== undefined) throw new RangeError(`faults.kinds must be of ${Object.keys(KINDS).join(", ")}, not ${unknown}`);
    this.#seed = seed;
    this.#rate = rate;
    this.#kinds = [...kinds];
  }

  /** How the next request is answered. */
  next() {
    const dice = random("fault", this.#seed, this.#count++);
    if (!dice.chance(this.#rate)) return (request) => request.answer();
    const kind = KINDS[dice.pick(this.#kinds)];
    return (request) => kind({ ...request, dice });
  }
}
