// JSON-RPC at /api/eth-rpc: calls of contracts, for approved amounts and token supplies.

import { type ApprovalState, getApprovalStates, PERMIT2 } from "../ledger/approvals.js";
import type { Chain } from "../ledger/chain.js";
import { encodeWord } from "../ledger/logs.js";
import { getOrMake } from "../maps.js";
import { ApiError } from "../responses.js";
import type { Settings } from "../settings.js";

const MAX_BATCH = 5;
const BLOCK_TAGS = ["latest", "earliest", "pending"];

interface Call {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: unknown;
}

type Outcome = { readonly result: string } | { readonly error: unknown };

/** Responds to calls as one backend version does. */
export class RpcModule {
  readonly #chain: Chain;
  /** The approvals of each owner, including expired ones. */
  readonly #states = new Map<string, readonly ApprovalState[]>();
  readonly #version: number;
  readonly #hasEthCall: boolean;

  constructor(chain: Chain, { backendVersion, hasEthCall }: Pick<Settings, "backendVersion" | "hasEthCall">) {
    this.#chain = chain;
    this.#version = backendVersion;
    this.#hasEthCall = hasEthCall;
  }

  /** Returns the response to a body: a call, or a batch of them. */
  respond(body: string): unknown {
    const calls: unknown = JSON.parse(body);
    if (!Array.isArray(calls)) return this.#call(Object(calls));
    if (calls.length > MAX_BATCH) {
      const message = `Payload Too Large. Max batch size is ${MAX_BATCH}`;
      throw new ApiError(413, { status: "0", message, result: null });
    }
    return calls.map((call) => this.#call(Object(call)));
  }

  #call({ id = null, method, params }: Call): object {
    return { jsonrpc: "2.0", id, ...this.#execute(method, params) };
  }

  #execute(method: unknown, params: unknown): Outcome {
    if (method !== "eth_call" || !this.#hasEthCall)
      return this.#createError(-32601, this.#version >= 12 ? "Method not found." : "Action not found.");
    const [call, block, ...rest] = Array.isArray(params) ? params : [];
    const { to, data, input = data } = Object(call);
    if (typeof to !== "string") return this.#createError(-32602, "Missed `to` address");
    if (rest.length > 0 || (!BLOCK_TAGS.includes(block) && !/^0x[\da-f]+$/i.test(block)))
      return this.#createError(-32602, "Invalid block number");
    const result = this.#read(to.toLowerCase(), String(input).toLowerCase());
    // The error of the node has the same form in all versions.
    return result === null ? { error: { code: 3, message: "execution reverted", data: "0x" } } : { result };
  }

  #createError(code: number, message: string): Outcome {
    return { error: this.#version >= 12 ? { code, message } : message };
  }

  /** Returns the result of a contract function. Null: it reverts. */
  #read(to: string, input: string): string | null {
    const selector = input.slice(2, 10);
    const words = input.slice(10).match(/.{64}/g) ?? [];
    const toAddress = (word: string | undefined) => `0x${word?.slice(24)}`;
    const encode = (...values: readonly bigint[]) => `0x${values.map(encodeWord).join("")}`;
    if (to === PERMIT2) {
      const [owner, token, spender] = words.map(toAddress);
      const state = this.#find(owner, "permit2", token, spender);
      return selector === "927da105" ? encode(state?.remaining ?? 0n, BigInt(state?.grant.expires ?? 0), 0n) : null;
    }
    const token = this.#chain.accounts.getToken(to);
    if (!token) return this.#chain.accounts.getProfile(to).isContract ? null : "0x";
    if (selector === "18160ddd") return encode(BigInt(token.total_supply ?? 0));
    const isFungible = token.type === "ERC-20";
    const [owner, spender] = words.map(toAddress);
    if (selector === "dd62ed3e" && isFungible) return encode(this.#find(owner, "allowance", to, spender)?.remaining ?? 0n);
    if (selector === "e985e9c5" && !isFungible) return encode(this.#find(owner, "operator", to, spender)?.remaining ?? 0n);
    if (selector !== "081812fc" || token.type !== "ERC-721") return null;
    return encode(BigInt(this.#findApprovedAddress(to, BigInt(`0x${words[0] ?? 0}`))));
  }

  #find(owner = "", kind: string, token: string | undefined, spender: string | undefined) {
    return this.#getStates(owner).find(({ grant }) => grant.kind === kind && grant.token === token && grant.spender === spender);
  }

  #getStates(owner: string): readonly ApprovalState[] {
    return getOrMake(this.#states, owner, () =>
      getApprovalStates(this.#chain, this.#chain.tables.getTablesFor(owner).approvals.rows, owner, 0),
    );
  }

  /** The address that is approved for an NFT, by the owner who approved last. */
  #findApprovedAddress(token: string, id: bigint): string {
    const isIt = ({ grant }: { readonly grant: ApprovalState["grant"] | null }) =>
      grant?.kind === "token" && grant.token === token && grant.tokenId === id;
    const owner = this.#chain.tables.approvals.rows.filter(isIt).at(-1)?.grant?.owner;
    const state = this.#getStates(owner ?? "").find(isIt);
    return state?.remaining ? state.grant.spender : "0x0";
  }
}
