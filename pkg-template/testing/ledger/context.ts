// The shared context of the ledger's generators: accounts and tokens, random generators, times and hashes of blocks, and the price
// of the native coin.

import type { ChainType } from "../public-types.js";
import { createRandom, type Random, type SeedPart } from "../random.js";
import { type Accounts, createAccounts } from "./accounts.js";
import { HEAD_BLOCK } from "./positions.js";
import { makeTokens, type Tokens } from "./tokens.js";

/** The time of the head block. It is fixed, so that the data do not depend on the clock of the machine. */
const HEAD_TIME_MS = Date.UTC(2026, 10, 1);
const BLOCK_TIME_MS = 12_000;
const MAX_BASE_FEE = 900_000_000;

export class LedgerContext {
  readonly seed: number;
  readonly chainType: ChainType;
  readonly tokens: Tokens;
  readonly accounts: Accounts;
  readonly #forkNumbers = new Map<number, number>();

  /** `other` is a context with the same seed. Its tokens and accounts are used. */
  constructor(seed: number, chainType: ChainType, other?: LedgerContext) {
    this.seed = seed;
    this.chainType = chainType;
    this.tokens = other?.tokens ?? makeTokens(seed);
    this.accounts = other?.accounts ?? createAccounts(seed, this.tokens);
  }

  createRandom(...seedParts: readonly SeedPart[]): Random {
    return createRandom(this.seed, ...seedParts);
  }

  getForkNumber(block: number): number {
    return this.#forkNumbers.get(block) ?? 0;
  }

  /** Gives a replaced block other hashes. */
  protected addFork(block: number): void {
    this.#forkNumbers.set(block, this.getForkNumber(block) + 1);
  }

  /** The time of a block as ISO 8601 without fraction and zone: lists differ in the fraction that they add. */
  getTimestamp(block: number): string {
    return new Date(this.getUnixTime(block) * 1000).toISOString().slice(0, 19);
  }

  getUnixTime(block: number): number {
    return (HEAD_TIME_MS - (HEAD_BLOCK - block) * BLOCK_TIME_MS) / 1000;
  }

  /** The block at a time in Unix seconds. A fraction means a time between two blocks. */
  getBlockAtTime(seconds: number): number {
    return HEAD_BLOCK + (seconds * 1000 - HEAD_TIME_MS) / BLOCK_TIME_MS;
  }

  getBlockHash(block: number): string {
    return this.createRandom("block", ...this.#createBlockSeed(block)).nextHex(32);
  }

  getTransactionHash(block: number, index: number): string {
    return this.createRandom("transaction", ...this.#createBlockSeed(block), index).nextHex(32);
  }

  #createBlockSeed(block: number): readonly SeedPart[] {
    const fork = this.getForkNumber(block);
    return fork === 0 ? [block] : [block, `fork ${fork}`];
  }

  /** The base fee of a block for one unit of gas, in wei. It is below the gas price of all transactions. */
  getBaseFee(block: number): number {
    return MAX_BASE_FEE - this.createRandom("base fee", block).nextInt(MAX_BASE_FEE / 2);
  }
}

export const COIN_PRICE = "2650.17";

const BLOCKS_PER_DAY = 7200;
/** The waves of the price: their length in days, and their height as a share of the price. */
const WAVES = [
  [365, 0.16],
  [101, 0.09],
  [31, 0.04],
] as const;
const MAX_NOISE_PERMILLE = 30;

/** Returns the price on the day of a block, in US dollars. It moves by a few percent each day, and ends at the current price. */
export function getHistoricCoinPrice(context: LedgerContext, block: number): string {
  const day = context.getTimestamp(block).slice(0, 10);
  const age = Math.ceil((HEAD_BLOCK - block) / BLOCKS_PER_DAY);
  const waves = WAVES.map(([length, height]) => height * Math.sin((2 * Math.PI * age) / length));
  const noise = (context.createRandom("coin price", day).nextInt(MAX_NOISE_PERMILLE) - MAX_NOISE_PERMILLE / 2) / 1000;
  return (Number(COIN_PRICE) * (1 + noise + waves.reduce((sum, wave) => sum + wave))).toFixed(2);
}
