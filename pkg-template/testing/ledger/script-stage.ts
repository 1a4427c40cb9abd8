// What the script can do: each act is one transaction, with its transfers, internal transactions, approvals and logs.

import { createLazy } from "../maps.js";
import type { SampleActivityKind } from "../public-types.js";
import type { Random } from "../random.js";
import { type ActorKey, ZERO_ADDRESS } from "./accounts.js";
import { createAllowance } from "./approvals.js";
import { COIN_PRICE, getHistoricCoinPrice, type LedgerContext } from "./context.js";
import { encodeWord, type LogRow, NFT_TRANSFER, TRANSFER } from "./logs.js";
import { createNft, type NftRow } from "./nfts.js";
import { compareTransactions } from "./positions.js";
import type { InternalTransactionRow, Token, TransactionPosition, TransactionRow, TransferRow } from "./rows.js";
import { SCRIPTED_KEYS, type ScriptedKey } from "./sample-addresses.js";
import { computeFee, getCreation } from "./transactions.js";
import { imitateAddress } from "./transfers.js";

type Party = ScriptedKey | ActorKey;
type Collection = "lights" | "boats";
type TokenKey = "stablecoin" | "harbor" | "moored" | "lagoon";
type Asset = TokenKey | "coin";

/** A transaction of the script. A null recipient means that it creates a contract. */
interface Draft
  extends Partial<Pick<TransactionRow, "value" | "hasFailed" | "data">>,
    Pick<TransactionRow, "from" | "to" | "method"> {
  readonly legs?: readonly { readonly token: Token; readonly from: string; readonly to: string; amount?: bigint; id?: bigint }[];
  /** Payments of the native coin by contracts. */
  readonly payments?: readonly (readonly [from: string, to: string, value: bigint])[];
  readonly approval?: ReturnType<typeof createAllowance> | undefined;
  /** What it is meant to be, by address. */
  readonly meaning: readonly (readonly [account: string, kind: SampleActivityKind])[];
}

