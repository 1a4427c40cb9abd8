// Serializes rows of the sample chain as items of the REST API, in the format of one backend version.

import { toChecksumAddress, ZERO_ADDRESS } from "../ledger/accounts.js";
import type { Chain } from "../ledger/chain.js";
import type { WithdrawalRow } from "../ledger/coin-records.js";
import { type DecodedLog, getLogContent, type LogRow } from "../ledger/logs.js";
import { makeNftContent, type NftRow } from "../ledger/nfts.js";
import type * as rows from "../ledger/rows.js";
import { getOrMake } from "../maps.js";
import type { BackendVersion } from "../public-types.js";

export type Item = Readonly<Record<string, unknown>>;

/** Added to the validator index of a builder's withdrawal. */
const BUILDER_INDEX_OFFSET = 2 ** 40;

/** Converts a number to a string; null stays null. */
export const toText = (value: bigint | number | null | undefined) =>
  value === null || value === undefined ? null : String(value);

/** A version's format of addresses, tokens and times. They recur in nearly every item, so each is serialized once. */
export class RestSerializer {
  readonly #addresses = new Map<string, Item>();
  readonly #tokens = new Map<rows.Token, Item>();

  constructor(
    readonly chain: Chain,
    readonly version: BackendVersion,
  ) {}

  /** Returns the members if this version is at least `version`, for spreading into an item. */
  membersSince(version: number, members: Item): Item {
    return this.version >= version ? members : {};
  }

  membersBefore(version: number, members: Item): Item {
    return this.version < version ? members : {};
  }

  serializeTime(block: number): string {
    return `${this.chain.getTimestamp(block)}.000000Z`;
  }

  serializeAddress(hash: string): Item;
  serializeAddress(hash: string | null): Item | null;
  serializeAddress(hash: string | null): Item | null {
    return hash === null ? null : getOrMake(this.#addresses, hash, () => this.#createAddress(hash));
  }

  #createAddress(hash: string): Item {
    const profile = this.chain.accounts.getProfile(hash);
    const isOldest = this.version === 8;
    const address_hash = toChecksumAddress(hash);
    const implementations = profile.implementations.map(({ hash, name }) => ({
      address_hash: toChecksumAddress(hash),
      ...this.membersBefore(9, { address: toChecksumAddress(hash) }),
      // Version 12 omits the name if it is null.
      ...(name === null && this.version >= 12 ? {} : { name }),
    }));
    const tags = profile.tags.map((tag) => (isOldest ? { ...tag, meta: tag.meta ?? {} } : tag));
    const legacy = this.membersBefore(9, { address: address_hash });
    const public_tags = profile.publicTags.map((label) => ({ address_hash, ...legacy, display_name: label, label }));
    return {
      ens_domain_name: profile.ensName,
      hash: address_hash,
      implementations,
      is_contract: profile.isContract,
      is_scam: profile.isScam,
      is_verified: profile.isContract ? profile.isVerified : isOldest ? false : null,
      metadata: tags.length > 0 ? { tags } : null,
      name: profile.name,
      private_tags: [],
      proxy_type: profile.proxyType,
      // Version 8 appends an empty object.
      public_tags: isOldest && public_tags.length > 0 ? [...public_tags, {}] : public_tags,
      ...this.membersSince(9, { reputation: profile.isScam ? "scam" : "ok" }),
      watchlist_names: [],
    };
  }

  serializeToken(token: rows.Token): Item {
    return getOrMake(this.#tokens, token, () => {
      const address_hash = toChecksumAddress(token.hash);
      const { type, name, symbol, decimals, total_supply, holders_count, exchange_rate, volume_24h, icon_url } = token;
      return {
        address_hash,
        ...this.membersBefore(9, { address: address_hash, holders: holders_count }),
        circulating_market_cap: token.circulating_market_cap,
        ...this.membersSince(11, { circulating_supply: token.circulating_supply }),
        decimals,
        exchange_rate,
        holders_count,
        icon_url,
        name,
        ...this.membersSince(9, { reputation: token.isScam ? "scam" : "ok" }),
        symbol,
        total_supply,
        type,
        volume_24h,
      };
    });
  }

  getHash({ block_number, transaction_index }: rows.TransactionPosition): string {
    return this.chain.getTransactionHash(block_number, transaction_index);
  }
}

