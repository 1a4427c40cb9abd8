// Reads the current approvals from the chain.
import { MAX_CALLS } from "../entry-support.js";
import type { ActionOptions, EthCallResult } from "../public.js";
import { type Grant, splitWords, toAddress, toFlag, toInteger, toWord } from "./approval-log.js";
import type { ApprovalReader } from "./approval-reader.js";
import { readOrNull } from "./lookups.js";
import type { ApprovalsClient } from "./public-types.js";

/** The code of JSON-RPC, and the messages, of a service whose operator has switched off `eth_call`, or that is too old to have it. */
const NO_METHOD = -32601;
const NO_METHOD_MESSAGE = /^(method|action) not found\.?$/i;

/** The selectors of the functions that state what is approved. */
const SELECTORS = {
  allowance: "dd62ed3e",
  token: "081812fc",
  operator: "e985e9c5",
  permit2: "927da105",
};

/**
 * Replaces amounts from events with on-chain allowances. An approval whose call has no result keeps its amount. Returns false if the
 * service has no `eth_call`.
 */
export async function updateAllowances(
  client: ApprovalsClient,
  owner: string,
  permit2: string,
  reader: ApprovalReader,
  options: ActionOptions,
  onBatch: (fraction: number) => void,
): Promise<boolean> {
  const { grants } = reader.position;
  const asked = grants.filter(({ source }) => source === "event");
  for (let start = 0; start < asked.length; start += MAX_CALLS) {
    const batch = asked.slice(start, start + MAX_CALLS);
    const results = await callAll(client, owner, permit2, batch, options);
    if (results === null) return false;
    for (const { call_index, result } of results) {
      const grant = batch[call_index];
      if (grant) reader.update(updateGrant(grant, result));
    }
    onBatch(1 - (asked.length - start - batch.length) / grants.length);
  }
  return true;
}

/** Sends a batch of calls. Null: the service cannot call contracts. */
async function callAll(
  client: ApprovalsClient,
  owner: string,
  permit2: string,
  grants: readonly Grant[],
  options: ActionOptions,
): Promise<EthCallResult[] | null> {
  const to = grants.map(({ kind, token }) => (kind === "permit2" ? permit2 : token));
  const data = grants.map(({ kind, token, spender, tokenId }) => {
    const words = {
      allowance: [toWord(owner), toWord(spender)],
      token: [toWord(`0x${BigInt(tokenId ?? 0).toString(16)}`)],
      operator: [toWord(owner), toWord(spender)],
      permit2: [toWord(owner), toWord(token), toWord(spender)],
    };
    return `0x${SELECTORS[kind]}${words[kind].join("")}`;
  });
  const { items } = (await readOrNull(client.rpc.ethCall({ to, data }, options))) ?? {};
  return !items || (items.length > 0 && items.every(({ error }) => isWithoutMethod(error))) ? null : items;
}

/** Whether an error comes from the service. A contract chooses the messages of its errors, so they are not searched. */
function isWithoutMethod(error: unknown): boolean {
  if (typeof error === "string") return NO_METHOD_MESSAGE.test(error);
  const { code } = (error ?? {}) as { code?: unknown };
  return code === NO_METHOD;
}

/** Returns the on-chain approval, or the one from the event if the result is invalid. */
function updateGrant(grant: Grant, result: string | null): Grant {
  const words = splitWords(result?.slice(2) ?? null);
  // An address without a contract has nothing to spend.
  if (result === "0x") return { ...grant, amount: "0", source: "chain" };
  if (words.length === 0) return grant;
  const amount = toInteger(words[0]);
  switch (grant.kind) {
    case "allowance":
      return { ...grant, amount, source: "chain" };
    case "permit2":
      return { ...grant, amount, expires: words[1] ? Number(toInteger(words[1])) : grant.expires, source: "chain" };
    case "operator":
      return { ...grant, amount: toFlag(amount !== "0"), source: "chain" };
    case "token":
      return { ...grant, amount: toFlag(toAddress(words[0]) === grant.spender), source: "chain" };
  }
}
