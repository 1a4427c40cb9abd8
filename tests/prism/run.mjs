// Sends the requests of every method of the REST API to a mock service, which Prism makes from a published OpenAPI document.
// The mock must accept every request, and the client must decode every response that it invents.
//
// `make prism` runs it: node tests/prism/run.mjs <document>... ANSWERS is the number of responses for each method.
import assert from "node:assert/strict";
import { basename } from "node:path";
import { AddressClient, isAddressQueryError } from "../../pkg/index.js";
import { hasException, listExceptions } from "./exceptions.mjs";
import { startMockService } from "./mock-service.mjs";
import { listRequests, METHODS } from "./requests.mjs";

const ANSWERS = Number(process.env.ANSWERS ?? 40);
/** With fewer responses, some exceptions may not be needed. */
const MIN_ANSWERS = 40;
/** The error body with which Prism reports the crash of its generator. */
const CRASH = /prism\/errors#UNKNOWN.*TypeError.*json-schema-faker/s;
/** How often each error status is requested. */
const ERRORS = 4;
/** How many examples of one failure are printed. */
const MAX_EXAMPLES = 2;

/** Failures by their description, with examples. */
const failures = new Map();

function addFailure(description, example) {
  const examples = failures.get(description) ?? [];
  failures.set(description, [...examples, example]);
}

/** A method of the package, called on a mock service. */
class MethodUnderTest {
  counts = { requests: 0, responses: 0, errors: 0, unexpected: 0, notInvented: 0 };
  /** The status and the seed that the next requests ask the mock service for. */
  #expected = { status: 200, seed: 0 };
  /** The cursor for the next response instead of the invented one. It is taken by the first response. */
  #cursor = null;
  #body = "";
  /** Whether the mock service accepted the last request, but could not invent a response. */
  #hasCrashed = false;

  constructor(service, method) {
    Object.assign(this, { service, method, operation: service.findOperation(method.path) });
    this.client = new AddressClient({
      ...service.clientOptions,
      maxAttempts: 1,
      fetch: (request) => this.#fetch(request),
      onDrift: ({ kind }) => {
        if (kind === "unexpected_value") this.counts.unexpected++;
      },
    });
  }

