// Records as each version of the service writes them.

import { toChecksum } from "./checksum.js";
import { logContent } from "./logs.js";
import { nftContent } from "./nfts.js";

const NOBODY = /^0x0{40}$/;
const BUILDER_BIT = 2 ** 40;

export class Writer {
  #chain;
  #version;
  #addresses = new Map();
  #tokens = new Map();

  constructor(chain, version) {
    this.#chain = chain;
    this.#version = version;
  }

  /** Members that came with `version`, for spreading into a record. */
  #since(version, members) {
    return this.#version >= version ? members : {};
  }

  /** Members under names that were given up after version 8, which sends old and new. */
  #formerly(members) {
    return this.#version === 8 ? members : {};
  }

  /** Addresses and tokens recur in nearly every record, so each is written once. */
  address(hash) {
    if (hash === null) return null;
    if (!this.#addresses.has(hash)) this.#addresses.set(hash, this.#address(hash));
    return this.#addresses.get(hash);
  }

  #address(hash) {
    const profile = this.#chain.accounts.profile(hash);
    const unlooked = this.#version === 8 ? false : null;
    return {
      ens_domain_name: profile.ens,
      hash: toChecksum(hash),
      implementations: profile.implementations.map((implementation) => this.#implementation(implementation)),
      is_contract: profile.contract,
      is_scam: profile.scam,
      is_verified: profile.contract ? profile.verified : unlooked,
      metadata: profile.tags.length > 0 ? { tags: profile.tags.map((tag) => this.#tag(tag)) } : null,
      name: profile.name,
      private_tags: [],
      proxy_type: profile.proxy,
      public_tags: this.#publicTags(hash, profile.publicTags),
      ...this.#since(11, { reputation: profile.scam ? "scam" : "ok" }),
      watchlist_names: [],
    };
  }

  #implementation({ hash, name }) {
    const address_hash = toChecksum(hash);
    return {
      address_hash,
      ...this.#formerly({ address: address_hash }),
      // From 12 on the name may be left out.
      ...(name === null && this.#version >= 12 ? {} : { name }),
    };
  }

  #tag(tag) {
    return this.#version === 8 ? { ...tag, meta: tag.meta ?? {} } : tag;
  }

  #publicTags(hash, labels) {
    const address_hash = toChecksum(hash);
    const tags = labels.map((label) => ({ address_hash, ...this.#formerly({ address: address_hash }), display_name: label, label }));
    // Old versions slip an empty object in.
    return this.#version === 8 && tags.length > 0 ? [...tags, {}] : tags;
  }

  token(token) {
    if (!this.#tokens.has(token)) this.#tokens.set(token, this.#token(token));
    return this.#tokens.get(token);
  }

  #token(token) {
    const address_hash = toChecksum(token.hash);
    const { type, name, symbol, decimals, total_supply, holders_count, exchange_rate, volume_24h, circulating_market_cap, icon_url } = token;
    return {
      address_hash,
      ...this.#formerly({ address: address_hash, holders: holders_count }),
      circulating_market_cap,
      ...this.#since(11, { circulating_supply: token.circulating_supply }),
      decimals,
      exchange_rate,
      holders_count,
      icon_url,
      name,
      ...this.#since(11, { reputation: token.scam ? "scam" : "ok" }),
      symbol,
      total_supply,
      type,
      volume_24h,
    };
  }

  listedAddress({ hash, fetched_coin_balance, transactions_count }) {
    return {
      ...this.address(hash),
      coin_balance: String(fetched_coin_balance),
      transactions_count: transactions_count === null ? "" : String(transactions_count),
    };
  }

  transfer(row) {
    const kind = NOBODY.test(row.from) ? "token_minting" : NOBODY.test(row.to) ? "token_burning" : "token_transfer";
    return {
      block_hash: this.#chain.blockHash(row.block_number),
      block_number: row.block_number,
      from: this.address(row.from),
      log_index: row.index,
      method: row.method,
      timestamp: this.#timestamp(row.block_number),
      to: this.address(row.to),
      token: this.token(row.token),
      ...this.#since(11, { token_type: row.token_type }),
      total: this.#total(row),
      transaction_hash: this.#transactionHash(row),
      type: kind,
    };
  }

  #total({ token, token_type, token_id, amount, countless }) {
    if (countless) return null;
    const { decimals, ui_multiplier } = token;
    const value = textOrNull(amount);
    switch (token_type) {
      case "ERC-20":
        return { decimals, value, ...this.#since(12, { ui_multiplier }) };
      case "ERC-721":
        return { token_id: textOrNull(token_id), token_instance: this.#instance(token, token_id) };
      case "ERC-7984":
        // A standard that version 8 does not know.
        return this.#version === 8 ? null : { decimals, value };
      default:
        return { decimals, token_id: textOrNull(token_id), token_instance: this.#instance(token, token_id), value };
    }
  }

  /** The NFT within a transfer: about every third one has been looked at. */
  #instance(token, token_id) {
    if (token_id === null || token_id % 3n !== 0n) return null;
    const id = String(token_id);
    return { ...this.#media(nftContent(this.#chain, { token, token_id })), id, is_unique: token.type === "ERC-721", owner: null, token: null };
  }

  nft(row) {
    return {
      ...this.#media(nftContent(this.#chain, row)),
      id: String(row.token_id),
      is_unique: null,
      owner: null,
      token: this.token(row.token),
      token_type: row.token_type,
      value: textOrNull(row.value),
    };
  }

  #media(content) {
    const category = (url) => (url && /image|video|html/.exec(content.media_type)?.[0]) || null;
    return {
      ...content,
      ...this.#since(12, { image_media_type: category(content.image_url), animation_media_type: category(content.animation_url) }),
    };
  }

  log(row) {
    const { topics, data, decoded } = logContent(this.#chain, row);
    return {
      address: this.address(row.emitter),
      block_hash: this.#chain.blockHash(row.block_number),
      block_number: row.block_number,
      ...this.#since(11, { block_timestamp: this.#timestamp(row.block_number) }),
      data,
      decoded: decoded && { ...decoded, ...this.#since(12, { abi: abiOf(decoded) }) },
      index: row.index,
      smart_contract: this.address(row.called),
      topics,
      transaction_hash: this.#transactionHash(row),
    };
  }

  internalTransaction(row) {
    return {
      ...this.#formerly({ block_index: row.transaction_index * 100 + row.index }),
      block_number: row.block_number,
      created_contract: this.address(row.created_contract),
      error: row.error,
      from: this.address(row.from),
      gas_limit: String(row.gas_limit),
      index: row.index,
      success: row.error === null,
      timestamp: this.#timestamp(row.block_number),
      to: this.address(row.to),
      transaction_hash: this.#transactionHash(row),
      transaction_index: row.transaction_index,
      type: row.type,
      value: String(row.value),
    };
  }

  balanceChange(row) {
    return {
      block_number: row.block_number,
      block_timestamp: `${this.#chain.timeOf(row.block_number)}Z`,
      delta: String(row.delta),
      transaction_hash: row.transaction_hash,
      value: String(row.value),
    };
  }

  withdrawal(row) {
    return {
      amount: String(row.amount),
      block_number: row.block_number,
      index: row.index,
      ...(row.namesReceiver ? { receiver: this.address(row.account) } : {}),
      timestamp: this.#timestamp(row.block_number),
      // Indices of builders, known from 12 on, do not fit 32 bits.
      validator_index: row.validator_index + (row.byBuilder && this.#version >= 12 ? BUILDER_BIT : 0),
    };
  }

  #timestamp(block) {
    return `${this.#chain.timeOf(block)}.000000Z`;
  }

  #transactionHash({ block_number, transaction_index }) {
    return this.#chain.transactionHash(block_number, transaction_index);
  }
}

function textOrNull(value) {
  return value === null ? null : String(value);
}

function abiOf({ method_call, parameters }) {
  const name = method_call.slice(0, method_call.indexOf("("));
  return { anonymous: false, inputs: parameters.map(({ name, type, indexed }) => ({ indexed, name, type })), name, type: "event" };
}
