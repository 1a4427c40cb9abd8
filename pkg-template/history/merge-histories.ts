// `mergeHistories`: the events of several addresses, on any number of chains, in one order of time.
import { checkNames, createParameterError, decodeToken } from "../entry-support.js";
import { type CallSetup, EventCall } from "./event-call.js";
import { type MergedPosition, MergedReader } from "./merged-reader.js";
import type { HistoryAccount, MergedEvent, MergedHistoryCall, MergedHistoryReport, MergeParams } from "./merged-types.js";
import { FILTER_NAMES, parseOrder, parseSelection, READ_NAMES, type Selection } from "./params.js";
import { isHistoryPosition } from "./position.js";
import type { HistoryClient } from "./public-types.js";

/** The operation of the resume tokens. */
const OPERATION = "merge";
const NAMES = [...FILTER_NAMES, ...READ_NAMES, "ownTransfers", "strict"].filter((name) => name !== "address_hash");

/**
 * Reads the histories of several accounts, addresses on any number of chains, as one sequence in the order of time.
 *
 * @remarks
 * Events are ordered by time, then by chain, block, account, and the order of {@link HistoryEvent} within the account's block. Chains and
 * accounts are in the order in which they were passed. `order: "desc"` is the reverse. An event without a time comes with the events of
 * its account before it.
 *
 * Each event is the event of one account. A transfer between two accounts is `own`, and is an event of each, with the same `key`. With
 * `ownTransfers: "once"`, only the sender's event is delivered, which has the fee.
 *
 * Only the account of the next event is read ahead, by one page. Accounts of one instance share the lookup of the newest block, and the
 * indexing status and the last block, which are requested at the end. A caller that stops early therefore sends few requests.
 *
 * A failure of one account does not stop the others, unless `strict` is set or none is left. The report names it, and is not complete.
 * `resumeToken` then continues with the events that this account lacks. They come first in a resumed call, although others of their
 * time were delivered before.
 *
 * @example
 * ```ts
 * import { mergeHistories } from "address-query/history";
 *
 * const events = mergeHistories(addresses.map((address_hash) => ({ client, address_hash })));
 * for await (const { timestamp, chain_id, account, direction, own } of events) console.log(timestamp, chain_id, account, direction, own);
 * for (const { account, error } of events.report?.accounts ?? []) if (error) console.warn(account, error.userMessage);
 * ```
 * @throws {AddressQueryError} `invalid_parameter` for a parameter that is unknown or invalid, and the first failure if every account has
 * failed, or nothing else was read: the iteration rejects. `mergeHistories` itself never throws.
 */
export function mergeHistories(accounts: readonly HistoryAccount[], params: MergeParams = {}): MergedHistoryCall {
  let clients: HistoryClient[] = [];
  // Tokens belong to the chains of all accounts.
  const baseUrl = async () => {
    const chains = clients.map((client) => client.source.chainId ?? client.baseUrl());
    return (await Promise.all(chains)).join(" ");
  };
  return new EventCall<MergedEvent, MergedPosition, MergedHistoryReport>({ source: {}, baseUrl }, () => {
    const setup = setUpMerge(accounts, params ?? {});
    clients = accounts.map(({ client }) => client);
    return setup;
  });
}

/** Checks the parameters of a merged history. */
function setUpMerge(
  accounts: readonly HistoryAccount[],
  params: MergeParams,
): CallSetup<MergedEvent, MergedPosition, MergedHistoryReport> {
  if (!Array.isArray(accounts) || accounts.length === 0)
    throw createParameterError("accounts", "must be an array of { client, address_hash }, with at least one");
  checkNames("parameter", params, NAMES);
  const { include, exclude, signal } = params;
  const selections = accounts.map((account: Partial<HistoryAccount> | null) => {
    const filter = { address_hash: account?.address_hash as string, include, exclude, signal };
    return parseSelection(account?.client ?? {}, filter, FILTER_NAMES);
  });
  const { order, from, to, concurrency, resume, ownTransfers = "both", strict = false } = parseOrder(params);
  if (!["both", "once"].includes(ownTransfers)) throw createParameterError("ownTransfers", "must be both or once");
  if (typeof strict !== "boolean") throw createParameterError("strict", "must be true or false");
  const isAscending = order === "asc";
  const setups = accounts.map(({ client }: HistoryAccount, index) => {
    return { client, selection: selections[index] as Selection, isAscending, isChecked: true, from, to, concurrency };
  });
  const hasBlock = typeof from === "number" || typeof to === "number";
  if (hasBlock && new Set(accounts.map(({ client }) => client.source.chainId ?? client.source.baseUrl)).size > 1)
    throw createParameterError(
      typeof from === "number" ? "from" : "to",
      "must be a Date, because the accounts are on several chains",
    );
  const [{ kinds }] = selections as [Selection];
  const addresses = selections.map(({ address }) => address);
  const identity = [order, addresses, kinds, exclude ?? [], Number(from), Number(to), ownTransfers].join(";");
  const decode = (token: string) => decodeToken(OPERATION, "resume", token, isMergedPosition);
  const token = resume == null ? null : decode(resume);
  const options = { isAscending, isOnce: ownTransfers === "once", isStrict: strict };
  const createReader = (position: MergedPosition | null) => new MergedReader(setups, options, position);
  return { signal, operation: OPERATION, identity, token, decode, createReader };
}

function isMergedPosition(position: MergedPosition): boolean {
  return position.every((account) => account === null || typeof account === "boolean" || isHistoryPosition(account));
}
