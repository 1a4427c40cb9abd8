// Exceptions: differences between a published document and the real service, and requests that the mock cannot handle. Every other
// difference is a failure, and so is an unused exception.

/** Each names methods, and the path of the operation, a parameter, the path of a value in a response, or what else is excepted. */
const EXCEPTIONS = [
  {
    methods: ["addressCeloElectionRewards"],
    name: "/api/v2/addresses/{address_hash}/celo/election-rewards",
    reason: "only instances of Celo have this list, and the documents are for other chains",
  },
  {
    methods: ["addressInternalTransactions", "internalTransactions", "transactionInternalTransactions"],
    name: "include_zero_value",
    reason: "a parameter of service version 12, which documents of version 11 lack",
  },
  {
    methods: ["addressCoinBalanceHistoryByDay"],
    name: "items",
    reason:
      "the documents do not require `items`, but the service always sends it. Without it, an object that is not a page, such " +
      "as an error, would be read as an empty list",
  },
  {
    methods: ["stats", "indexingStatus", "backendConfig", "searchRedirect", "marketChart"],
    name: "no members",
    reason:
      "the documents require no member, but an object without any that is documented is no record: an error with status 200 would " +
      "be read as one",
  },
  {
    methods: ["search", "searchQuick"],
    name: "unknown type",
    reason: "the documents require no type of a result, and the type of one without it is `unknown`",
  },
  {
    methods: ["backendVersion"],
    name: "/api/v2/config/backend-version",
    reason: "the document of the gateway does not list it",
  },
  {
    methods: ["backendConfig"],
    name: "/api/v2/config/backend",
    reason: "the document of the gateway does not list it",
  },
  {
    methods: ["addressCeloElectionRewards"],
    name: "items[].epoch_number",
    reason: "the document of the gateway does not require the epoch of a reward, which the service sends",
  },
  {
    methods: ["search"],
    name: "items",
    reason: "the documents do not require `items`, but the service always sends it, as with the other lists",
  },
  {
    methods: ["transfersOfToken"],
    name: "cursor",
    reason: "the example of a cursor has hashes of three digits, which the pattern of the same parameters forbids",
  },
  {
    methods: null,
    name: "negative block number",
    reason: "the documents do not say everywhere that a block number is not negative, so the mock would invent negative ones",
  },
  {
    methods: null,
    name: "slash at the end of a path",
    reason: "the documents write the path of the list of tokens with a slash at the end, which the service ignores",
  },
  {
    methods: null,
    name: "version for the size of pages",
    reason: "the client asks for the version of the service, too, to choose the size of pages and to explain a failure",
  },
  {
    methods: [
      "tokenTransfers",
      "addressTokenTransfers",
      "addressTransactions",
      "transactions",
      "blockTransactions",
      "transfersOfToken",
      "tokenInstanceTransfers",
      "transactionTokenTransfers",
      "transaction",
      "transactionSummary",
      "advancedFilters",
    ],
    name: "crash of the generator",
    reason:
      "json-schema-faker, which invents the responses, fails with a TypeError for schemas of the gateway's document that combine others. " +
      "The request was accepted before",
  },
];

const uses = new Map(EXCEPTIONS.map((exception) => [exception, 0]));

/** Whether there is an exception with this name, for this method or for the documents (null). Counts its uses. */
export function hasException(method, name, count = 1) {
  const exception = EXCEPTIONS.find(
    ({ methods, name: excepted }) => excepted === name && (methods === null ? method === null : methods.includes(method)),
  );
  if (exception) uses.set(exception, uses.get(exception) + count);
  return exception !== undefined;
}

/** Lists the exceptions, with the number of their uses. */
export function listExceptions() {
  return EXCEPTIONS.map((exception) => ({ ...exception, uses: uses.get(exception) }));
}
