// Mistakes that users of the package make, for mistakes.test.mjs: what is wrong, the code, and its required outcome.
//
// - `compile`: TypeScript rejects it.
// - `error`: it fails with a typed error of this parameter.
// - `harmless`: it does what was meant, or something that is documented. The code returns true.
// - `silent`: the result is wrong, and nothing says so.
//
// The code is TypeScript and JavaScript, the body of an async function. Its names are in mistakes.test.mjs.

export const MISTAKES = [
  // Units and amounts.
  ["ether for wei", 'return formatUnits("1.5", 18);', { error: "value" }],
  ["a number of wei", "return formatUnits(1500000000000000000, 18);", { compile: true, error: "value" }],
  ["a number of ether", "return parseUnits(1.5, 18);", { compile: true, error: "value" }],
  ["a decimal comma", 'return parseUnits("1,5", 18);', { error: "value" }],
  ["an exponent", 'return parseUnits("1e18", 18);', { error: "value" }],
  ["more digits than the token has", 'return parseUnits("1.5", 0);', { error: "value" }],
  ["a factor for decimals", 'return formatUnits("1", 1e18);', { error: "decimals" }],
  ["arguments in another order", 'return formatUnits(18, "1500000");', { compile: true, error: "decimals" }],
  ["no decimals for formatUnits", 'return formatUnits("1500000");', { compile: true }],
  ["no decimals for formatAmount", "return formatAmount(info.coin_balance);", { compile: true }],
  ["an address for a token", "return formatAmount(info.coin_balance, info);", { compile: true }],
  ["a number for formatAmount", "return formatAmount(1.5);", { compile: true }],
  ["a fiat value without decimals", "return fiatValue(info.coin_balance, info) === null;", { compile: true, harmless: "null" }],
  [
    "a price as a number",
    'return fiatValue("3", { decimals: 0, exchange_rate: 2 }) === "6";',
    { compile: true, harmless: "the same value" },
  ],
  ["numbers to add", "return sumDecimals([1.5, 2]);", { compile: true, error: "values" }],
  ["values as arguments", 'return sumDecimals("1", "2");', { compile: true, error: "values" }],
  ["an undefined value to add", 'return sumDecimals(["1", undefined]);', { compile: true, error: "values" }],
  ["arithmetic with a string", "return holding.value * 2;", { compile: true }],
  ["BigInt of null", "return BigInt(holding.value);", { compile: true }],
  ["adding strings", 'return formatUnits("1", 0) + formatUnits("2", 0) === "12";', { silent: true }],
  ["a dash is expected for null", 'return formatAmount(null) === "";', { harmless: "documented: an empty string" }],
  [
    "an empty amount for a number format",
    "const amount = formatAmount(holding); const shown = useNumber(amount);",
    { compile: true },
  ],
  ["decimals that may be null", "return 10 ** holding.token.decimals;", { compile: true }],

  // Addresses and names.
  ["an ENS name", 'return client.address({ address_hash: "vitalik.eth" });', { error: "address_hash" }],
  ["an ENS name for a history", 'return read(history(client, { address_hash: "vitalik.eth" }));', { error: "address_hash" }],
  ["an ENS name for a balance", 'return client.account.balance({ address: "vitalik.eth" });', { error: "address" }],
  ["an ENS name for namesOf", 'return namesOf(client, "vitalik.eth");', { error: "address" }],
  ["an address for resolveName", "return resolveName(client, address_hash);", { error: "name" }],
  ["no 0x", "return client.address({ address_hash: address_hash.slice(2) });", { error: "address_hash" }],
  ["a space", "return client.address({ address_hash: ` ${address_hash}` });", { error: "address_hash" }],
  ["the hash of a transaction", "return client.address({ address_hash: transaction_hash });", { error: "address_hash" }],
  [
    "an address for a transaction",
    "return client.transaction({ transaction_hash: address_hash });",
    { error: "transaction_hash" },
  ],
  [
    "two addresses for one",
    "return client.account.balance({ address: `${address_hash},${address_hash}` });",
    { error: "address" },
  ],
  ["a list for one address", "return client.account.balance({ address: [address_hash] });", { compile: true, error: "address" }],
  ["no addresses", "return client.account.balanceMulti({ address: [] });", { error: "address" }],
  [
    "another letter case",
    "const { hash } = await client.address({ address_hash: address_hash.toLowerCase() }); return hash === address_hash;",
    { harmless: "the service ignores the case" },
  ],
  ["a wrong checksum", "return checked.address({ address_hash: wrongChecksum });", { error: "address_hash" }],
  ["comparing addresses with ===", "return (address_hash === address_hash.toLowerCase()) === false;", { silent: true }],
  ["a short address for a checksum", 'return checksumAddress("0x12");', { error: "address" }],

  // Pages, lists and iteration.
  ["no await before a list", "return client.addressTransactions({ address_hash }).items.length;", { compile: true }],
  ["no await before a record", "return client.address({ address_hash }).coin_balance;", { compile: true }],
  ["a page for a list", "return (await client.addressTransactions({ address_hash })).length;", { compile: true }],
  [
    "iterating over a page",
    "for (const row of await client.addressTransactions({ address_hash })) useString(row);",
    { compile: true },
  ],
  ["for without await", "for (const row of client.addressTransactions({ address_hash })) useString(row);", { compile: true }],
  ["awaiting a history", "return (await history(client, { address_hash })).length;", { compile: true }],
  [
    "toArray without a limit",
    "return client.addressTransactions({ address_hash }).toArray();",
    { compile: true, error: "limit" },
  ],
  ["a number for toArray", "return client.addressTransactions({ address_hash }).toArray(10);", { compile: true, error: "limit" }],
  ["a limit of 0", "return client.addressTransactions({ address_hash }).toArray({ limit: 0 });", { error: "limit" }],
  [
    "no limit as Infinity",
    "return client.addressTransactions({ address_hash }).toArray({ limit: Infinity });",
    { error: "limit" },
  ],
  [
    "a limit as an option",
    "return client.addressTransactions({ address_hash }, { limit: 10 });",
    { compile: true, error: "limit" },
  ],
  ["a page number", "return client.addressTransactions({ address_hash, page: 2 });", { compile: true, error: "page" }],
  [
    "a page size as a parameter",
    "return client.addressTransactions({ address_hash, pageSize: 10 });",
    { compile: true, error: "pageSize" },
  ],
  ["a page size of 1,000", "return client.addressTransactions({ address_hash }, { pageSize: 1000 });", { error: "pageSize" }],
  [
    "a cursor as parameters",
    "const page = await client.addressTransactions({ address_hash });\nreturn client.addressTransactions({ address_hash, ...page.next_page_params });",
    { error: "block_number" },
  ],
  [
    "a cursor to resume",
    "const page = await client.addressTransactions({ address_hash });\nreturn client.addressTransactions({ address_hash }, { resume: page.next_page_params });",
    { compile: true, error: "resume" },
  ],
  [
    "the token of another address",
    "const page = await client.addressTransactions({ address_hash });\nreturn client.addressTransactions({ address_hash: other }, { resume: page.resumeToken ?? '' });",
    { error: "resume" },
  ],
  [
    "the token of another list",
    "const page = await client.addressTransactions({ address_hash });\nreturn client.addressTokenTransfers({ address_hash }, { resume: page.resumeToken ?? '' });",
    { error: "resume" },
  ],
  ["an offset without a page", "return client.account.txList({ address, offset: 10 });", { compile: true, error: "page" }],
  ["20,000 rows in a request", "return client.account.txList({ address, page: 1, offset: 20_000 });", { error: "offset" }],
  ["a page past 10,000 rows", "return client.account.txList({ address, page: 11, offset: 1_000 });", { error: "page" }],
  [
    "a hundred requests at once",
    "return read(client.account.txList.all({ address }, { concurrency: 100 }));",
    { error: "concurrency" },
  ],
  [
    "awaiting a list twice",
    "const call = client.addressTransactions({ address_hash });\nreturn (await call) === (await call);",
    { harmless: "it is requested once" },
  ],
  [
    "changing the parameters after a call",
    "const params = { address_hash };\nconst call = client.address(params);\nparams.address_hash = other;\nreturn (await call).hash === address_hash;",
    { harmless: "a call copies its parameters" },
  ],
  [
    "an error is expected for nothing",
    "return (await client.addressTransactions({ address_hash: other })).items.length === 0;",
    { harmless: "nothing found is an empty list" },
  ],

  // Names and values of parameters and options.
  ["an address for the parameters", "return client.address(address_hash);", { compile: true, error: "params" }],
  ["a name of the account module", "return client.address({ address: address_hash });", { compile: true, error: "address" }],
  ["a name of REST", "return client.account.balance({ address_hash });", { compile: true, error: "address_hash" }],
  ["camel case", "return client.address({ addressHash: address_hash });", { compile: true, error: "addressHash" }],
  [
    "a signal among the parameters",
    "return client.address({ address_hash, signal: AbortSignal.timeout(5) });",
    { compile: true, error: "signal" },
  ],
  [
    "a controller for a signal",
    "return client.address({ address_hash }, { signal: new AbortController() });",
    { compile: true, error: "signal" },
  ],
  ["timeout", "return client.address({ address_hash }, { timeout: 5000 });", { compile: true, error: "timeout" }],
  ["a time with a unit", 'return client.address({ address_hash }, { timeoutMs: "5s" });', { compile: true, error: "timeoutMs" }],
  ["no timeout as 0", "return client.address({ address_hash }, { timeoutMs: 0 });", { error: "timeoutMs" }],
  [
    "another way to write a standard",
    'return client.addressTokens({ address_hash, type: "ERC20" });',
    { compile: true, error: "type" },
  ],
  [
    "another word for a direction",
    'return client.addressTokenTransfers({ address_hash, filter: "in" });',
    { compile: true, error: "filter" },
  ],
  ["an id as a BigInt", "return client.tokenInstance({ address_hash, token_id: 1n });", { compile: true, error: "token_id" }],
  [
    "a signature for the data of a call",
    'return client.rpc.ethCall({ to: address_hash, data: "totalSupply()" });',
    { error: "data" },
  ],
  ["logs of everything", "return client.logs.getLogs({ fromBlock: 0, toBlock: 5 });", { error: "address" }],
  ["a whole URL for a path", 'return client.request("https://other.invalid/x");', { error: "path" }],
  ["a query in a path", 'return client.request("/api?module=block");', { error: "path" }],

  // Times and blocks.
  ["a date as a string", 'return read(history(client, { address_hash, from: "2026-01-01" }));', { compile: true, error: "from" }],
  ["a date that is none", 'return read(history(client, { address_hash, from: new Date("31.12.2026") }));', { error: "from" }],
  ["Unix seconds for a date", "return read(history(client, { address_hash, from: 1767225600 }));", { error: "from" }],
  ["bounds in reverse", "return read(history(client, { address_hash, from: 9, to: 5 }));", { error: "from" }],
  [
    "the key of the gateway for an instance",
    'return new AddressClient({ chain: { id: 1, baseUrl: "https://eth.blockscout.com" }, apiKey: "proapi_x" });',
    { error: "apiKey" },
  ],
  ["a BigInt for a block", "return read(history(client, { address_hash, from: 5n }));", { compile: true, error: "from" }],
  ["a date to watch from", 'return read(watch(client, { address_hash, since: "2026-01-01" }));', { error: "since" }],
  [
    "a date for a block",
    "return client.account.txList({ address, startblock: new Date() });",
    { compile: true, error: "startblock" },
  ],
  [
    "milliseconds for seconds",
    'return client.block.getBlockNoByTime({ timestamp: Date.now(), closest: "before" });',
    { error: "timestamp" },
  ],

  // Clients, keys and entries.
  ["no options", "return new AddressClient();", { compile: true, error: "baseUrl" }],
  ["a URL for the options", 'return new AddressClient("https://eth.blockscout.com");', { compile: true, error: "options" }],
  ["no instance", "return new AddressClient({});", { error: "baseUrl" }],
  ["no new", "return AddressClient({ baseUrl });", { compile: true }],
  ["url for baseUrl", "return new AddressClient({ url: baseUrl });", { compile: true, error: "url" }],
  ["baseURL for baseUrl", "return new AddressClient({ baseURL: baseUrl });", { compile: true, error: "baseURL" }],
  ["a URL object", "return new AddressClient({ baseUrl: new URL(baseUrl) });", { compile: true, error: "baseUrl" }],
  [
    "no https",
    'return (await new AddressClient({ baseUrl: "sample.invalid", fetch }).baseUrl()) === baseUrl;',
    { harmless: "it is the default" },
  ],
  [
    "the URL of the API",
    "return (await new AddressClient({ baseUrl: `${baseUrl}/api/v2/`, fetch }).baseUrl()) === baseUrl;",
    { harmless: "the path is removed" },
  ],
  ["a name for a chain", 'return new AddressClient({ chain: "ethereum" });', { compile: true, error: "chain" }],
  [
    "a chain id as a string",
    'return new AddressClient({ chainId: "1", apiKey: "proapi_x" });',
    { compile: true, error: "chainId" },
  ],
  ["a chain id without a key", "return new AddressClient({ chainId: 1 });", { compile: true, error: "apiKey" }],
  [
    "a key of a missing variable",
    "const env = {};\nreturn new AddressClient({ chainId: 1, apiKey: env.KEY });",
    { compile: true, error: "apiKey" },
  ],
  ["retries", "return new AddressClient({ baseUrl, retries: 5 });", { compile: true, error: "retries" }],
  ["no attempts", "return new AddressClient({ baseUrl, maxAttempts: 0 });", { error: "maxAttempts" }],
  ["true for a choice", "return new AddressClient({ baseUrl, badRecords: true });", { compile: true, error: "badRecords" }],
  ["an object for a callback", "return new AddressClient({ baseUrl, onEvent: console });", { compile: true, error: "onEvent" }],
  ["a method without its client", "const { stats } = client;\nreturn stats();", { error: "this" }],
  ["a list without its client", "const list = client.addressTransactions;\nreturn list({ address_hash });", { error: "this" }],
  ["a Proxy of a client", "return new Proxy(client, {}).address({ address_hash });", { error: "this" }],
  [
    "an action without its group",
    "const { txList } = client.account;\nreturn (await txList({ address, page: 1, offset: 1 })).items.length === 1;",
    { harmless: "these actions are bound" },
  ],
  ["a proxy without chains", 'return createProxy({ apiKey: "proapi_x" });', { compile: true, error: "chains" }],
  ["a proxy for all chains", 'return createProxy({ apiKey: "proapi_x", chains: "*" });', { compile: true, error: "chains" }],

  // Histories, exports and queries.
  ["a history without a client", "return read(history({ address_hash }));", { compile: true, error: "client" }],
  ["a history of an address", "return read(history(client, { address: address_hash }));", { compile: true, error: "address" }],
  [
    "one kind for a list",
    'return read(history(client, { address_hash, include: "token_transfer" }));',
    { compile: true, error: "include" },
  ],
  [
    "a kind that is none",
    'return read(history(client, { address_hash, include: ["transfer"] }));',
    { compile: true, error: "include" },
  ],
  ["an order in words", 'return read(history(client, { address_hash, order: "newest" }));', { compile: true, error: "order" }],
  [
    "a record of any kind",
    "for await (const event of history(client, { address_hash })) useString(event.record.gas_used);",
    { compile: true },
  ],
  [
    "a balance of some kinds",
    'return auditBalance(client, { address_hash, include: ["transaction"] });',
    { compile: true, error: "include" },
  ],
  ["a client to export", 'return text(toCsv(client, { columns: ["hash"] }));', { compile: true, error: "records" }],
  [
    "columns of events",
    'return text(toCsv(client.addressTransactions({ address_hash }), { columns: "accounting" }));',
    { compile: true, error: "columns" },
  ],
  ["no columns", "return text(toCsv(client.addressTransactions({ address_hash })));", { compile: true, error: "columns" }],
  [
    "an object in a column",
    'return text(toCsv(client.addressTransactions({ address_hash }), { columns: ["from"] }));',
    { compile: true, error: "columns" },
  ],
  ["a column that is none", 'return text(toCsv([{ hash: "0x1" }], { columns: ["hahs"] }));', { compile: true, error: "columns" }],
  [
    "a header that is null",
    'return (await text(toCsv([{ a: 1 }], { columns: ["a"], header: null }))).startsWith(\'"a"\');',
    { compile: true, harmless: "null is the default" },
  ],
  ["a BigInt as JSON", "return text(toNdjson([{ amount: 1n }]));", { error: "records" }],
  ["saving a file on a server", 'return saveFile(toNdjson([{ a: 1 }]), "a.ndjson");', { error: "stream" }],
  ["a total as a string", 'return text(toNdjson([], { total: "100" }));', { compile: true, error: "total" }],
  ["a page of 0 events", "return run(historyQuery(history, client, { address_hash }, 0));", { error: "limit" }],
  [
    "a BigInt in a key",
    "return createQueries(client).tokenInstance({ address_hash, token_id: 1n });",
    { compile: true, error: "params" },
  ],
  ["awaiting the options of a query", "return (await createQueries(client).address({ address_hash })).hash;", { compile: true }],
  [
    "a record without a key",
    "return keyOf((await client.account.tokenTx({ address, page: 1, offset: 1 })).items[0]);",
    { compile: true, error: "record" },
  ],
  ["the key of a page", "return keyOf(await client.addressTransactions({ address_hash }));", { compile: true, error: "record" }],
  [
    "the estimate of a page",
    "return estimate(await client.addressTransactions({ address_hash }));",
    { compile: true, error: "call" },
  ],
  ["a history of a string", "return read(history(client, address_hash));", { compile: true, error: "params" }],
  ["approvals of an address", "return approvals(client, address_hash);", { compile: true, error: "params" }],
  [
    "a code that is none",
    'try { await client.stats(); } catch (error) { return isAddressQueryError(error) && error.code === "ETIMEDOUT"; }',
    { compile: true },
  ],
  ["an ABI as a string", "return JSON.parse((await client.smartContract({ address_hash })).abi);", { compile: true }],
];