  async #fetch(request) {
    if (request.url.includes("/config/backend-version") && this.method.name !== "backendVersion") {
      hasException(null, "version for the size of pages");
      return new Response('{"backend_version":null}');
    }
    const response = await this.service.fetch(request, this.#expected);
    const violations = response.headers.get("sl-violations");
    this.#body = await response.text();
    this.counts.requests++;
    if (CRASH.test(this.#body) && hasException(this.method.name, "crash of the generator")) {
      this.#hasCrashed = true;
      return new Response("{}", { status: 500 });
    }
    const undocumented = [...new URL(request.url).searchParams.keys()].filter((name) => !this.operation.params.includes(name));
    if (violations) addFailure(`${this.method.name}: a request is not accepted: ${violations}`, request.url);
    else if (response.status !== this.#expected.status)
      addFailure(`${this.method.name}: the mock service responds with ${response.status}`, `${request.url} ${this.#body}`);
    for (const name of undocumented)
      if (!hasException(this.method.name, name)) addFailure(`${this.method.name}: undocumented parameter ${name}`, request.url);
    if (this.#cursor) {
      this.#body = JSON.stringify({ ...JSON.parse(this.#body), next_page_params: this.#cursor });
      this.#cursor = null;
    }
    return new Response(this.#body, { status: response.status });
  }

  /** Reads a response of this seed. With a cursor, it also reads the next page. */
  async read(params, seed, cursor = null) {
    this.#hasCrashed = false;
    this.#expected = { status: 200, seed };
    this.#cursor = cursor;
    try {
      const page = await this.#call(params);
      if (cursor) await this.#call(params, { resume: page.resumeToken });
    } catch (error) {
      if (this.#hasCrashed) this.counts.notInvented++;
      else this.#addError(error, seed);
    }
  }

  async #call(params, options) {
    const page = await this.client[this.method.name](params, options);
    this.counts.responses++;
    this.#compare(page);
    return page;
  }

  /** Checks that all records are there, and that every string in them was sent. */
  #compare(page) {
    const body = JSON.parse(this.#body);
    const sent = new Set();
    visitStrings(body, (string) => sent.add(string).add(normalizeTime(string)));
    const items = Array.isArray(body) ? body : body.items;
    if (this.method.isList) assert.equal(page.items.length, items.length);
    visitStrings({ ...page, resumeToken: null, omitted: null }, (string, path) => {
      const isInvented = string === "unknown" && hasException(this.method.name, "unknown type");
      if (!sent.has(string) && !isInvented)
        addFailure(`${this.method.name}: ${path.replace(/\[\d+\]/g, "[]")} was not sent so`, string);
    });
  }

  #addError(error, seed) {
    if (!isAddressQueryError(error)) throw error;
    const { expected = error.message } = error;
    const path = (error.path ?? "").replace(/\[\d+\]/g, "[]");
    if (error.code === "decode" && hasException(this.method.name, path || "no members")) return;
    addFailure(`${this.method.name}: ${error.code} ${path}: ${expected}`, `seed ${seed}: ${error.message}`);
  }

  /** Checks that an invented error body of this status becomes the error of the status. */
  async readError(params, status, seed) {
    this.#expected = { status, seed };
    const call = this.client[this.method.name](params);
    const error = await call.then(
      () => null,
      (error) => error,
    );
    this.counts.errors++;
    if (!isAddressQueryError(error) || error.status !== status)
      addFailure(`${this.method.name}: status ${status} becomes ${error?.code ?? "a result"}`, `seed ${seed}: ${this.#body}`);
  }

  async run() {
    const requests = listRequests(this.method);
    let seed = 0;
    const cursor = this.operation.cursor && hasException(this.method.name, "cursor") ? null : this.operation.cursor;
    for (const params of requests) await this.read(params, seed++, cursor);
    while (this.counts.responses < ANSWERS && seed < 2 * ANSWERS) await this.read(requests[0], seed++);
    for (const status of this.operation.statuses.filter((status) => status !== 200))
      for (let seed = 0; seed < ERRORS; seed++) await this.readError(requests[0], status, seed);
  }
}

/** Calls a function with each string of a JSON value, and with its path. Numbers count as strings: some fields are converted. */
function visitStrings(value, visit, path = "") {
  if (typeof value === "string" || typeof value === "number") visit(String(value), path);
  else if (Array.isArray(value)) value.forEach((element, index) => visitStrings(element, visit, `${path}[${index}]`));
  else if (value) for (const [name, member] of Object.entries(value)) visitStrings(member, visit, `${path}.${name}`);
}

/** The canonical form of a UTC time: six fraction digits. */
function normalizeTime(string) {
  return string.replace(
    /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d*)?Z$/,
    (_, seconds, fraction = ".") => `${seconds}${fraction.padEnd(7, "0")}Z`,
  );
}

for (const path of process.argv.slice(2)) {
  const document = basename(path);
  const service = await startMockService(path);
  for (const method of METHODS) {
    const underTest = new MethodUnderTest(service, method);
    if (!underTest.operation) {
      if (!hasException(method.name, method.path)) addFailure(`${method.name}: no operation ${method.path}`, document);
      continue;
    }
    await underTest.run();
    const { requests, responses, errors, unexpected, notInvented } = underTest.counts;
    if (responses === 0) addFailure(`${method.name}: no response could be invented`, document);
    console.log(
      `${document} ${method.name}: ${requests} requests, ${responses} responses, ${errors} errors, ${unexpected} kinds of unexpected values, ${notInvented} not invented`,
    );
  }
  await service.close();
}
console.log("\nexceptions, with the number of their uses");
for (const { methods, name, reason, uses } of listExceptions()) {
  console.log(`${String(uses).padStart(6)} ${name}${methods ? ` of ${methods.join(", ")}` : ""}: ${reason}`);
  if (uses === 0 && ANSWERS >= MIN_ANSWERS) addFailure(`unused exception: ${name}`, reason);
}
for (const [description, examples] of failures) {
  console.log(`\nFAILED (${examples.length}) ${description}`);
  for (const example of examples.slice(0, MAX_EXAMPLES)) console.log(`  ${example.slice(0, 500)}`);
}
process.exitCode = failures.size === 0 ? 0 : 1;
