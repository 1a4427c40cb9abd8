// Serializes rows of the sample chain as items of the REST lists, in the format of one backend version.

import type { Implementation } from "../ledger/accounts.js";
import type { Chain } from "../ledger/chain.js";
import { toChecksumAddress } from "../ledger/checksum.js";
import { type DecodedLog, getLogContent, type LogRow } from "../ledger/logs.js";
import { makeNftContent, type NftContent } from "../ledger/nfts.js";
import type {
  BalanceChangeRow,
  InternalTransactionRow,
  NftRow,
  RichListRow,
  Token,
  TokenBalanceRow,
  TransactionPosition,
  TransferRow,
  WithdrawalRow,
} from "../ledger/rows.js";
import type { MetadataTag } from "../ledger/sample-strings.js";
import type { CollectionRow } from "../ledger/token-holdings.js";
import { getOrMake } from "../maps.js";
import type { BackendVersion } from "../public-types.js";

/** An object of a response. */
export type SerializedItem = Readonly<Record<string, unknown>>;

/** The number of NFTs that a collection shows. */
const COLLECTION_PREVIEW_SIZE = 9;
const ZERO_ADDRESS = /^0x0{40}$/;
/** Added to the validator index of a builder's withdrawal. */
const BUILDER_INDEX_OFFSET = 2 ** 40;

export class RestSerializer {
  readonly chain: Chain;
  readonly #version: BackendVersion;
  // Addresses and tokens recur in nearly every item, so each is serialized once.
  readonly #addresses = new Map<string, SerializedItem>();
  readonly #tokens = new Map<Token, SerializedItem>();

  constructor(chain: Chain, version: BackendVersion) {
    this.chain = chain;
    this.#version = version;
  }

  /** Returns the members if this version is at least `version`, for spreading into an item. */
  membersSince(version: number, members: SerializedItem): SerializedItem {
    return this.#version >= version ? members : {};
  }

  /** Whether this version is older than `version`. */
  isBefore(version: number): boolean {
    return this.#version < version;
  }

  /** Returns the members if this version is older than `version`. */
  membersBefore(version: number, members: SerializedItem): SerializedItem {
    return this.#version < version ? members : {};
  }

  /** Returns the members in version 8 only: it also sends old names, which later versions dropped. */
  legacyMembers(members: SerializedItem): SerializedItem {
    return this.membersBefore(9, members);
  }

  serializeAddress(hash: string): SerializedItem {
    return getOrMake(this.#addresses, hash, () => this.#createAddress(hash));
  }

  #serializeAddressOrNull(hash: string | null): SerializedItem | null {
    return hash === null ? null : this.serializeAddress(hash);
  }

  #createAddress(hash: string): SerializedItem {
    const profile = this.chain.accounts.getProfile(hash);
    const unverified = this.#version === 8 ? false : null;
    return {
      ens_domain_name: profile.ensName,
      hash: toChecksumAddress(hash),
      implementations: profile.implementations.map((implementation) => this.#createImplementation(implementation)),
      is_contract: profile.isContract,
      is_scam: profile.isScam,
      is_verified: profile.isContract ? profile.isVerified : unverified,
      metadata: profile.tags.length > 0 ? { tags: profile.tags.map((tag) => this.#createTag(tag)) } : null,
      name: profile.name,
      private_tags: [],
      proxy_type: profile.proxyType,
      public_tags: this.#createPublicTags(hash, profile.publicTags),
      ...this.membersSince(9, { reputation: profile.isScam ? "scam" : "ok" }),
      watchlist_names: [],
    };
  }

  #createImplementation({ hash, name }: Implementation): SerializedItem {
    const address_hash = toChecksumAddress(hash);
    return {
      address_hash,
      ...this.legacyMembers({ address: address_hash }),
      // Version 12 omits the name if it is null.
      ...(name === null && this.#version >= 12 ? {} : { name }),
    };
  }

  #createTag(tag: MetadataTag): SerializedItem {
    return this.#version === 8 ? { ...tag, meta: tag.meta ?? {} } : { ...tag };
  }

  #createPublicTags(hash: string, labels: readonly string[]): SerializedItem[] {
    const address_hash = toChecksumAddress(hash);
    const tags = labels.map((label) => ({
      address_hash,
      ...this.legacyMembers({ address: address_hash }),
      display_name: label,
      label,
    }));
    // Version 8 appends an empty object.
    return this.#version === 8 && tags.length > 0 ? [...tags, {}] : tags;
  }

