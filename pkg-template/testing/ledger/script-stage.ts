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
import type { Meaning, ScriptDraft, ScriptRows } from "./script-draft.js";
import { SCRIPTED_KEYS, type ScriptedKey } from "./sample-addresses.js";
import { computeFee, makeCreations } from "./transactions.js";
import { imitateAddress } from "./transfers.js";

type Party = ScriptedKey | ActorKey;
type Collection = "lights" | "boats";
type TokenKey = "stablecoin" | "harbor" | "moored" | "lagoon";
/** What can be swapped. */
type Asset = TokenKey | "coin";

const ZERO_ADDRESS = `0x${"0".repeat(40)}`;
/** Higher than the indices of all lanes (positions.js) and of the deep history, lower than those of the oversized block. */
const TRANSACTION_INDEX = 350;
const FIRST_LOG_INDEX = 840;
const SWAP_FEE = 0.003;
/** Coins arrive this many blocks after they left the other chain. */
const BRIDGE_BLOCKS = 50;
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
  readonly #meanings: Meaning[] = [];
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
    const creations = makeCreations(this.#context, holders);
    const getHoldings = (hash: string): TokenHolding[] =>
      [...(this.#balances.get(hash) ?? [])].flatMap(([token, balance]) =>
        token?.type === "ERC-20" && balance > 0n ? [{ token, id: null, balance }] : [],
      );
    return {
      transactions: [...creations, ...this.#transactions].sort(compareTransactions),
      transfers: this.#transfers,
      internalTransactions: this.#internalTransactions,
      approvals: this.#approvals,
      logs: this.#logs,
      nfts: [...this.#nfts.values()].filter(({ account }) => holders.includes(account)),
      holdings: new Map(holders.map((hash) => [hash, getHoldings(hash)])),
      meanings: [
        ...this.#meanings,
        ...creations.map(({ createdContract, ...row }) => ({ ...row, account: createdContract ?? "", kind: "deploy" as const })),
      ],
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
    const meaning = { [recipient]: "receive", [sender]: "send" } as const;
    if (!token) this.#add({ from: sender, to: recipient, method: null, value: units, meaning });
    else {
      const legs = [{ token, from: sender, to: recipient, amount: units }];
      this.#add({ from: sender, to: token.hash, method: "transfer", legs, meaning });
    }
  }

  /** A contract pays several parties with one transaction of its signer. */
  pay(signer: Party, payer: Party, amounts: Partial<Record<Party, number>>, asset: TokenKey = "stablecoin"): void {
    const [from, token] = [this.#hash(payer), this.#token(asset)];
    const legs = Object.entries(amounts).map(([to, amount]) => {
      return { token, from, to: this.#hash(to as Party), amount: toUnits(amount, token) };
    });
    const meaning = { ...Object.fromEntries(legs.map(({ to }) => [to, "receive" as const])), [from]: "send" } as const;
    this.#add({ from: this.#hash(signer), to: from, method: "execTransaction", legs, meaning });
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
    this.#add({ from, to: router, method: "swap", value: tokenIn ? 0n : units, legs, payments, meaning: { [from]: "swap" } });
  }

  /** Null: unlimited. */
  approve(party: Party, spender: Party, asset: TokenKey, amount: number | null): void {
    const [owner, token] = [this.#hash(party), this.#token(asset)];
    const allowance = createAllowance(owner, token.hash, this.#hash(spender), amount === null ? null : toUnits(amount, token));
    const data = this.#hash(spender).slice(2).padStart(64, "0") + allowance.data.slice(2);
    const position = this.#add({ from: owner, to: token.hash, method: "approve", data, meaning: { [owner]: "approve" } });
    if (position) {
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
      meaning: { [from]: "deposit" },
    });
  }

  unstake(party: Party, amount: number): void {
    const [from, to, token] = [this.#hash(party), this.#hash("staking"), this.#token("moored")];
    const value = toUnits((amount * this.#price(token)) / this.#price());
    const legs = [{ token, from, to: ZERO_ADDRESS, amount: toUnits(amount, token) }];
    this.#add({ from, to, method: "withdraw", legs, payments: [[to, from, value]], meaning: { [from]: "withdrawal" } });
  }

  /** Locks tokens in the staking contract, without a receipt. */
  lock(party: Party, amount: number, asset: TokenKey): void {
    const [from, to, token] = [this.#hash(party), this.#hash("staking"), this.#token(asset)];
    const legs = [{ token, from, to, amount: toUnits(amount, token) }];
    this.#add({ from, to, method: "deposit", legs, meaning: { [from]: "deposit" } });
  }

  /** Takes locked tokens back. */
  unlock(party: Party, amount: number, asset: TokenKey): void {
    const [to, from, token] = [this.#hash(party), this.#hash("staking"), this.#token(asset)];
    const legs = [{ token, from, to, amount: toUnits(amount, token) }];
    this.#add({ from: to, to: from, method: "withdraw", legs, meaning: { [to]: "withdrawal" } });
  }

  wrap(party: Party, amount: number): void {
    const [from, token, value] = [this.#hash(party), this.#wrapped, toUnits(amount)];
    const legs = [{ token, from: ZERO_ADDRESS, to: from, amount: value }];
    this.#add({ from, to: token.hash, method: "deposit", value, legs, meaning: { [from]: "wrap" } });
  }

  unwrap(party: Party, amount: number): void {
    const [from, token, value] = [this.#hash(party), this.#wrapped, toUnits(amount)];
    const legs = [{ token, from, to: ZERO_ADDRESS, amount: value }];
    const payments = [[token.hash, from, value]] as const;
    this.#add({ from, to: token.hash, method: "withdraw", legs, payments, meaning: { [from]: "unwrap" } });
  }

  burn(party: Party, amount: number, asset: TokenKey): void {
    const [from, token] = [this.#hash(party), this.#token(asset)];
    const legs = [{ token, from, to: ZERO_ADDRESS, amount: toUnits(amount, token) }];
    this.#add({ from, to: token.hash, method: "burn", legs, meaning: { [from]: "burn" } });
  }

  deploy(party: Party): void {
    const from = this.#hash(party);
    this.#add({ from, to: null, method: "0x60806040", meaning: { [from]: "deploy" } });
  }

  /** Coins go from Ethereum to the rollup. */
  bridgeOut(party: Party, amount: number): void {
    this.#bridge(party, amount, this.#context.chainType === "ethereum");
  }

  /** Coins come from the rollup to Ethereum. */
  bridgeIn(party: Party, amount: number): void {
    this.#bridge(party, amount, this.#context.chainType !== "ethereum");
  }

  /** Both chains of a seed have the same act, each as its end of the bridge. */
  #bridge(party: Party, amount: number, isLeaving: boolean): void {
    const [hash, bridge, value] = [this.#hash(party), this.#hash("bridge"), toUnits(amount)];
    const meaning = { [hash]: "bridge" } as const;
    if (isLeaving) this.#add({ from: hash, to: bridge, method: "bridge", value, meaning });
    else {
      this.#block += BRIDGE_BLOCKS;
      this.#add({ from: this.#hash("relayer"), to: bridge, method: "relay", payments: [[bridge, hash, value]], meaning });
    }
  }

  call(party: Party, contract: Party, method: string, options: Pick<ScriptDraft, "hasFailed"> = {}): void {
    const from = this.#hash(party);
    const meaning = { [from]: options.hasFailed ? "failed" : "contract_call" } as const;
    this.#add({ from, to: this.#hash(contract), method, meaning, ...options });
  }

  mint(party: Party, collection: Collection, price: number): void {
    const [from, { token, id }] = [this.#hash(party), this.#nextNft(collection)];
    this.#add({
      from,
      to: token.hash,
      method: "mint",
      value: toUnits(price),
      legs: [{ token, id, from: ZERO_ADDRESS, to: from }],
      meaning: { [from]: "mint" },
    });
  }

  buy(party: Party, collection: Collection, price: number, from: Party): void {
    const [buyer, market, seller, value] = [this.#hash(party), this.#hash("market"), this.#hash(from), toUnits(price)];
    const legs = [{ ...this.#nextNft(collection), from: seller, to: buyer }];
    const payments = [[market, seller, value]] as const;
    const meaning = { [buyer]: "swap", [seller]: "swap" } as const;
    this.#add({ from: buyer, to: market, method: "fulfillOrder", value, legs, payments, meaning });
  }

  /** Sends one of the spam tokens. */
  airdrop(to: Party, spam: number, amount: number): void {
    const [from, token] = [this.#hash("dropper"), this.#random.pick(this.#context.tokens.spam.slice(spam, spam + 1))];
    const legs = [{ token, from, to: this.#hash(to), amount: toUnits(amount, token) }];
    this.#add({ from, to: token.hash, method: "airdrop", legs, meaning: { [this.#hash(to)]: "airdrop" } });
  }

  /** Somebody lets a party send nothing to an address that looks like the one of another party. */
  imitate(victim: Party, recipient: Party): void {
    const token = this.#token("stablecoin");
    const to = imitateAddress(this.#hash(recipient), this.#random.nextHex(20));
    const from = this.#hash(victim);
    const legs = [{ token, from, to, amount: 0n }];
    this.#add({ from: this.#hash("imitator"), to: token.hash, method: "transferFrom", legs, meaning: { [from]: "spam" } });
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
  #add({ from, to, method, value = 0n, hasFailed = false, legs = [], payments = [], data, meaning }: ScriptDraft) {
    const random = this.#random;
    const position = { block_number: this.#block, transaction_index: TRANSACTION_INDEX + random.nextInt(50) };
    const nonce = this.#nonces.get(from) ?? 0;
    const gasUsed = method === null ? BASE_GAS : Math.round((GAS[method] ?? OTHER_GAS) * (1 + random.nextInt(120) / 1000));
    const createdContract = to === null ? random.nextHex(20) : null;
    const call = { from, to, createdContract, value, hasFailed, method, data, hasTokenTransfers: legs.length > 0 };
    const row = { ...position, ...call, gasUsed, nonce };
    const fee = computeFee(this.#context, row);
    const moves = [
      { from, to: "", amount: fee },
      ...(hasFailed ? [] : [{ from, to: to ?? "", amount: value }]),
      ...payments.map(([from, to, amount]) => ({ from, to, amount })),
      ...legs.map(({ amount = 1n, ...leg }) => ({ ...leg, amount })),
    ];
    if (!this.#canPay(from, fee + value + RESERVE) || !legs.every((leg) => this.#canPay(leg.from, leg.amount ?? 0n, leg.token)))
      return undefined;
    for (const move of moves) this.#move(move);
    this.#nonces.set(from, nonce + 1);
    this.#transactions.push(row);
    const called = to === null ? {} : ({ [to]: hasFailed ? "failed" : "contract_call" } as const);
    for (const [account, kind] of Object.entries({ ...called, ...meaning })) this.#meanings.push({ ...position, account, kind });
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
