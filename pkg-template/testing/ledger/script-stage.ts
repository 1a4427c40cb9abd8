// What the script can do: each act is one transaction, with its transfers, internal transactions, approvals and logs.

import { getOrMake } from "../maps.js";
import type { Random } from "../random.js";
import type { ActorKey } from "./accounts.js";
import { type ApprovalRow, createAllowance } from "./approvals.js";
import { COIN_PRICE, getHistoricCoinPrice, type LedgerContext } from "./context.js";
import { createTransferLog, type LogRow } from "./logs.js";
import { createNft } from "./nfts.js";
import { compareTransactions } from "./positions.js";
import type { InternalTransactionRow, NftRow, Token, TokenHolding, TransactionRow, TransferRow } from "./rows.js";
import { SCRIPTED_KEYS, type ScriptedKey } from "./sample-addresses.js";
import { computeFee, makeCreations } from "./transactions.js";
import { imitateAddress } from "./transfers.js";

/** The rows of the scripted addresses, oldest first. */
export interface ScriptRows {
  readonly transactions: readonly TransactionRow[];
  readonly transfers: readonly TransferRow[];
  readonly internalTransactions: readonly InternalTransactionRow[];
  readonly approvals: readonly ApprovalRow[];
  readonly logs: readonly LogRow[];
  /** The NFTs that scripted addresses hold. */
  readonly nfts: readonly NftRow[];
  /** The fungible tokens that scripted addresses hold, by address. */
  readonly holdings: ReadonlyMap<string, readonly TokenHolding[]>;
}

type Party = ScriptedKey | ActorKey;
type Collection = "lights" | "boats";
type TokenKey = "stablecoin" | "harbor" | "moored" | "lagoon";
/** What can be swapped. */
type Asset = TokenKey | "coin";

interface Leg {
  readonly token: Token;
  readonly from: string;
  readonly to: string;
  readonly amount?: bigint;
  readonly id?: bigint;
}

interface Draft {
  readonly from: string;
  readonly to: string;
  readonly method: string | null;
  readonly value?: bigint;
  readonly hasFailed?: boolean;
  readonly legs?: readonly Leg[];
  /** Payments of the native coin by contracts. */
  readonly payments?: readonly (readonly [from: string, to: string, value: bigint])[];
}

const ZERO_ADDRESS = `0x${"0".repeat(40)}`;
/** Higher than the indices of all lanes (positions.js) and of the deep history, lower than those of the oversized block. */
const TRANSACTION_INDEX = 350;
const FIRST_LOG_INDEX = 840;
const SWAP_FEE = 0.003;
/** A transaction is left out if less than this would remain for fees. */
const RESERVE = 10n ** 16n;
const BASE_GAS = 21_000;
const GAS: Readonly<Record<string, number>> = {
  transfer: 46_000,
  approve: 46_500,
  swap: 172_000,
  mint: 118_000,
  fulfillOrder: 164_000,
  execTransaction: 210_000,
};
const OTHER_GAS = 96_000;

/** Performs acts in the order of their times. Leaves out what an address cannot pay. */
export class ScriptStage {
  readonly #context: LedgerContext;
  readonly #transactions: TransactionRow[] = [];
  readonly #transfers: TransferRow[] = [];
  readonly #internalTransactions: InternalTransactionRow[] = [];
  readonly #approvals: ApprovalRow[] = [];
  readonly #logs: LogRow[] = [];
  /** The balances of all parties by token. Undefined: the native coin. */
  readonly #balances = new Map<string, Map<Token | undefined, bigint>>();
  readonly #nonces = new Map<string, number>();
  readonly #nfts = new Map<string, NftRow>();
  readonly #lastIds = new Map<Token, number>();
  #block = 0;
  #random: Random;

  constructor(context: LedgerContext) {
    this.#context = context;
    this.#random = context.createRandom("script");
  }