  serializeToken(token: Token): SerializedItem {
    return getOrMake(this.#tokens, token, () => this.#createToken(token));
  }

  #createToken(token: Token): SerializedItem {
    const address_hash = toChecksumAddress(token.hash);
    const { type, name, symbol, decimals, total_supply, holders_count, exchange_rate, volume_24h, icon_url } = token;
    return {
      address_hash,
      ...this.legacyMembers({ address: address_hash, holders: holders_count }),
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
  }

  serializeListedAddress({ hash, fetched_coin_balance, transactions_count }: RichListRow): SerializedItem {
    return {
      ...this.serializeAddress(hash),
      coin_balance: String(fetched_coin_balance),
      transactions_count: transactions_count === null ? "" : String(transactions_count),
    };
  }

  serializeTransfer(row: TransferRow): SerializedItem {
    const type = ZERO_ADDRESS.test(row.from) ? "token_minting" : ZERO_ADDRESS.test(row.to) ? "token_burning" : "token_transfer";
    return {
      block_hash: this.chain.getBlockHash(row.block_number),
      block_number: row.block_number,
      from: this.serializeAddress(row.from),
      log_index: row.index,
      method: row.method,
      timestamp: this.createTimestamp(row.block_number),
      to: this.serializeAddress(row.to),
      token: this.serializeToken(row.token),
      ...this.membersSince(9, { token_type: row.token_type }),
      total: this.#createTotal(row),
      transaction_hash: this.#getTransactionHash(row),
      type,
    };
  }

  #createTotal({ token, token_type, token_id, amount, hasNoAmount }: TransferRow): SerializedItem | null {
    if (hasNoAmount) return null;
    const { decimals, ui_multiplier } = token;
    const value = toStringOrNull(amount);
    switch (token_type) {
      case "ERC-20":
        return { decimals, value, ...this.membersSince(12, { ui_multiplier }) };
      case "ERC-721":
        return { token_id: toStringOrNull(token_id), token_instance: this.#createTokenInstance(token, token_id) };
      case "ERC-7984":
        // Added in version 10.
        return this.#version < 10 ? null : { decimals, value };
      default:
        return {
          decimals,
          token_id: toStringOrNull(token_id),
          token_instance: this.#createTokenInstance(token, token_id),
          value,
        };
    }
  }

  /** The NFT within a transfer. About a third of them have been fetched by the service. */
  #createTokenInstance(token: Token, token_id: bigint | null): SerializedItem | null {
    if (token_id === null || token_id % 3n !== 0n) return null;
    const id = String(token_id);
    return {
      ...this.#createMedia(makeNftContent(this.chain, { token, token_id })),
      id,
      is_unique: token.type === "ERC-721",
      owner: null,
      token: null,
    };
  }

  serializeNft(row: NftRow): SerializedItem {
    return {
      ...this.#createMedia(makeNftContent(this.chain, row)),
      id: String(row.token_id),
      is_unique: null,
      owner: null,
      token: this.serializeToken(row.token),
      token_type: row.token_type,
      value: toStringOrNull(row.value),
    };
  }

  serializeTokenBalance({ account, token, token_id, value, nft }: TokenBalanceRow): SerializedItem {
    return {
      token: this.serializeToken(token),
      token_id: toStringOrNull(token_id),
      token_instance: nft && { ...this.serializeNft(nft), owner: this.serializeAddress(account), token: null },
      value: toStringOrNull(value),
    };
  }