/** The rows of the scripted addresses, oldest first. */
export type ScriptRows = ReturnType<ScriptStage["getRows"]>;

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
  readonly #hashes: Readonly<Record<Party, string>>;
  readonly #tokens: Readonly<Record<TokenKey, Token>> & { readonly coin: undefined };
  readonly #performed: (Required<Pick<Draft, "legs" | "payments" | "meaning" | "approval">> & {
    row: TransactionRow;
    random: Random;
  })[] = [];
  /** The balances of the scripted addresses by token. Undefined: the native coin. */
  readonly #balances: ReadonlyMap<string, Map<Token | undefined, bigint>>;
  readonly #nonces = new Map<string, number>();
  readonly #lastIds = new Map<Token, number>();
  #block = 0;
  #random: Random;

  constructor(context: LedgerContext) {
    this.#context = context;
    this.#tokens = { ...context.tokens.scripted, stablecoin: context.tokens.stablecoin, coin: undefined };
    this.#hashes = { ...context.accounts.sampleHashes, ...context.accounts.actorHashes };
    this.#random = context.createRandom("script");
    this.#balances = new Map(SCRIPTED_KEYS.map((key) => [context.accounts.sampleHashes[key], new Map()]));
  }

  /** Performs an act at a time, in Unix seconds. */
  perform(act: (stage: ScriptStage) => void, time: number, random: Random): void {
    this.#block = Math.max(this.#block + 1, Math.floor(this.#context.getBlockAtTime(time)));
    this.#random = random;
    act(this);
  }

  getRows() {
    const holders = [...this.#balances.keys()];
    const creations = holders.flatMap((hash) => getCreation(this.#context, hash) ?? []);
    const getHoldings = (hash: string) =>
      [...(this.#balances.get(hash) ?? [])].flatMap(([token, balance]) =>
        token?.type === "ERC-20" && balance > 0n ? [{ token, id: null, balance }] : [],
      );
    return {
      transactions: [...creations, ...this.#performed.map(({ row }) => row)].sort(compareTransactions),
      holdings: new Map(holders.map((hash) => [hash, getHoldings(hash)])),
      details: createLazy(() => this.#makeDetails(creations, holders)),
    };
  }

  /** Makes the rows of the performed transactions that few responses need, and their meanings. */
  #makeDetails(creations: readonly TransactionRow[], holders: readonly string[]) {
    const transfers: TransferRow[] = [];
    const logs: LogRow[] = [];
    const internalTransactions: InternalTransactionRow[] = [];
    const nfts = new Map<string, NftRow>();
    /** The meaning of each transaction for the addresses that take part. It is declared apart from what the transaction moves. */
    const meanings: (TransactionPosition & { readonly account: string; readonly kind: SampleActivityKind })[] = [];
    for (const { row, random, legs, payments, meaning, approval } of this.#performed) {
      const { block_number, transaction_index, from: signer, to: calledContract, method, hasFailed } = row;
      const position = { block_number, transaction_index };
      const called = calledContract === null ? [] : [[calledContract, hasFailed ? "failed" : "contract_call"] as const];
      for (const [account, kind] of new Map([...called, ...meaning])) meanings.push({ ...position, account, kind });
      const index = FIRST_LOG_INDEX + random.nextInt(100);
      if (approval) logs.push({ ...position, index, calledContract, ...approval });
      for (const [i, { token, from, to, amount = null, id = null }] of legs.entries()) {
        const log = { ...position, index: index + i };
        const content = { token, token_type: token.type, token_id: id, amount, from, to, method, signer };
        transfers.push({ ...log, ...content, index_in_batch: 0, hasNoAmount: false });
        const event = id === null ? TRANSFER : NFT_TRANSFER;
        logs.push({ ...log, emitter: token.hash, calledContract, event, values: [from, to, id ?? amount ?? 0n] });
        if (id !== null) nfts.set(`${token.hash}/${id}`, createNft(to, token, id, 1n));
      }
      for (const [i, [from, to, value]] of payments.entries()) {
        const gas_limit = 2300 + random.nextInt(60_000);
        const call = { type: "call", from, to, created_contract: null, error: null, value, gas_limit };
        internalTransactions.push({ ...position, index: 1 + i, ...call });
      }
    }
    for (const { block_number, transaction_index, createdContract } of creations)
      meanings.push({ block_number, transaction_index, account: createdContract ?? "", kind: "deploy" });
    const held = [...nfts.values()].filter(({ account }) => holders.includes(account));
    return { transfers, logs, internalTransactions, nfts: held, meanings };
  }

  /** A number near `amount`, with three digits. */
  about(amount: number): number {
    return Number((amount * (0.7 + this.#random.nextInt(600) / 1000)).toPrecision(3));
  }

  pick<Choice>(...choices: readonly Choice[]): Choice {
    return this.#random.pick(choices);
  }

  send(from: Party, to: Party, amount: number, asset: Asset = "coin"): void {
    const [sender, recipient, token] = [this.#hashes[from], this.#hashes[to], this.#tokens[asset]];
    const units = toUnits(amount, token);
    const meaning = [[recipient, "receive"] as const, [sender, "send"] as const];
    if (!token) this.#add({ from: sender, to: recipient, method: null, value: units, meaning });
    else {
      const legs = [{ token, from: sender, to: recipient, amount: units }];
      this.#add({ from: sender, to: token.hash, method: "transfer", legs, meaning });
    }
  }

  /** A contract pays several parties with one transaction of its signer. */
  pay(signer: Party, payer: Party, amounts: Partial<Record<Party, number>>, asset: TokenKey = "stablecoin"): void {
    const [from, token] = [this.#hashes[payer], this.#tokens[asset]];
    const legs = Object.entries(amounts).map(([to, amount]) => {
      return { token, from, to: this.#hashes[to as Party], amount: toUnits(amount, token) };
    });
    const meaning = [...legs.map(({ to }) => [to, "receive"] as const), [from, "send"] as const];
    this.#add({ from: this.#hashes[signer], to: from, method: "execTransaction", legs, meaning });
  }

  swap(party: Party, sold: Asset, bought: Asset, amount: number): void {
    const [from, router, pool] = [this.#hashes[party], this.#hashes["router"], this.#hashes["pool"]];
    const [tokenIn, tokenOut, wrapped] = [this.#tokens[sold], this.#tokens[bought], this.#wrapped];
    const units = toUnits(amount, tokenIn);
    const received = toUnits((amount * (1 - SWAP_FEE) * this.#price(tokenIn)) / this.#price(tokenOut), tokenOut);
    const legs = [
      { token: tokenIn ?? wrapped, from: tokenIn ? from : router, to: pool, amount: units },
      { token: tokenOut ?? wrapped, from: pool, to: tokenOut ? from : router, amount: received },
    ];
    const wrapping = [router, wrapped.hash, units] as const;
    const unwrapping = [[wrapped.hash, router, received] as const, [router, from, received] as const];
    const payments = [...(tokenIn ? [] : [wrapping]), ...(tokenOut ? [] : unwrapping)];
    this.#call(from, router, "swap", "swap", { value: tokenIn ? 0n : units, legs, payments });
  }

  /** Null: unlimited. */
  approve(party: Party, spender: Party, asset: TokenKey, amount: number | null): void {
    const [owner, trusted, token] = [this.#hashes[party], this.#hashes[spender], this.#tokens[asset]];
    const units = amount === null ? undefined : toUnits(amount, token);
    const approval = createAllowance(owner, token.hash, trusted, units);
    const data = approval.values.slice(1).map(encodeWord).join("");
    this.#call(owner, token.hash, "approve", "approve", { data, approval });
  }

  stake(party: Party, amount: number): void {
    const [from, token] = [this.#hashes[party], this.#tokens["moored"]];
    const legs = [mintOf(token, from, toUnits((amount * this.#price()) / this.#price(token), token))];
    this.#call(from, this.#hashes["staking"], "deposit", "deposit", { value: toUnits(amount), legs });
  }

  unstake(party: Party, amount: number): void {
    const [from, to, token] = [this.#hashes[party], this.#hashes["staking"], this.#tokens["moored"]];
    const payments = [[to, from, toUnits((amount * this.#price(token)) / this.#price())]] as const;
    this.#call(from, to, "withdraw", "withdrawal", { legs: [burnOf(token, from, toUnits(amount, token))], payments });
  }

  /** Locks tokens in the staking contract, without a receipt, or takes them back. */
  lock(party: Party, amount: number, asset: TokenKey, isReturn = false): void {
    const [owner, staking, token] = [this.#hashes[party], this.#hashes["staking"], this.#tokens[asset]];
    const [from, to] = isReturn ? [staking, owner] : [owner, staking];
    const [method, kind] = isReturn ? (["withdraw", "withdrawal"] as const) : (["deposit", "deposit"] as const);
    this.#call(owner, staking, method, kind, { legs: [{ token, from, to, amount: toUnits(amount, token) }] });
  }

  wrap(party: Party, amount: number): void {
    const [from, token, value] = [this.#hashes[party], this.#wrapped, toUnits(amount)];
    this.#call(from, token.hash, "deposit", "wrap", { value, legs: [mintOf(token, from, value)] });
  }

  unwrap(party: Party, amount: number): void {
    const [from, token, value] = [this.#hashes[party], this.#wrapped, toUnits(amount)];
    const payments = [[token.hash, from, value]] as const;
    this.#call(from, token.hash, "withdraw", "unwrap", { legs: [burnOf(token, from, value)], payments });
  }

  burn(party: Party, amount: number, asset: TokenKey): void {
    const [from, token] = [this.#hashes[party], this.#tokens[asset]];
    this.#call(from, token.hash, "burn", "burn", { legs: [burnOf(token, from, toUnits(amount, token))] });
  }

  deploy(party: Party): void {
    this.#call(this.#hashes[party], null, "0x60806040", "deploy");
  }

  /** Coins go from Ethereum to the rollup, or come back. Both chains of a seed have the same act, each as its end of the bridge. */
  bridge(party: Party, amount: number, direction: "out" | "in"): void {
    const [hash, bridge, value] = [this.#hashes[party], this.#hashes["bridge"], toUnits(amount)];
    if ((direction === "out") === (this.#context.chainType === "ethereum")) {
      this.#call(hash, bridge, "bridge", "bridge", { value });
      return;
    }
    this.#block += BRIDGE_BLOCKS;
    const [from, payments, meaning] = [this.#hashes["relayer"], [[bridge, hash, value]] as const, [[hash, "bridge"] as const]];
    this.#add({ from, to: bridge, method: "relay", payments, meaning });
  }

  call(party: Party, contract: Party, method: string, { hasFailed = false } = {}): void {
    this.#call(this.#hashes[party], this.#hashes[contract], method, hasFailed ? "failed" : "contract_call", { hasFailed });
  }

  mint(party: Party, collection: Collection, price: number): void {
    const [from, { token, id }] = [this.#hashes[party], this.#nextNft(collection)];
    this.#call(from, token.hash, "mint", "mint", { value: toUnits(price), legs: [{ token, id, from: ZERO_ADDRESS, to: from }] });
  }

  buy(party: Party, collection: Collection, price: number, from: Party): void {
    const [buyer, market, seller, value] = [this.#hashes[party], this.#hashes["market"], this.#hashes[from], toUnits(price)];
    const legs = [{ ...this.#nextNft(collection), from: seller, to: buyer }];
    const meaning = [buyer, seller].map((account) => [account, "swap"] as const);
    this.#call(buyer, market, "fulfillOrder", "swap", { value, legs, payments: [[market, seller, value]], meaning });
  }

  airdrop(to: Party, spam: number, amount: number): void {
    const [from, token] = [this.#hashes["dropper"], this.#random.pick(this.#context.tokens.spam.slice(spam, spam + 1))];
    const legs = [{ token, from, to: this.#hashes[to], amount: toUnits(amount, token) }];
    this.#add({ from, to: token.hash, method: "airdrop", legs, meaning: [[this.#hashes[to], "airdrop"]] });
  }

  /** Somebody lets a party send nothing to an address that looks like the one of another party. */
  imitate(victim: Party, recipient: Party): void {
    const [from, token] = [this.#hashes[victim], this.#tokens["stablecoin"]];
    const legs = [{ token, from, to: imitateAddress(this.#hashes[recipient], this.#random.nextHex(20)), amount: 0n }];
    this.#add({ from: this.#hashes["imitator"], to: token.hash, method: "transferFrom", legs, meaning: [[from, "spam"]] });
  }

  get #wrapped(): Token {
    return this.#context.tokens.regular[1] ?? this.#context.tokens.stablecoin;
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

  #call(from: string, to: string | null, method: string, kind: SampleActivityKind, draft: Partial<Draft> = {}): void {
    this.#add({ meaning: [[from, kind]], from, to, method, ...draft });
  }

  /** Adds a transaction with its rows, unless an address cannot pay it. */
  #add({ from, to, method, value = 0n, hasFailed = false, legs = [], payments = [], data, approval, meaning }: Draft): void {
    const random = this.#random;
    const transaction_index = TRANSACTION_INDEX + random.nextInt(50);
    const nonce = this.#nonces.get(from) ?? 0;
    const gasUsed = method === null ? BASE_GAS : Math.round((GAS[method] ?? OTHER_GAS) * (1 + random.nextInt(120) / 1000));
    const createdContract = to === null ? random.nextHex(20) : null;
    const hasTokenTransfers = legs.length > 0;
    const row = {
      block_number: this.#block,
      transaction_index,
      from,
      to,
      createdContract,
      value,
      hasFailed,
      method,
      data,
      hasTokenTransfers,
      gasUsed,
      nonce,
    };
    const fee = computeFee(this.#context, row);
    if (!this.#canPay(from, fee + value + RESERVE) || !legs.every((leg) => this.#canPay(leg.from, leg.amount ?? 0n, leg.token)))
      return;
    this.#move(from, "", fee);
    if (!hasFailed) this.#move(from, to ?? "", value);
    for (const [payer, payee, amount] of payments) this.#move(payer, payee, amount);
    for (const { from, to, amount = 1n, token } of legs) this.#move(from, to, amount, token);
    this.#nonces.set(from, nonce + 1);
    this.#performed.push({ row, random, legs, payments, meaning, approval });
  }

  /** Only scripted addresses have limited balances. */
  #canPay(hash: string, amount: bigint, token?: Token): boolean {
    const balances = this.#balances.get(hash);
    return !balances || amount === 0n || (balances.get(token) ?? 0n) >= amount;
  }

  #move(from: string, to: string, amount: bigint, token?: Token): void {
    const [sent, received] = [this.#balances.get(from), this.#balances.get(to)];
    sent?.set(token, (sent.get(token) ?? 0n) - amount);
    received?.set(token, (received.get(token) ?? 0n) + amount);
  }
}

const mintOf = (token: Token, to: string, amount: bigint) => ({ token, from: ZERO_ADDRESS, to, amount });
const burnOf = (token: Token, from: string, amount: bigint) => ({ token, from, to: ZERO_ADDRESS, amount });

/** Converts whole coins or tokens, with up to six places. */
function toUnits(amount: number, token?: Token): bigint {
  const decimals = Number(token?.decimals ?? 18);
  const places = Math.min(6, decimals);
  return BigInt(Math.round(amount * 10 ** places)) * 10n ** BigInt(decimals - places);
}
