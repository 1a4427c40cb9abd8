// JSON-RPC at /api/eth-rpc: calls of contracts, for approved amounts and token supplies.

import { type ApprovalState, getApprovalStates, PERMIT2 } from "../ledger/approvals.js";
import { encodeWord } from "../ledger/logs.js";
import { getOrMake } from "../maps.js";
import { ApiError } from "../responses.js";
import type { Instance } from "../settings.js";

const MAX_BATCH = 5;
const BLOCK_TAGS = ["latest", "earliest", "pending"];

/** Creates the function that responds to a body: a call, or a batch of them. */
export function createRpc({ chain, settings: { backendVersion, hasEthCall } }: Instance) {
  const states = new Map<string, readonly ApprovalState[]>();
  /** Returns the result of a contract function. Null: it reverts. */
  const read = (to: string, input: string): string | null => {
    const selector = input.slice(2, 10);
    const words = input.slice(10).match(/.{64}/g) ?? [];
    const toAddress = (word: string | undefined) => `0x${word?.slice(24)}`;
    const encode = (...values: readonly bigint[]) => `0x${values.map(encodeWord).join("")}`;
    if (to === PERMIT2) {
      const [owner, token, spender] = words.map(toAddress);
      const state = find(owner, "permit2", token, spender);
      return selector === "927da105" ? encode(state?.remaining ?? 0n, BigInt(state?.grant.expires ?? 0), 0n) : null;
    }
    const token = chain.accounts.getToken(to);
    if (!token) return chain.accounts.getProfile(to).isContract ? null : "0x";
    if (selector === "18160ddd") return encode(BigInt(token.total_supply ?? 0));
    const isFungible = token.type === "ERC-20";
    const [owner, spender] = words.map(toAddress);
    if (selector === "dd62ed3e" && isFungible) return encode(find(owner, "allowance", to, spender)?.remaining ?? 0n);
    if (selector === "e985e9c5" && !isFungible) return encode(find(owner, "operator", to, spender)?.remaining ?? 0n);
    if (selector !== "081812fc" || token.type !== "ERC-721") return null;
    return encode(BigInt(findApprovedAddress(to, BigInt(`0x${words[0] ?? 0}`))));
  };

  const find = (owner = "", kind: string, token: string | undefined, spender: string | undefined) =>
    getStates(owner).find(({ grant }) => grant.kind === kind && grant.token === token && grant.spender === spender);

  /** The approvals of an owner, including expired ones. */
  const getStates = (owner: string) =>
    getOrMake(states, owner, () => getApprovalStates(chain, chain.tables.getTablesFor(owner).approvals.rows, owner, 0));

  /** The address that is approved for an NFT, by the owner who approved last. */
  const findApprovedAddress = (token: string, id: bigint): string => {
    const isIt = ({ grant }: { readonly grant?: ApprovalState["grant"] | null }) =>
      grant?.kind === "token" && grant.token === token && grant.tokenId === id;
    const owner = chain.tables.logs.rows.filter(isIt).at(-1)?.grant?.owner;
    const state = getStates(owner ?? "").find(isIt);
    return state?.remaining ? state.grant.spender : "0x0";
  };

  const createFixedError = (code: number, message: string) => ({ error: backendVersion >= 12 ? { code, message } : message });
  const execute = (method: unknown, params: unknown) => {
    if (method !== "eth_call" || !hasEthCall)
      return createFixedError(-32601, backendVersion >= 12 ? "Method not found." : "Action not found.");
    const [call, block, ...rest] = Array.isArray(params) ? params : [];
    const { to, data, input = data } = Object(call);
    if (typeof to !== "string") return createFixedError(-32602, "Missed `to` address");
    if (rest.length > 0 || (!BLOCK_TAGS.includes(block) && !/^0x[\da-f]+$/i.test(block)))
      return createFixedError(-32602, "Invalid block number");
    const result = read(to.toLowerCase(), String(input).toLowerCase());
    // The error of the node has the same form in all versions.
    return result === null ? { error: { code: 3, message: "execution reverted", data: "0x" } } : { result };
  };
  const respond = (call: unknown) => {
    const { id = null, method, params } = Object(call);
    return { jsonrpc: "2.0", id, ...execute(method, params) };
  };
  return (body: string): unknown => {
    const calls: unknown = JSON.parse(body);
    if (!Array.isArray(calls)) return respond(calls);
    const message = `Payload Too Large. Max batch size is ${MAX_BATCH}`;
    if (calls.length > MAX_BATCH) throw new ApiError(413, { status: "0", message, result: null });
    return calls.map(respond);
  };
}