export function serializeTransfer(row: rows.TransferRow, s: RestSerializer): Item {
  return {
    block_hash: s.chain.getBlockHash(row.block_number),
    block_number: row.block_number,
    from: s.serializeAddress(row.from),
    log_index: row.index,
    method: row.method,
    timestamp: s.serializeTime(row.block_number),
    to: s.serializeAddress(row.to),
    token: s.serializeToken(row.token),
    ...s.membersSince(9, { token_type: row.token_type }),
    total: createTotal(row, s),
    transaction_hash: s.getHash(row),
    type: row.from === ZERO_ADDRESS ? "token_minting" : row.to === ZERO_ADDRESS ? "token_burning" : "token_transfer",
  };
}

function createTotal({ token, token_type, token_id, amount, hasNoAmount }: rows.TransferRow, s: RestSerializer): Item | null {
  if (hasNoAmount) return null;
  const { decimals, ui_multiplier } = token;
  const value = toText(amount);
  if (token_type === "ERC-20") return { decimals, value, ...s.membersSince(12, { ui_multiplier }) };
  // Added in version 10.
  if (token_type === "ERC-7984") return s.version < 10 ? null : { decimals, value };
  // About a third of the NFTs have been fetched by the service.
  const isFetched = token_id !== null && token_id % 3n === 0n;
  const is_unique = token.type === "ERC-721";
  const members = { id: toText(token_id), is_unique, owner: null, token: null };
  const token_instance = isFetched ? { ...createMedia({ token, token_id }, s), ...members } : null;
  const nft = { token_id: toText(token_id), token_instance };
  return token_type === "ERC-721" ? nft : { decimals, ...nft, value };
}

function createMedia(nft: Parameters<typeof makeNftContent>[1], s: RestSerializer): Item {
  const content = makeNftContent(s.chain, nft);
  const [category = null] = /image|video|html/.exec(content.media_type ?? "") ?? [];
  const image_media_type = content.image_url ? category : null;
  return {
    ...content,
    ...s.membersSince(12, { image_media_type, animation_media_type: content.animation_url ? category : null }),
  };
}

export function serializeNft(row: NftRow, s: RestSerializer): Item {
  const { token_id, token, token_type, value } = row;
  const members = { id: String(token_id), is_unique: null, owner: null, token: s.serializeToken(token), token_type };
  return { ...createMedia(row, s), ...members, value: toText(value) };
}

export function serializeLog(row: LogRow, s: RestSerializer): Item {
  const { topics, data, decoded } = getLogContent(s.chain, row);
  return {
    address: s.serializeAddress(row.emitter),
    block_hash: s.chain.getBlockHash(row.block_number),
    block_number: row.block_number,
    ...s.membersSince(10, { block_timestamp: s.serializeTime(row.block_number) }),
    data,
    decoded: decoded && { ...decoded, ...s.membersSince(12, { abi: createAbi(decoded) }) },
    index: row.index,
    smart_contract: s.serializeAddress(row.calledContract),
    topics,
    transaction_hash: s.getHash(row),
  };
}

function createAbi({ method_call, parameters }: DecodedLog): Item {
  const inputs = parameters.map(({ name, type, indexed }) => ({ indexed, name, type }));
  return { anonymous: false, inputs, name: method_call.slice(0, method_call.indexOf("(")), type: "event" };
}

export function serializeInternalTransaction(row: rows.InternalTransactionRow, s: RestSerializer): Item {
  return {
    ...s.membersBefore(11, { block_index: row.transaction_index * 100 + row.index }),
    block_number: row.block_number,
    created_contract: s.serializeAddress(row.created_contract),
    error: row.error,
    from: s.serializeAddress(row.from),
    gas_limit: String(row.gas_limit),
    index: row.index,
    success: row.error === null,
    timestamp: s.serializeTime(row.block_number),
    to: s.serializeAddress(row.to),
    transaction_hash: s.getHash(row),
    transaction_index: row.transaction_index,
    type: row.type,
    value: String(row.value),
  };
}

/** A list of the whole chain always has the receiver. */
export function serializeWithdrawal(row: WithdrawalRow, s: RestSerializer, hasReceiver = row.hasReceiver): Item {
  return {
    amount: String(row.amount),
    block_number: row.block_number,
    index: row.index,
    ...(hasReceiver ? { receiver: s.serializeAddress(row.account) } : {}),
    timestamp: s.serializeTime(row.block_number),
    // Builder indices exist from version 12 on and exceed 32 bits.
    validator_index: row.validator_index + (row.isFromBuilder && s.version >= 12 ? BUILDER_INDEX_OFFSET : 0),
  };
}
