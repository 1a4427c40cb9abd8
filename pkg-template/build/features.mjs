// The features whose size `make size FEATURES=...` measures. Each has the edits that leave it out of a copy of the sources: a file,
// a piece of text that occurs in it exactly once, and its replacement. The compiler then removes what is no longer used. The edits
// change behaviour: a copy is built to be measured, never to be used.

/** Creates edits that make functions of a file return at once: values by the last lines of their signatures. */
function returnAtOnce(file, values) {
  return Object.entries(values).map(([signature, value]) => [file, signature, `${signature}\n        return ${value};`]);
}

const CALL = "src/client/call.rs";
const JS_CALLS = "src/js/calls.rs";
const LIMITER = "src/client/rate_limiter/mod.rs";
const NO_RESULT = "Ok(JsValue::NULL)";

const RANGE_READER = `let reader = RangeReader::new(client, action, request, decode_options, resume)?;
            let concurrency = if options.concurrency == 0 { DEFAULT_CONCURRENCY } else { options.concurrency };
            return Ok(Self::Range(action, Box::new(ParallelReader::new(reader).with_concurrency(concurrency))));`;

const PARALLEL_LIST_PAGE = `MethodCall::ParallelList(list, pager) => {
                let page = pager.next().await.map_err(error::to_js)?;
                page::page_to_js(list, page, pager.resume_token().as_deref(), callbacks)`;

/** The lists of the first recorded size. */
const FIRST_LISTS = [
  "Addresses",
  "AddressNft",
  "AddressLogs",
  "TokenTransfers",
  "AddressCoinBalanceHistory",
  "AddressInternalTransactions",
  "AddressTokenTransfers",
  "AddressWithdrawals",
].map((name) => `<${name}Params as ListParams>::LIST`);

