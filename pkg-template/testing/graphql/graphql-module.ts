// GraphQL at /api/v1/graphql: the types, over the rows of the account module, and the responses. Lists are connections, as Relay
// defines them. As in the service, their cursors count the records before them.

import { type DocumentNode, parse } from "graphql";
import {
  LIST_ACTIONS,
  type ListAction,
  selectInternalTransactionsOf,
  selectRows,
  selectTransfers,
} from "../account/account-actions.js";
import {
  type SerializedRow,
  serializeInternalTransaction,
  serializeTransaction,
  serializeTransfer,
} from "../account/account-serializer.js";
import type { BalanceState } from "../ledger/balances.js";
import type { TransactionRow, TransferRow } from "../ledger/rows.js";
import { createLazy } from "../maps.js";
import { ApiError } from "../responses.js";
import type { Instance } from "../settings.js";
import { type Arguments, type Field, type ObjectType, Query, QueryError, type QueryResponse } from "./execute.js";

const CURSOR_PREFIX = "arrayconnection:";

interface Edge {
  readonly node: unknown;
  readonly index: number;
}

interface Connection {
  readonly edges: readonly Edge[];
  readonly start: number;
  readonly end: number;
  readonly length: number;
}

const createCursor = (index: number) => btoa(CURSOR_PREFIX + index);

function parseCursor(cursor: unknown): number {
  const index = /^[\w+/]+=*$/.test(String(cursor)) ? atob(String(cursor)).slice(CURSOR_PREFIX.length) : "";
  if (!/^\d+$/.test(index)) throw new QueryError("Invalid cursor provided as `after` or `before` argument");
  return Number(index);
}

function selectRange({ length }: readonly unknown[], { first, last, after, before, count = length }: Arguments) {
  let start = after === undefined ? 0 : parseCursor(after) + 1;
  let end = Math.min(length, Number(before === undefined ? count : parseCursor(before)));
  if (first !== undefined) end = Math.min(end, start + Number(first));
  else if (last !== undefined) start = Math.max(start, end - Number(last));
  else throw new QueryError("You must either supply `:first` or `:last`");
  return { start, end, length };
}

const pageInfo: ObjectType = {
  name: "PageInfo",
  fields: {
    hasNextPage: { resolve: ({ end, length }: Connection) => end < length },
    hasPreviousPage: { resolve: ({ start }: Connection) => start > 0 },
    startCursor: { resolve: ({ edges, start }: Connection) => (edges.length > 0 ? createCursor(start) : null) },
    endCursor: { resolve: ({ edges, end }: Connection) => (edges.length > 0 ? createCursor(end - 1) : null) },
  },
};

/** Creates a field that is a connection to the rows of its source, each converted to a record. `parameters` are further arguments. */
function createConnection<Source, Row>(
  nodeType: ObjectType,
  getRows: (source: Source, values: Arguments) => readonly Row[],
  convert: (row: Row) => unknown,
  parameters: readonly string[] = [],
): Field {
  const edge: ObjectType = {
    name: `${nodeType.name}Edge`,
    fields: {
      node: { type: nodeType, resolve: ({ node }: Edge) => node },
      cursor: { resolve: ({ index }: Edge) => createCursor(index) },
    },
  };
  return {
    parameters: ["first", "last", "after", "before", "count", ...parameters],
    type: {
      name: `${nodeType.name}Connection`,
      fields: {
        edges: { type: edge, resolve: ({ edges }: Connection) => edges },
        pageInfo: { type: pageInfo, resolve: (connection: Connection) => connection },
      },
    },
    multiply: ({ first, last }) => Number(first ?? last ?? 0),
    resolve(source: Source, values): Connection {
      const rows = getRows(source, values);
      const { start, end, length } = selectRange(rows, values);
      const selected = rows.slice(start, Math.max(start, end));
      return { edges: selected.map((row, i) => ({ node: convert(row), index: start + i })), start, end, length };
    },
  };
}

const CONVERSIONS = {
  string: (value: string): unknown => value,
  integer: Number,
  enum: (value: string) => value.toUpperCase(),
  status: (flag: string) => (flag === "0" ? "OK" : "ERROR"),
  timestamp: (seconds: string) => new Date(Number(seconds) * 1000).toISOString().replace("Z", "000Z"),
};

