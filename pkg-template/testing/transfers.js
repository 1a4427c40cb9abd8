// Token transfers of the whole chain, told as one story per address of interest.

import { HOSTILE_METHODS, METHODS } from "./names.js";
import { Places } from "./places.js";

const NOBODY = `0x${"0".repeat(40)}`;
const GIANT_BATCH = 160;

/** Every transfer row of the chain, unordered. Rows name their place as the cursor of the list does. */
export function makeTransfers(chain) {
  const { sample, crowd } = chain.accounts;
  const { fair, hostile, giant, scam } = chain.tokens;
  const rows = [];

  const story = (key, lane, gap, methods = METHODS) => {
    const chance = chain.random("transfers", key);
    const friends = [sample.settlement, sample.proxy, ...crowd.slice(lane * 40, lane * 40 + 40)];
    return new Story({ rows, hero: sample[key] ?? crowd[0], friends, methods, chance, places: new Places(chance, lane, gap) });
  };

  const hub = story("hub", 0, 12);
  hub.tell(100, fair);
  hub.batch(giant, GIANT_BATCH);
  while (hub.length < 5200) hub.event(fair);

  const quiet = story("quiet", 1, 9000);
  quiet.tell(9, fair.slice(0, 8));

  const minter = story("minter", 2, 400);
  minter.batch(giant, GIANT_BATCH);
  minter.tell(60, fair.filter((token) => token.type === "ERC-1155"));

  const airdropped = story("airdropped", 3, 200);
  airdropped.tell(30, fair.slice(0, 2));
  for (let i = 0; i < 260; i++) airdropped.single(scam);
  for (let i = 0; i < 90; i++) airdropped.single(i % 3 ? scam : fair[0]);

  story("hostile", 4, 700, HOSTILE_METHODS).tell(70, hostile);
  story("crowd", 5, 80).tell(300, fair);
  return rows;
}

class Story {
  #rows;
  #hero;
  #friends;
  #methods;
  #chance;
  #places;
  #start;

  constructor({ rows, hero, friends, methods, chance, places }) {
    this.#rows = rows;
    this.#start = rows.length;
    this.#hero = hero;
    this.#friends = friends;
    this.#methods = methods;
    this.#chance = chance;
    this.#places = places;
  }

  get length() {
    return this.#rows.length - this.#start;
  }

  tell(events, tokens) {
    for (let i = 0; i < events; i++) this.event(tokens);
  }

  /** One transaction: a transfer, a swap of two tokens, or now and then a batch. */
  event(tokens) {
    // Fungible tokens stand first in every list of tokens and move most.
    const token = this.#chance.chance(0.4) ? this.#chance.pick(tokens.slice(0, 4)) : this.#chance.pick(tokens);
    if (token.type === "ERC-1155" && this.#chance.chance(0.2)) return this.batch(token, 2 + this.#chance.below(12));
    const method = this.single(token);
    if (this.#chance.chance(0.2)) this.#log(this.#chance.pick(tokens), method);
  }

  /** One transaction with one transfer; returns the method it called. */
  single(token) {
    this.#places.previousTransaction();
    const method = this.#chance.pick(this.#methods);
    this.#log(token, method);
    return method;
  }

  /** One log that moves many token ids. */
  batch(token, size) {
    this.#places.previousTransaction();
    const first = this.#chance.below(1_000_000);
    const contents = Array.from({ length: size }, (_, i) => ({ token_id: BigInt(first + 3 * i), amount: BigInt(1 + this.#chance.below(9)) }));
    this.#log(token, "safeBatchTransferFrom", contents);
  }

  #log(token, method, contents = [this.#content(token)]) {
    const [from, to] = this.#parties();
    const { block_number, transaction_index } = this.#places;
    const index = this.#places.previousLogIndex();
    contents.forEach((content, index_in_batch) => {
      this.#rows.push({
        block_number, transaction_index, index, index_in_batch, token, from, to, method, hidden: token.scam,
        token_id: null, amount: null, countless: false, token_type: token.type, ...content,
      });
    });
  }

  /** Sender and receiver: the hero is one of them; the zero address mints and burns. */
  #parties() {
    const other = this.#chance.chance(0.08) ? NOBODY : this.#chance.pick(this.#friends);
    if (this.#chance.chance(0.02)) return [this.#hero, this.#hero];
    return this.#chance.chance(0.45) ? [this.#hero, other] : [other, this.#hero];
  }

  #content(token) {
    const chance = this.#chance;
    if (token.formerly && chance.chance(0.5)) return { token_type: token.formerly, amount: chance.big(8) };
    switch (token.type) {
      case "ERC-20":
        // Contracts that announce transfers without an amount exist: `countless`.
        return chance.chance(0.01) ? { countless: true } : { amount: chance.big(chance.pick([4, 8, 12, 32])) };
      case "ERC-721":
        return { token_id: this.#tokenId() };
      case "ERC-1155":
        return { token_id: this.#tokenId(), amount: BigInt(1 + chance.below(20)) };
      case "ERC-404":
        return chance.chance(0.5) ? { amount: chance.big(8) } : { token_id: this.#tokenId() };
      default:
        return {};
    }
  }

  #tokenId() {
    return this.#chance.chance(0.1) ? this.#chance.big(32) : BigInt(this.#chance.below(10_000));
  }
}
