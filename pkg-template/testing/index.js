// The sample service: a deterministic fake of the address query service, as a function like `fetch`.

import { AccountModule } from "./account.js";
import { Chain } from "./chain.js";
import { notFound, Refusal, unknownAction } from "./errors.js";
import { Faults } from "./faults.js";
import { ListReader } from "./lists.js";

const VERSIONS = [8, 11, 12];
/** Only the path of a request counts, so a path alone is enough. */
const ANY_ORIGIN = "https://sample.invalid";
const LONGEST_QUERY = 5000;
const HEADERS = {
  "bypass-429-option": "no_bypass",
  "content-type": "application/json; charset=utf-8",
  "x-ratelimit-limit": "-1",
  "x-ratelimit-remaining": "-1",
  "x-ratelimit-reset": "-1",
};

/** Creates a service. Its data are made on first need, from the seed alone. */
export function createSampleService(options = {}) {
  const { seed = 1, dialect = 11, latencyMs = 0, pageSize = 50, grow = 0, faults = { rate: 0 }, ...others } = options;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw new RangeError(`${unknown} is no option; there are seed, dialect, latencyMs, pageSize, grow, faults`);
  if (!VERSIONS.includes(dialect)) throw new RangeError(`dialect must be one of ${VERSIONS.join(", ")}, not ${dialect}`);
  if (!Number.isInteger(pageSize) || pageSize < 1) throw new RangeError(`pageSize must be a positive integer, not ${pageSize}`);
  if (!Number.isInteger(grow) || grow < 0) throw new RangeError(`grow must be an integer and not negative, not ${grow}`);

  const chain = new Chain(seed);
  const lists = new ListReader(chain, dialect, pageSize);
  const account = new AccountModule(chain, dialect, grow);
  const plan = new Faults(faults);

  // A request passes three stages, each of which sees only what the one before returned: wait, answer, respond.
  return {
    addresses: chain.accounts.samples,

    async fetch(input, init) {
      const isRequest = typeof input === "object" && "url" in input;
      const request = new Request(isRequest ? input : new URL(input, ANY_ORIGIN), init);
      const { pathname, searchParams: sent } = new URL(request.url);
      const signal = init?.signal ?? (isRequest ? input.signal : request.signal);
      const fault = plan.next();
      await wait(latencyMs, signal);
      const answered = await fault({
        sent,
        signal,
        isAccount: isAccountPath(apiPathOf(pathname)),
        wait: (milliseconds) => wait(milliseconds, signal),
        grow: () => account.grow(1),
        answer: () => answer(lists, account, request),
        text: textOf,
      });
      return respond(answered);
    },

    truth(path, query = {}) {
      // A copy as it would have come over the wire, that the caller may keep and change.
      return JSON.parse(JSON.stringify(lists.all(path, new URLSearchParams(query))));
    },

    truthOf(action, query = {}) {
      return account.all(action, new URLSearchParams(query));
    },
  };
}

/** Rejects with the signal's reason as soon as it is aborted, as fetch does. */
function wait(milliseconds, signal) {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal.reason ?? new DOMException("This operation was aborted", "AbortError"));
    };
    const done = () => {
      signal.removeEventListener("abort", abort);
      resolve();
    };
    const timer = milliseconds === Infinity ? undefined : setTimeout(done, milliseconds);
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort, { once: true });
  });
}

/** What follows `/api` in a path; nothing where there is none. */
const apiPathOf = (pathname) => /^.*\/api(\/.*)?$/.exec(pathname)?.[1] ?? "";
const isAccountPath = (path) => /^(\/v1)?\/?$/.test(path);

/** The answer to a request: its status, and a `page` of a list, another `body`, or a `text` that is no JSON. */
async function answer(lists, account, request) {
  const { pathname, search, searchParams } = new URL(request.url);
  if (search.length > LONGEST_QUERY) return { status: 414, text: "<html><h1>414 Request-URI Too Large</h1></html>", headers: { "content-type": "text/html" } };
  try {
    const path = apiPathOf(pathname);
    if (isAccountPath(path)) return { status: 200, body: account.answer(await parametersOf(request, searchParams)) };
    if (!path.startsWith("/v2")) throw notFound();
    if (request.method !== "GET") throw unknownAction();
    const showScam = request.headers.get("show-scam-tokens") === "true";
    return { status: 200, page: lists.page(path.slice("/v2".length).replace(/\/$/, ""), searchParams, showScam) };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { status: error.status, body: error.body, headers: error.headers };
  }
}

/** Parameters of the module/action interface, which takes them in the body as well. */
async function parametersOf(request, searchParams) {
  const text = request.method === "POST" ? await request.text() : "";
  const isJson = request.headers.get("content-type")?.includes("json");
  return [...searchParams, ...(isJson && text ? Object.entries(JSON.parse(text)) : new URLSearchParams(text))];
}

/** `isBare` answers have no headers but their own. */
function respond({ isBare, status, headers, ...answered }) {
  return new Response(textOf(answered), { status, headers: { ...(isBare ? {} : HEADERS), ...headers } });
}

/** The text of an answer; `stale` are values that stand in the cursor a second time, under the same keys. */
function textOf({ text, page, body, stale }) {
  return text ?? (page ? listText(page, stale) : JSON.stringify(body));
}

/** An envelope as JSON, whose cursor may hold numbers of any size. */
function listText({ next_page_params: cursor, ...envelope }, stale = {}) {
  const entries = Object.entries(cursor ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  const members = entries.flatMap(([name, value]) => [[name, value], ...(Object.hasOwn(stale, name) ? [[name, stale[name]]] : [])]);
  const text = members.map(([name, value]) => `${JSON.stringify(name)}:${typeof value === "bigint" ? numberText(value) : JSON.stringify(value)}`);
  return `${JSON.stringify(envelope).slice(0, -1)},"next_page_params":${cursor && `{${text}}`}}`;
}

/** Version 8 writes round numbers with an exponent. */
function numberText(value) {
  const ether = 10n ** 18n;
  return value !== 0n && value % ether === 0n ? `${value / ether}E+18` : String(value);
}