/** Feature: name on the command line, title in the table, edits, and what the measurement does not include. */
export const FEATURES = [
  {
    name: "ranges",
    title: "ranges: `all()`, with parallel reads and reports",
    edits: [
      [CALL, "Box<ParallelReader<R>>", "std::marker::PhantomData<R>"],
      [CALL, RANGE_READER, "return Ok(Self::Range(action, std::marker::PhantomData));"],
      [JS_CALLS, "let window = reader.next().await.map_err(error::to_js)?;", ""],
      [JS_CALLS, "page::window_to_js(action, window, reader, callbacks)", NO_RESULT],
      ["endpoints.js", 'import { BlockRangeCall } from "./range.js";', "const BlockRangeCall = Object;"],
    ],
  },
  {
    name: "parallel",
    title: "parallel reads of a range",
    edits: [
      [CALL, "Box<ParallelReader<R>>", "Box<RangeReader<R>>"],
      [CALL, "Box::new(ParallelReader::new(reader).with_concurrency(concurrency))", "Box::new(reader)"],
      ["src/js/page.rs", "reader: &ParallelReader<Browser>", "reader: &crate::client::RangeReader<Browser>"],
    ],
  },
  {
    name: "parallel-lists",
    title: "parallel reads of a list",
    edits: [
      [CALL, "Box<ParallelPager<R>>", "std::marker::PhantomData<R>"],
      [
        CALL,
        "Self::ParallelList(list, Box::new(ParallelPager::new(list, keyset, pager, options.concurrency)))",
        "drop((keyset, pager));\n                    Self::ParallelList(list, std::marker::PhantomData)",
      ],
      [JS_CALLS, PARALLEL_LIST_PAGE, `MethodCall::ParallelList(..) => {\n                ${NO_RESULT}`],
    ],
  },
  {
    name: "balances",
    title: "balances in batches: `balanceMulti` and batched `balance`",
    edits: [
      [
        JS_CALLS,
        `let balances =
                    client.balances_with_options(action, addresses, *fresh_within_ms, *decode_options, |page| {
                        callbacks.emit_findings(page);
                    });`,
        "",
      ],
      [JS_CALLS, "Ok(object::to_js(&balances.await.map_err(error::to_js)?))", NO_RESULT],
      ["account.ts", "batchBalances ? new BalanceBatcher((...args) => this.balanceMulti(...args)) : undefined", "undefined"],
    ],
  },
  {
    name: "graphql",
    title: "GraphQL: queries and the conversion of responses",
    edits: [
      ["src/endpoint/mod.rs", ".chain(queries).find(|action|", ".find(|action|"],
      ["src/endpoint/mod.rs", ".chain(queries).find(|list|", ".find(|list|"],
      ["src/client/fetch.rs", "query: request.query(additional)", "query: None"],
      ["src/client/fetch.rs", "let query = query.as_ref().map(|(query, _)| *query);", "let query = None;"],
      ["src/client/attempt.rs", "query_body: query.map(|query| (query, Vec::new()))", "query_body: None"],
      [
        "src/client/attempt.rs",
        "if let Some((query, body)) = self.query_body.take() {",
        "if let Some((query, body)) = None::<(&Query, Vec<u8>)> {",
      ],
      ["client.ts", "class Graphql extends GraphqlQueries {\n  constructor(session: Session) {\n    super(session);\n  }\n}", ""],
      ["client.ts", "this.graphql = new Graphql(session);", ""],
    ],
  },
  {
    name: "instance",
    title: "`instance()` and the version check of failures",
    edits: [
      [JS_CALLS, "let info = client.instance_with_findings(|page| callbacks.emit_findings(page)).await;", ""],
      [JS_CALLS, "Ok(object::to_js(&*info.map_err(error::to_js)?))", NO_RESULT],
      ...returnAtOnce("src/client/version_check.rs", {
        ") -> Result<Fetched<D::Page>, Error> {": "self.fetch(target, decoder, validate, start).await",
      }),
    ],
  },
  {
    name: "records",
    title: "the lists that were added to the first eight, and all lookups",
    edits: [
      ["src/endpoint/mod.rs", "std::hint::black_box(LISTS)", `std::hint::black_box(const { &[${FIRST_LISTS.join(", ")}] })`],
      ["src/endpoint/mod.rs", "std::hint::black_box(LOOKUPS)", "std::hint::black_box(const { &[] as &[&Lookup] })"],
    ],
    remark: "module only",
  },
  {
    name: "chains",
    title: "options `chain` and `chainId`",
    edits: [["session.ts", "this.#options = selectInstance(copy);", "this.#options = copy;"]],
    remark: "scripts only: the errors and credits of the gateway count as events and error bodies",
  },
  {
    name: "tabs",
    title: "rate limit shared by tabs",
    edits: [
      ["src/js/rate_limiters.rs", "if fetch.is_undefined() && (api_key.is_undefined() || api_key.is_string()) {", "if false {"],
      ...returnAtOnce("src/client/rate_limiter/peers.rs", {
        "fn announce(&self, event: PeerEvent) {": "()",
      }),
    ],
  },
  {
    name: "limiter",
    title: "rate limiter: limits, headers, holds and adaptive rate",
    edits: returnAtOnce(LIMITER, {
      "fn wait_ms(&self, now: u64) -> u64 {": "0",
      "fn expected_wait(&self, now: u64) -> Option<u64> {": "None",
      "fn observe_headers(&self, headers: &Headers, now: u64, max_wait_ms: u64) {": "()",
      "pub(crate) fn on_success(&self, now: u64) {": "()",
      "fn on_rate_limited(&self, id: Option<u64>, now: u64) {": "()",
      "fn hold(&self, now: u64, stated_ms: Option<u64>, attempts: u32, random: f64) -> u64 {": "0",
      "fn held_ms(&self, now: u64) -> u64 {": "0",
      "fn on_network_failure(&self, id: u64, now: u64, attempts: u32, random: f64) {": "()",
      "fn take_retry(&self) -> bool {": "true",
      "fn refund_retries(&self, retries: u32) {": "()",
      "pub fn receive(&self, event: PeerEvent, now: u64) {": "()",
    }),
    remark: "the queue of waiting requests remains",
  },
  {
    name: "retry",
    title: "retries",
    edits: returnAtOnce("src/client/attempts.rs", {
      "    ) -> Result<RetryDelay, Error> {": "Err(error)",
    }),
  },
  {
    name: "resume",
    title: "resume tokens",
    edits: [
      ...returnAtOnce("src/client/resume.rs", {
        "request: &Request, cursor: &Cursor) -> String {": "String::new()",
        "request: &Request) -> Result<Cursor, Error> {": 'Err(Error::invalid_parameter("resume", ""))',
      }),
      ...returnAtOnce("src/client/range/token.rs", {
        "fn encode_position(state: &State, head: Option<HeadSnapshot>) -> Option<Cursor> {": "None",
        "fn decode_position(cursor: &Cursor, range: BlockRange) -> Option<(State, Option<HeadSnapshot>)> {": "None",
      }),
    ],
  },
  {
    name: "cache",
    title: "response cache",
    edits: returnAtOnce("src/client/response_cache.rs", {
      "fn is_enabled(&self) -> bool {": "false",
      "fn get(&mut self, url: &str, now: u64) -> Option<Rc<Vec<u8>>> {": "None",
      "fn insert(&mut self, url: &str, body: Vec<u8>, now: u64) {": "()",
    }),
  },
  {
    name: "sharing",
    title: "sharing of requests in flight",
    edits: returnAtOnce("src/client/shared_fetch.rs", {
      "fn subscribe(&self, url: &str, priority: Priority) -> Option<Subscriber> {": "None",
      "fn add(&self, fetch: &Rc<SharedFetch>) {": "()",
    }),
    remark: "the event log between a fetch and its subscribers remains: all requests pass through it",
  },
  {
    name: "events",
    title: "events: `onEvent`",
    edits: [
      ...returnAtOnce("src/client/mod.rs", {
        "fn emit(&self, event: &Event<'_>) {": "()",
      }),
      ["src/js/mod.rs", 'options.on_event = function("onEvent").map(callbacks::create_event_sink);', ""],
      ["src/client/exchange.rs", "let credits = remaining_credits(&headers);", "let credits = None;"],
    ],
  },
  {
    name: "drift",
    title: "drift: `onDrift`",
    edits: returnAtOnce("src/decode/drift.rs", {
      "table: &'static Table, field: &str, found: &[u8]) {": "()",
      "fn insert(&mut self, drift: &Drift) -> bool {": "false",
      "fn take_unreported(&mut self) -> Vec<Drift> {": "Vec::new()",
    }),
  },
  {
    name: "errors",
    title: "messages of the service in error bodies",
    edits: returnAtOnce("src/decode/error_body.rs", {
      "pub fn error_message(body: &[u8]) -> Option<String> {": "None",
      "pub fn refusal_message(body: &[u8]) -> Option<String> {": "None",
      "fn is_gateway_error(body: &[u8]) -> bool {": "false",
    }),
  },
  {
    name: "base-url",
    title: "normalization of `baseUrl`",
    edits: returnAtOnce("src/endpoint/base_url.rs", {
      "fn normalize(url: &str, is_authority: fn(&str) -> bool) -> Result<String, &'static str> {": "Ok(url.to_owned())",
    }),
  },
  {
    name: "fast-path",
    title: "fast path of the decoder",
    edits: returnAtOnce("src/decode/fast_path.rs", {
      "    step: &mut Step,\n) -> ReadValue<'a> {": "None",
    }),
  },
  {
    name: "preload",
    title: "`preload()`",
    edits: [
      ["client.ts", "  preload(): Promise<void> {\n    return this.#session.preload();\n  }", ""],
      [
        "session.ts",
        "  async preload(): Promise<void> {\n    const instance = await this.load();\n    await instance.run(async () => this.connect(instance));\n  }",
        "",
      ],
    ],
  },
  {
    name: "keys",
    title: "natural keys: `keyOf`",
    edits: [["public.ts", 'export { keyOf, type KeyedRecord } from "./keys.js";', ""]],
  },
  {
    name: "units",
    title: "amounts: `formatAmount`, `formatUnits`, `parseUnits`",
    edits: [["public.ts", 'export { type AmountRecord, formatAmount, formatUnits, parseUnits } from "./units.js";', ""]],
  },
];