  /** Performs an act at a time, in Unix seconds. */
  perform(act: (stage: ScriptStage) => void, time: number, random: Random): void {
    this.#block = Math.max(this.#block + 1, Math.floor(this.#context.getBlockAtTime(time)));
    this.#random = random;
    act(this);
  }

  getRows(): ScriptRows {
    const { accounts } = this.#context;
    const holders = SCRIPTED_KEYS.map((key) => accounts.sampleHashes[key]);
    const getHoldings = (hash: string): TokenHolding[] =>
      [...(this.#balances.get(hash) ?? [])].flatMap(([token, balance]) =>
        token?.type === "ERC-20" && balance > 0n ? [{ token, id: null, balance }] : [],
      );
    return {
      transactions: [...makeCreations(this.#context, holders), ...this.#transactions].sort(compareTransactions),
      transfers: this.#transfers,
      internalTransactions: this.#internalTransactions,
      approvals: this.#approvals,
      logs: this.#logs,
      nfts: [...this.#nfts.values()].filter(({ account }) => holders.includes(account)),
      holdings: new Map(holders.map((hash) => [hash, getHoldings(hash)])),
    };
  }

  /** A number near `amount`, with three digits. */
  about(amount: number): number {
    return Number((amount * (0.7 + this.#random.nextInt(600) / 1000)).toPrecision(3));
  }

  pick<Choice>(...choices: readonly Choice[]): Choice {
    return this.#random.pick(choices);
  }

  send(from: Party, to: Party, amount: number, asset: Asset = "coin"): void {
    const [sender, recipient] = [this.#hash(from), this.#hash(to)];
    const token = this.#token(asset);
    const units = toUnits(amount, token);
    if (!token) this.#add({ from: sender, to: recipient, method: null, value: units });
    else {
      const legs = [{ token, from: sender, to: recipient, amount: units }];
      this.#add({ from: sender, to: token.hash, method: "transfer", legs });
    }
  }

  /** A contract pays several parties with one transaction of its signer. */
  pay(signer: Party, payer: Party, amounts: Partial<Record<Party, number>>, asset: TokenKey = "stablecoin"): void {
    const [from, token] = [this.#hash(payer), this.#token(asset)];
    const legs = Object.entries(amounts).map(([to, amount]) => {
      return { token, from, to: this.#hash(to as Party), amount: toUnits(amount, token) };
    });
    this.#add({ from: this.#hash(signer), to: from, method: "execTransaction", legs });
  }

  swap(party: Party, sold: Asset, bought: Asset, amount: number): void {
    const [from, router, pool] = [this.#hash(party), this.#hash("router"), this.#hash("pool")];
    const [tokenIn, tokenOut, wrapped] = [this.#token(sold), this.#token(bought), this.#wrapped];
    const [units, received] = [
      toUnits(amount, tokenIn),
      toUnits((amount * (1 - SWAP_FEE) * this.#price(tokenIn)) / this.#price(tokenOut), tokenOut),
    ];
    const legs = [
      { token: tokenIn ?? wrapped, from: tokenIn ? from : router, to: pool, amount: units },
      { token: tokenOut ?? wrapped, from: pool, to: tokenOut ? from : router, amount: received },
    ];
    const wrapping = [router, wrapped.hash, units] as const;
    const unwrapping = [[wrapped.hash, router, received] as const, [router, from, received] as const];
    const payments = [...(tokenIn ? [] : [wrapping]), ...(tokenOut ? [] : unwrapping)];
    this.#add({ from, to: router, method: "swap", value: tokenIn ? 0n : units, legs, payments });
  }

  /** Null: unlimited. */
  approve(party: Party, spender: Party, asset: TokenKey, amount: number | null): void {
    const [owner, token] = [this.#hash(party), this.#token(asset)];
    const position = this.#add({ from: owner, to: token.hash, method: "approve" });
    if (position) {
      const allowance = createAllowance(owner, token.hash, this.#hash(spender), amount === null ? null : toUnits(amount, token));
      this.#approvals.push({ ...position, index: FIRST_LOG_INDEX, ...allowance });
    }
  }

  stake(party: Party, amount: number): void {
    const [from, token, value] = [this.#hash(party), this.#token("moored"), toUnits(amount)];
    const minted = toUnits((amount * this.#price()) / this.#price(token), token);
    this.#add({
      from,
      to: this.#hash("staking"),
      method: "deposit",
      value,
      legs: [{ token, from: ZERO_ADDRESS, to: from, amount: minted }],
    });
  }

  unstake(party: Party, amount: number): void {
    const [from, to, token] = [this.#hash(party), this.#hash("staking"), this.#token("moored")];
    const value = toUnits((amount * this.#price(token)) / this.#price());
    const legs = [{ token, from, to: ZERO_ADDRESS, amount: toUnits(amount, token) }];
    this.#add({ from, to, method: "withdraw", legs, payments: [[to, from, value]] });
  }

  bridgeOut(party: Party, amount: number): void {
    this.#add({ from: this.#hash(party), to: this.#hash("bridge"), method: "bridge", value: toUnits(amount) });
  }

  bridgeIn(party: Party, amount: number): void {
    const bridge = this.#hash("bridge");
    const payments = [[bridge, this.#hash(party), toUnits(amount)] as const];
    this.#add({ from: this.#hash("relayer"), to: bridge, method: "relay", payments });
  }

  call(party: Party, contract: Party, method: string, options: Pick<Draft, "hasFailed"> = {}): void {
    this.#add({ from: this.#hash(party), to: this.#hash(contract), method, ...options });
  }

  mint(party: Party, collection: Collection, price: number): void {
    const [from, { token, id }] = [this.#hash(party), this.#nextNft(collection)];
    this.#add({
      from,
      to: token.hash,
      method: "mint",
      value: toUnits(price),
      legs: [{ token, id, from: ZERO_ADDRESS, to: from }],
    });
  }

  buy(party: Party, collection: Collection, price: number, from: Party): void {
    const [buyer, market, seller, value] = [this.#hash(party), this.#hash("market"), this.#hash(from), toUnits(price)];
    const legs = [{ ...this.#nextNft(collection), from: seller, to: buyer }];
    this.#add({ from: buyer, to: market, method: "fulfillOrder", value, legs, payments: [[market, seller, value]] });
  }

  /** Sends one of the spam tokens. */
  airdrop(to: Party, spam: number, amount: number): void {
    const [from, token] = [this.#hash("dropper"), this.#random.pick(this.#context.tokens.spam.slice(spam, spam + 1))];
    const legs = [{ token, from, to: this.#hash(to), amount: toUnits(amount, token) }];
    this.#add({ from, to: token.hash, method: "airdrop", legs });
  }

  /** Somebody lets a party send nothing to an address that looks like the one of another party. */
  imitate(victim: Party, recipient: Party): void {
    const token = this.#token("stablecoin");
    const to = imitateAddress(this.#hash(recipient), this.#random.nextHex(20));
    const legs = [{ token, from: this.#hash(victim), to, amount: 0n }];
    this.#add({ from: this.#hash("imitator"), to: token.hash, method: "transferFrom", legs });
  }

  get #wrapped(): Token {
    return this.#context.tokens.regular[1] ?? this.#context.tokens.stablecoin;
  }

  #hash(party: Party): string {
    const { sampleHashes, actorHashes } = this.#context.accounts;
    return party in actorHashes ? actorHashes[party as ActorKey] : sampleHashes[party as ScriptedKey];
  }

  #token(asset: TokenKey): Token;
  #token(asset: Asset): Token | undefined;
  #token(asset: Asset): Token | undefined {
    const { stablecoin, scripted } = this.#context.tokens;
    if (asset === "coin") return undefined;
    return asset === "stablecoin" ? stablecoin : scripted[asset];
  }

  /** The price on the day, in US dollars. The tokens follow the native coin, except the stable one. */
  #price(token?: Token): number {
    if (token === this.#context.tokens.stablecoin) return 1;
    const coin = Number(getHistoricCoinPrice(this.#context, this.#block));
    return token ? (Number(token.exchange_rate) * coin) / Number(COIN_PRICE) : coin;
  }

  #nextNft(collection: Collection): { token: Token; id: bigint } {
    const token = this.#context.tokens.scripted[collection];
    const id = (this.#lastIds.get(token) ?? 100) + 1 + this.#random.nextInt(9);
    this.#lastIds.set(token, id);
    return { token, id: BigInt(id) };
  }

  /** Adds a transaction with its rows, and returns its position. Undefined: an address could not pay it. */
  #add({ from, to, method, value = 0n, hasFailed = false, legs = [], payments = [] }: Draft) {
    const random = this.#random;
    const position = { block_number: this.#block, transaction_index: TRANSACTION_INDEX + random.nextInt(50) };
    const nonce = this.#nonces.get(from) ?? 0;
    const gasUsed = method === null ? BASE_GAS : Math.round((GAS[method] ?? OTHER_GAS) * (1 + random.nextInt(120) / 1000));
    const call = { from, to, createdContract: null, value, hasFailed, method, hasTokenTransfers: legs.length > 0 };
    const row = { ...position, ...call, gasUsed, nonce };
    const fee = computeFee(this.#context, row);
    const moves = [
      { from, to: "", amount: fee },
      ...(hasFailed ? [] : [{ from, to, amount: value }]),
      ...payments.map(([from, to, amount]) => ({ from, to, amount })),
      ...legs.map(({ amount = 1n, ...leg }) => ({ ...leg, amount })),
    ];
    if (!this.#canPay(from, fee + value + RESERVE) || !legs.every((leg) => this.#canPay(leg.from, leg.amount ?? 0n, leg.token)))
      return undefined;
    for (const move of moves) this.#move(move);
    this.#nonces.set(from, nonce + 1);
    this.#transactions.push(row);
    const index = FIRST_LOG_INDEX + random.nextInt(100);
    legs.forEach(({ token, from, to, amount = null, id = null }, i) => {
      const log = { ...position, index: index + i };
      const content = { token, token_type: token.type, token_id: id, amount, from, to, method, signer: row.from };
      this.#transfers.push({ ...log, ...content, index_in_batch: 0, hasNoAmount: false });
      const moved = { from, to, value: id ?? amount ?? 0n, isNft: id !== null };
      this.#logs.push(createTransferLog({ ...log, emitter: token.hash, calledContract: row.to }, moved));
      if (id !== null) this.#nfts.set(`${token.hash}/${id}`, createNft(to, token, id, 1n));
    });
    payments.forEach(([from, to, value], i) => {
      const call = {
        type: "call",
        from,
        to,
        created_contract: null,
        error: null,
        value,
        gas_limit: 2300 + random.nextInt(60_000),
      };
      this.#internalTransactions.push({ ...position, index: 1 + i, ...call });
    });
    return position;
  }

  /** Only scripted addresses have limited balances. */
  #canPay(hash: string, amount: bigint, token?: Token): boolean {
    const isLimited = this.#context.accounts.isSample(hash);
    return !isLimited || amount === 0n || (this.#balances.get(hash)?.get(token) ?? 0n) >= amount;
  }

  #move({
    from,
    to,
    amount,
    token,
  }: {
    readonly from: string;
    readonly to: string;
    readonly amount: bigint;
    readonly token?: Token;
  }): void {
    for (const [hash, delta] of [[from, -amount] as const, [to, amount] as const]) {
      const balances = getOrMake(this.#balances, hash, () => new Map<Token | undefined, bigint>());
      balances.set(token, (balances.get(token) ?? 0n) + delta);
    }
  }
}

/** Converts whole coins or tokens, with up to six places. */
function toUnits(amount: number, token?: Token): bigint {
  const decimals = Number(token?.decimals ?? 18);
  const places = Math.min(6, decimals);
  return BigInt(Math.round(amount * 10 ** places)) * 10n ** BigInt(decimals - places);
}