/**
 * Creates the fields with values of a row of the account module, where an empty string means an unknown value. `table` has the name
 * of each field, its member if the name differs, and its conversion.
 */
function createFields(table: string): Record<string, Field> {
  const fields = table.split(" ").map((entry) => {
    const [name = "", member, conversion = "string"] = entry.split(":");
    const convert = CONVERSIONS[conversion as keyof typeof CONVERSIONS];
    const resolve = (row: SerializedRow) => {
      const value = row[member || name];
      return value === undefined || value === null || value === "" ? null : convert(String(value));
    };
    return [name, { resolve }] as const;
  });
  return Object.fromEntries(fields);
}

const createPart = (name: string, fields: Record<string, Field>): Field => ({
  type: { name, fields },
  resolve: (row: SerializedRow) => row,
});

function parseHash(value: unknown, digits: number): string {
  const hash = String(value).toLowerCase();
  if (!new RegExp(`^0x[0-9a-f]{${digits}}$`).test(hash)) throw new QueryError(`Argument has invalid value "${value}".`);
  return hash;
}

const internalTransaction: ObjectType = {
  name: "InternalTransaction",
  fields: createFields(
    "blockNumber::integer callType::enum createdContractAddressHash:contractAddress error:errCode fromAddressHash:from gas gasUsed " +
      "index::integer input toAddressHash:to transactionHash type::enum value",
  ),
};

/** The fields of a transaction that a transfer row also has. */
const transactionFields: Readonly<Record<string, Field>> = {
  block: createPart("Block", createFields("hash:blockHash number:blockNumber:integer timestamp:timeStamp:timestamp")),
  ...createFields(
    "blockHash blockNumber::integer cumulativeGasUsed gas gasPrice gasUsed hash index:transactionIndex:integer input nonce",
  ),
};

const tokenTransfer: ObjectType = {
  name: "TokenTransfer",
  fields: {
    ...createFields("amount:value blockNumber::integer fromAddressHash:from toAddressHash:to"),
    ...createFields("tokenContractAddressHash:contractAddress transactionHash:hash"),
    token: createPart(
      "Token",
      createFields("name:tokenName symbol:tokenSymbol decimals:tokenDecimal contractAddressHash:contractAddress"),
    ),
    transaction: createPart("Transaction", transactionFields),
  },
};

function createTransactionType(instance: Instance): ObjectType {
  return {
    name: "Transaction",
    fields: {
      ...transactionFields,
      ...createFields(
        "createdContractAddressHash:contractAddress fromAddressHash:from status:isError:status toAddressHash:to value",
      ),
      internalTransactions: createConnection(
        internalTransaction,
        ({ hash }: SerializedRow) => selectInternalTransactionsOf(instance.chain, String(hash)).rows,
        (row) => serializeInternalTransaction(row, instance),
      ),
    },
  };
}

/** Returns the transfers of an address or of a contract, newest first. A transfer of several token ids is one record. */
function getTransfers({ chain }: Instance, account: string | undefined, contract: string | undefined): TransferRow[] {
  const rows = selectTransfers(chain, { account, contract }, { first: 0, last: chain.head });
  return rows.filter(({ index_in_batch }) => index_in_batch === 0).reverse();
}

function getTransactions(instance: Instance, address: string, order: unknown): readonly TransactionRow[] {
  if (order !== "ASC" && order !== "DESC") throw new QueryError(`Argument "order" has invalid value ${order}.`);
  const values = new Map(Object.entries({ address, sort: order.toLowerCase() }));
  return selectRows(LIST_ACTIONS.get("txlist") as ListAction, values, instance, false).rows;
}

function findAddresses(instance: Instance, hashes: readonly unknown[]): BalanceState[] {
  const distinct = new Set(hashes.map((hash) => parseHash(hash, 40)));
  const states = [...distinct].map((hash) => instance.chain.balances.peek(hash));
  const isKnown = ({ isKnown, hash }: BalanceState) => isKnown || getTransactions(instance, hash, "ASC").length > 0;
  return states.filter(isKnown).sort((a, b) => (a.hash < b.hash ? -1 : 1));
}