  serializeCollection({ token, nfts }: CollectionRow): SerializedItem {
    const values = nfts.map(({ value }) => value);
    const amount = values.reduce((sum, value) => (sum === null || value === null ? null : sum + value), 0n);
    return {
      amount: toStringOrNull(amount),
      token: this.serializeToken(token),
      token_instances: nfts.slice(0, COLLECTION_PREVIEW_SIZE).map((nft) => ({ ...this.serializeNft(nft), token: null })),
    };
  }

  #createMedia(content: NftContent): SerializedItem {
    const [category = null] = /image|video|html/.exec(content.media_type ?? "") ?? [];
    const getCategory = (url: string | null) => (url ? category : null);
    return {
      ...content,
      ...this.membersSince(12, {
        image_media_type: getCategory(content.image_url),
        animation_media_type: getCategory(content.animation_url),
      }),
    };
  }

  serializeLog(row: LogRow): SerializedItem {
    const { topics, data, decoded } = getLogContent(this.chain, row);
    return {
      address: this.serializeAddress(row.emitter),
      block_hash: this.chain.getBlockHash(row.block_number),
      block_number: row.block_number,
      ...this.membersSince(10, { block_timestamp: this.createTimestamp(row.block_number) }),
      data,
      decoded: decoded && { ...decoded, ...this.membersSince(12, { abi: createAbi(decoded) }) },
      index: row.index,
      smart_contract: this.#serializeAddressOrNull(row.calledContract),
      topics,
      transaction_hash: this.#getTransactionHash(row),
    };
  }

  serializeInternalTransaction(row: InternalTransactionRow): SerializedItem {
    return {
      ...this.membersBefore(11, { block_index: row.transaction_index * 100 + row.index }),
      block_number: row.block_number,
      created_contract: this.#serializeAddressOrNull(row.created_contract),
      error: row.error,
      from: this.serializeAddress(row.from),
      gas_limit: String(row.gas_limit),
      index: row.index,
      success: row.error === null,
      timestamp: this.createTimestamp(row.block_number),
      to: this.#serializeAddressOrNull(row.to),
      transaction_hash: this.#getTransactionHash(row),
      transaction_index: row.transaction_index,
      type: row.type,
      value: String(row.value),
    };
  }

  serializeBalanceChange(row: BalanceChangeRow): SerializedItem {
    return {
      block_number: row.block_number,
      block_timestamp: `${this.chain.getTimestamp(row.block_number)}Z`,
      delta: String(row.delta),
      transaction_hash:
        row.transaction_index === null ? null : this.chain.getTransactionHash(row.block_number, row.transaction_index),
      value: String(row.value),
    };
  }

  /** A list of the whole chain always has the receiver. */
  serializeWithdrawal(row: WithdrawalRow, isChainWide = false): SerializedItem {
    return {
      amount: String(row.amount),
      block_number: row.block_number,
      index: row.index,
      ...(row.hasReceiver || isChainWide ? { receiver: this.serializeAddress(row.account) } : {}),
      timestamp: this.createTimestamp(row.block_number),
      // Builder indices exist from version 12 on and exceed 32 bits.
      validator_index: row.validator_index + (row.isFromBuilder && this.#version >= 12 ? BUILDER_INDEX_OFFSET : 0),
    };
  }

  createTimestamp(block: number): string {
    return `${this.chain.getTimestamp(block)}.000000Z`;
  }

  #getTransactionHash({ block_number, transaction_index }: TransactionPosition): string {
    return this.chain.getTransactionHash(block_number, transaction_index);
  }
}

function toStringOrNull(value: bigint | null): string | null {
  return value === null ? null : String(value);
}

/** The ABI entry of a decoded event. */
function createAbi({ method_call, parameters }: DecodedLog): SerializedItem {
  const name = method_call.slice(0, method_call.indexOf("("));
  return {
    anonymous: false,
    inputs: parameters.map(({ name, type, indexed }) => ({ indexed, name, type })),
    name,
    type: "event",
  };
}
