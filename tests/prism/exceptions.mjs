// What a published document allows or lacks, although the real service differs. Every other difference is a failure.

/** Each names methods, and the path of the operation, a parameter, or the path of a value in a response. */
const EXCEPTIONS = [
  {
    methods: ["addressCeloElectionRewards"],
    name: "/api/v2/addresses/{address_hash}/celo/election-rewards",
    reason: "only instances of Celo have this list, and the documents are those of other chains",
  },
  {
    methods: ["addressInternalTransactions", "internalTransactions"],
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
    methods: ["stats"],
    name: "total_blocks",
    reason:
      "the document of version 11 requires no member, but the service always sends this one. Without it, an error with status 200 " +
      "would be read as statistics",
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
    methods: ["addressBeaconDeposits"],
    name: "items[0].status",
    reason: "in the document of the gateway, this is the schema `Status` of another service: an object",
  },
];

const used = new Set();

/** Whether there is an exception with this method and name. */
export function hasException(method, name) {
  const exception = EXCEPTIONS.find((exception) => exception.methods.includes(method) && exception.name === name);
  if (exception) used.add(exception);
  return exception !== undefined;
}

/** Lists the exceptions that were not needed. */
export function listUnusedExceptions() {
  return EXCEPTIONS.filter((exception) => !used.has(exception));
}