function createRootType(instance: Instance): ObjectType {
  const transaction = createTransactionType(instance);
  const convertTransfer = (row: TransferRow) => serializeTransfer(row, instance);
  const address: ObjectType = {
    name: "Address",
    fields: {
      fetchedCoinBalance: { resolve: ({ balance }: BalanceState) => (balance === null ? null : String(balance)) },
      hash: { resolve: ({ hash }: BalanceState) => hash },
      tokenTransfers: createConnection(
        tokenTransfer,
        ({ hash }: BalanceState) => getTransfers(instance, hash, undefined),
        convertTransfer,
      ),
      transactions: createConnection(
        transaction,
        ({ hash }: BalanceState, { order = "DESC" }: Arguments) => getTransactions(instance, hash, order),
        (row) => serializeTransaction(row, instance),
        ["order"],
      ),
    },
  };
  const requireFound = <Value>(value: Value | undefined, name: string): Value => {
    if (value === undefined) throw new QueryError(`${name} not found.`);
    return value;
  };
  return {
    name: "RootQueryType",
    fields: {
      address: {
        parameters: ["hash!"],
        type: address,
        resolve: (_: unknown, { hash }) => requireFound(findAddresses(instance, [hash])[0], "Address"),
      },
      addresses: {
        parameters: ["hashes!"],
        type: address,
        multiply: ({ hashes }) => [hashes].flat().length,
        resolve(_: unknown, { hashes }) {
          const found = findAddresses(instance, [hashes].flat());
          return requireFound(found.length > 0 ? found : undefined, "Addresses");
        },
      },
      tokenTransfers: createConnection(
        tokenTransfer,
        (_: unknown, { tokenContractAddressHash }) => getTransfers(instance, undefined, parseHash(tokenContractAddressHash, 40)),
        convertTransfer,
        ["tokenContractAddressHash!"],
      ),
      transaction: {
        parameters: ["hash!"],
        type: transaction,
        resolve: (_: unknown, { hash }) => requireFound(findTransaction(instance, parseHash(hash, 64)), "Transaction"),
      },
    },
  };
}

function findTransaction(instance: Instance, hash: string): SerializedRow | undefined {
  const entry = instance.chain.findTransaction(hash);
  if (!entry || entry.block_number === null || entry.index === null) return undefined;
  return serializeTransaction({ ...entry.row, block_number: entry.block_number, transaction_index: entry.index }, instance);
}

const DISABLED = "GraphQL API is disabled.";

/** Creates the function that responds to a body, with the cursor in the request. A maximum complexity of 0 disables GraphQL. */
export function createGraphql(instance: Instance) {
  const root = createLazy(() => createRootType(instance));
  const maxComplexity = instance.settings.graphqlMaxComplexity;
  const execute = (query: string, variables: Arguments): QueryResponse => {
    let document: DocumentNode;
    try {
      document = parse(query);
    } catch (error) {
      return { errors: [{ message: (error as Error).message }] };
    }
    const operation = document.definitions.find((node) => node.kind === "OperationDefinition");
    if (operation?.operation !== "query") return { errors: [{ message: "Only queries are supported." }] };
    if (maxComplexity === 0) return createDisabledResponse(operation.selectionSet.selections);
    const fragments = new Map(
      document.definitions.flatMap((node) => (node.kind === "FragmentDefinition" ? [[node.name.value, node] as const] : [])),
    );
    return new Query(operation, fragments, variables).execute(root.value, maxComplexity);
  };
  return (body: string) => {
    const { query, variables } = parseBody(body);
    return { json: execute(query, variables), graphqlCursor: variables.after };
  };
}

function parseBody(body: string): { query: string; variables: Arguments } {
  const parsed: unknown = JSON.parse(body || "null");
  if (Array.isArray(parsed)) throw new ApiError(400, { errors: [{ message: "Max batch size is 1" }] });
  const { query, variables = {} } = Object(parsed);
  if (typeof query !== "string") throw new ApiError(400, { errors: [{ message: "No query document supplied" }] });
  return { query, variables: variables ?? {} };
}

/** Every top-level field is null, with the same error. */
function createDisabledResponse(selections: readonly { readonly kind: string; readonly name?: unknown }[]): QueryResponse {
  const names = selections.map(({ name }) => (name as { value: string } | undefined)?.value ?? "");
  return {
    data: Object.fromEntries(names.map((name) => [name, null])),
    errors: names.map((name) => ({ message: DISABLED, path: [name] })),
  };
}
