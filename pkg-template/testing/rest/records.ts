// The responses of the REST API that are not pages of a list. Each is one entry, by path.

import { toChecksumAddress } from "../ledger/accounts.js";
import { COIN_PRICE, getHistoricCoinPrice } from "../ledger/context.js";
import { getCreation, type TransactionEntry } from "../ledger/transactions.js";
import { createFixedError } from "../responses.js";
import { countRows, serializeRows } from "./list.js";
import { instances, REST_LISTS, serializeInstance, serializeUserOperation, tokenHolders, userOperations } from "./lists.js";
import type { Cursor } from "./order.js";
import * as is from "./parameters.js";
import { findResults, MIN_SEARCH_LENGTH } from "./search.js";
import type { Item, RestSerializer } from "./serializer.js";
import { serializeBlock, serializeTransactionDetails } from "./transaction-serializer.js";

export interface RestRecord {
  /** The backend versions that have the path. Default: all. */
  readonly versions?: readonly [first: number, last: number];
  readonly filters?: is.Parsers;
  /** Creates the response. `hash` is the hash in the path, or "". */
  serialize(s: RestSerializer, hash: string, details: RecordDetails): unknown;
}

interface RecordDetails {
  readonly query: Cursor;
  readonly instance: bigint | undefined;
  readonly versionName: string | null;
}

/** Counters of the tabs stop here, which means "more than 50". */
const MAX_TAB_COUNT = 51;
const MAX_QUICK_RESULTS = 50;
const HISTORY_DAYS = 10;
const CHART_DAYS = 30;
const BLOCKS_PER_DAY = 7200;
const COIN_SUPPLY = 120_712_345;
const OWNER_PARAMETER = { internalType: "address", name: "owner", type: "address" };
const OWNER_ARGUMENT = "00000000000000000000000000000000219ab540356cbb839cbe05303d7705fa";
/** The share of the unverified contracts that have the bytecode of a verified one. */
const TWIN_SHARE = 0.5;

function require<Value>(value: Value | undefined): Value {
  if (value === undefined) throw createFixedError("missingRecord");
  return value;
}

const findList = (name: string, hash: string) => ({
  list: require(REST_LISTS.get(`/addresses/{hash}/${name}`)),
  hash,
  query: {},
});
const count = (s: RestSerializer, name: string, hash: string) => countRows(findList(name, hash), s);
const sumGas = (entries: readonly TransactionEntry[]) =>
  String(entries.reduce((sum, { content }) => sum + (content.gasUsed ?? 0n), 0n));

function serializeAddressInfo(s: RestSerializer, hash: string): Item {
  const { chain } = s;
  const token = chain.accounts.getToken(hash);
  // As in the service, a request makes it fetch a stale balance.
  const { balance, isKnown } = chain.balances.request(hash);
  const newestChange = chain.tables.history.getBalanceChanges(hash).rows.at(-1);
  const balanceBlock = newestChange?.block_number ?? chain.head - chain.createRandom("balance block", hash).nextInt(50_000);
  const creation = getCreation(chain, hash);
  return {
    ...s.serializeAddress(hash),
    block_number_balance_updated_at: isKnown && balance !== null ? balanceBlock : null,
    coin_balance: isKnown && balance !== null ? String(balance) : null,
    creation_transaction_hash: creation && s.getHash(creation),
    creator_address_hash: creation && s.serializeAddress(creation.from).hash,
    exchange_rate: COIN_PRICE,
    has_beacon_chain_withdrawals: count(s, "withdrawals", hash) > 0,
    has_logs: count(s, "logs", hash) > 0,
    has_token_transfers: count(s, "token-transfers", hash) > 0,
    has_tokens: count(s, "tokens", hash) > 0,
    has_validated_blocks: count(s, "blocks-validated", hash) > 0,
    is_verified: chain.accounts.getProfile(hash).isVerified,
    token: token ? s.serializeToken(token) : null,
    watchlist_address_id: null,
    ...s.membersSince(9, { creation_status: creation && "success" }),
  };
}

function serializeTabsCounters(s: RestSerializer, hash: string): Item {
  const countUpTo = (name: string) => Math.min(MAX_TAB_COUNT, count(s, name, hash));
  return {
    internal_transactions_count: countUpTo("internal-transactions"),
    logs_count: countUpTo("logs"),
    token_balances_count: countUpTo("tokens"),
    token_transfers_count: countUpTo("token-transfers"),
    transactions_count: countUpTo("transactions"),
    validations_count: countUpTo("blocks-validated"),
    withdrawals_count: countUpTo("withdrawals"),
    ...s.membersSince(9, { beacon_deposits_count: countUpTo("beacon/deposits") }),
    // Version 12 has it only on Celo.
    ...(s.version === 9 || s.version === 11 ? { celo_election_rewards_count: countUpTo("celo/election-rewards") } : {}),
  };
}

/** The balance at the end of each day with a change, and the current one. */
function serializeDailyBalances({ chain, version }: RestSerializer, hash: string): unknown {
  const { head, tables } = chain;
  const getDate = (block: number) => chain.getTimestamp(block).slice(0, 10);
  const recent = tables.history
    .getBalanceChanges(hash)
    .rows.filter((row) => row.block_number > head - HISTORY_DAYS * BLOCKS_PER_DAY);
  const { balance, isKnown } = chain.balances.peek(hash);
  const days = new Map(recent.map(({ block_number, value }) => [getDate(block_number), value]));
  if (isKnown && balance !== null) days.set(getDate(head), balance);
  const items = [...days].map(([date, value]) => ({ date, value: String(value) }));
  return version === 8 ? items : { days: HISTORY_DAYS, items };
}

function serializeStats({ chain, version }: RestSerializer): Item {
  const today = chain.getTimestamp(chain.head).slice(0, 10);
  const mined = chain.tables.entries.rows.filter(({ block_number }) => block_number !== null);
  const firstBlock = chain.getBlockAtTime(Date.parse(today) / 1000);
  const minedToday = mined.filter(({ block_number }) => block_number !== null && block_number >= firstBlock);
  return {
    average_block_time: 12_000,
    coin_image: null,
    coin_price: COIN_PRICE,
    coin_price_change_percentage: -1.25,
    gas_price_updated_at: `${chain.getTimestamp(chain.head)}.000000Z`,
    gas_prices: version === 8 ? { slow: 0.9, average: 1.2, fast: 2.1 } : createGasPrices(chain.getBaseFee(chain.head)),
    gas_prices_update_in: 11_000,
    gas_used_today: sumGas(minedToday),
    market_cap: `${BigInt(COIN_SUPPLY) * BigInt(COIN_PRICE.replace(".", ""))}`.replace(/(..)$/, ".$1"),
    network_utilization_percentage: 51.2,
    secondary_coin_image: null,
    secondary_coin_price: null,
    static_gas_price: null,
    total_addresses: String(chain.balances.getListedHashes().length),
    total_blocks: String(chain.head + 1),
    total_gas_used: "0",
    total_transactions: String(mined.length),
    transactions_today: String(minedToday.length),
    tvl: null,
  };
}

/** Gas prices in gwei, with their parts. */
function createGasPrices(baseFee: number): Item {
  const createPrice = (priorityFee: number, time: number) => ({
    base_fee: baseFee / 1e9,
    fiat_price: ((((baseFee + priorityFee) * 21_000) / 1e18) * Number(COIN_PRICE)).toFixed(2),
    price: (baseFee + priorityFee) / 1e9,
    priority_fee: priorityFee / 1e9,
    priority_fee_wei: String(priorityFee),
    time,
    wei: String(baseFee + priorityFee),
  });
  return {
    slow: createPrice(10_000_000, 36_000),
    average: createPrice(100_000_000, 12_000.5),
    fast: createPrice(900_000_000, 12_000),
  };
}

function serializeMarketChart({ chain, version }: RestSerializer): Item {
  const chart_data = Array.from({ length: CHART_DAYS + 1 }, (_, age) => {
    const block = chain.head - age * BLOCKS_PER_DAY;
    const closing_price = age === 0 ? COIN_PRICE : getHistoricCoinPrice(chain, block);
    const market_cap = (Number(closing_price) * COIN_SUPPLY).toFixed(2);
    return { closing_price, date: chain.getTimestamp(block).slice(0, 10), market_cap, tvl: null };
  });
  return { available_supply: version === 8 ? COIN_SUPPLY : String(COIN_SUPPLY), chart_data };
}

/** Describes a transaction by its first transfer, or by the coins that it moves. */
function serializeSummary(s: RestSerializer, hash: string): Item {
  const entry = require(s.chain.findTransaction(hash));
  const [transfer] = s.chain.getTransfersOf(entry.block_number, entry.index);
  const to = transfer?.to ?? entry.row.to;
  if (to === null || (transfer === undefined && entry.value === 0n)) return { success: true, data: { summaries: [] } };
  const amount = transfer ? transfer.amount : entry.value;
  const decimals = Number(transfer ? (transfer.token.decimals ?? 0) : 18);
  const summary = {
    summary_template: `{action_type} {amount} ${transfer ? "{token}" : "{native}"} to {to}`,
    summary_template_variables: {
      action_type: { type: "string", value: "Transfer" },
      amount: { type: "currency", value: formatWhole(amount ?? 1n, decimals) },
      ...(transfer ? { token: { type: "token", value: s.serializeToken(transfer.token) } } : {}),
      to: { type: "address", value: s.serializeAddress(to) },
    },
  };
  return { success: true, data: { summaries: [summary] } };
}

function formatWhole(amount: bigint, decimals: number): string {
  const digits = String(amount).padStart(decimals + 1, "0");
  const split = digits.length - decimals;
  return `${digits.slice(0, split)}.${digits.slice(split)}`.replace(/\.?0*$/, "");
}

function serializeOperationDetails(s: RestSerializer, hash: string): Item {
  const row = require(userOperations(s.chain).rows.find((operation) => operation.hash === hash));
  const { address: sender, ...operation } = serializeUserOperation(row, s);
  return {
    ...operation,
    sender,
    aggregator: null,
    aggregator_signature: null,
    block_hash: s.chain.getBlockHash(row.block_number),
    bundle_index: 0,
    bundler: s.serializeAddress(row.bundler),
    call_data: row.callData,
    call_gas_limit: String(row.gasUsed),
    consensus: true,
    decoded_call_data: null,
    decoded_execute_call_data: null,
    execute_call_data: null,
    execute_target: null,
    factory: null,
    gas: String(row.gasUsed * 2n),
    gas_price: String(row.fee / (row.gasUsed || 1n)),
    gas_used: String(row.gasUsed),
    index: 0,
    max_fee_per_gas: "2000000000",
    max_priority_fee_per_gas: "100000000",
    nonce: `0x${row.page_token.replace(",", "").padStart(64, "0")}`,
    paymaster: null,
    pre_verification_gas: "50000",
    raw: { sender, call_data: row.callData },
    revert_reason: null,
    signature: s.chain.createRandom("signature", hash).nextHex(65),
    sponsor_type: "wallet_balance",
    user_logs_count: 0,
    user_logs_start_index: 0,
    verification_gas_limit: "80000",
  };
}

function serializeContract(s: RestSerializer, hash: string): Item {
  const { accounts } = s.chain;
  const profile = accounts.getProfile(hash);
  if (!profile.isContract) throw createFixedError("missingRecord");
  // An unverified contract can be the twin of a verified one, whose source code is shown.
  const hasTwin = !profile.isVerified && !profile.proxyType && s.chain.createRandom("twin", hash).nextBoolean(TWIN_SHARE);
  const verified = profile.isVerified ? hash : hasTwin ? accounts.sampleHashes.settlement : undefined;
  const { implementations, proxy_type } = s.serializeAddress(hash);
  return {
    ...(verified === undefined ? {} : serializeSource(s, hash, verified)),
    creation_bytecode: profile.proxyType === "eip7702" ? null : s.chain.createRandom("creation bytecode", hash).nextHex(64),
    ...s.membersSince(9, { conflicting_implementations: null, creation_status: "success" }),
    ...s.membersBefore(9, { is_self_destructed: false }),
    deployed_bytecode: s.chain.createRandom("bytecode", verified ?? hash).nextHex(48),
    implementations,
    proxy_type,
  };
}

function serializeSource(s: RestSerializer, hash: string, verified: string): Item {
  const { accounts, head } = s.chain;
  const { name } = accounts.getProfile(verified);
  const isVerified = hash === verified;
  const identifier = name?.replace(/\W/g, "") || "Unnamed";
  const address_hash = toChecksumAddress(s.chain.createRandom("library", verified).nextHex(20));
  return {
    abi: createAbi(accounts.getToken(verified) !== undefined),
    additional_sources: [{ file_path: "contracts/Owned.sol", source_code: "contract Owned { address public owner; }\n" }],
    certified: false,
    compiler_settings: { optimizer: { enabled: true, runs: 200 } },
    compiler_version: "v0.8.24+commit.e11b9ed9",
    constructor_args: s.version >= 12 ? `0x${OWNER_ARGUMENT}` : OWNER_ARGUMENT,
    decoded_constructor_args: [[`0x${OWNER_ARGUMENT.slice(24)}`, { name: "owner", type: "address" }]],
    evm_version: "cancun",
    external_libraries: [{ name: "SafeMath", address_hash }],
    file_path: `contracts/${identifier}.sol`,
    is_blueprint: false,
    is_changed_bytecode: false,
    is_fully_verified: isVerified,
    is_partially_verified: isVerified,
    is_verified: isVerified,
    is_verified_via_eth_bytecode_db: false,
    is_verified_via_sourcify: false,
    ...s.membersSince(9, { is_verified_via_verifier_alliance: false, language: "solidity" }),
    ...s.membersBefore(9, { is_vyper_contract: false }),
    can_be_visualized_via_sol2uml: false,
    license_type: "mit",
    name,
    optimization_enabled: true,
    optimization_runs: 200,
    source_code: `// ${name}\npragma solidity ^0.8.24;\n\nimport "./Owned.sol";\n\ncontract ${identifier} is Owned {}\n`,
    sourcify_repo_url: null,
    verified_at: isVerified ? s.serializeTime(head - 100_000) : null,
    verified_twin_address_hash: isVerified ? null : toChecksumAddress(verified),
  };
}

function createAbi(isToken: boolean): Item[] {
  const outputs = [{ internalType: "uint256", name: "", type: "uint256" }];
  const view = { stateMutability: "view", type: "function" };
  const nameParameter = (name: string) => ({ ...OWNER_PARAMETER, name });
  const common = [
    { inputs: [OWNER_PARAMETER], stateMutability: "nonpayable", type: "constructor" },
    { inputs: [], name: "owner", outputs: [nameParameter("")], ...view },
  ];
  if (!isToken) return common;
  return [
    ...common,
    { inputs: [nameParameter("account")], name: "balanceOf", outputs, ...view },
    { inputs: [OWNER_PARAMETER, nameParameter("spender")], name: "allowance", outputs, ...view },
  ];
}

function createRedirect(s: RestSerializer, q = ""): Item {
  const hash = q.trim().toLowerCase();
  // A well-formed address always has a page.
  if (/^0x[\da-f]{40}$/.test(hash)) return { redirect: true, type: "address", parameter: toChecksumAddress(hash) };
  const { type, transaction_hash, block_hash, address_hash, ens_info } = findResults(s, q)[0] ?? {};
  if (type === "transaction") return { redirect: true, type, parameter: transaction_hash };
  if (type === "block") return { redirect: true, type, parameter: block_hash };
  const isName = type === "ens_domain" && (ens_info as { readonly name: string }).name === hash;
  return isName ? { redirect: true, type: "address", parameter: address_hash } : { redirect: false, type: null, parameter: null };
}

export const REST_RECORDS: ReadonlyMap<string, RestRecord> = new Map<string, RestRecord>(
  Object.entries({
    "/addresses/{hash}": { serialize: serializeAddressInfo },
    "/addresses/{hash}/counters": {
      serialize: (s, hash) => ({
        gas_usage_count: sumGas(
          s.chain.tables
            .getTablesFor(hash)
            .entries.rows.filter(({ row }) => row.from === hash || row.to === hash || row.createdContract === hash),
        ),
        token_transfers_count: String(count(s, "token-transfers", hash)),
        transactions_count: String(count(s, "transactions", hash)),
        validations_count: String(count(s, "blocks-validated", hash)),
      }),
    },
    "/addresses/{hash}/tabs-counters": { serialize: serializeTabsCounters },
    "/addresses/{hash}/token-balances": {
      serialize: (s, hash) => serializeRows(findList("tokens", hash), s).map((item) => ({ ...item, token_instance: null })),
    },
    "/addresses/{hash}/coin-balance-history-by-day": { serialize: serializeDailyBalances },
    "/smart-contracts/{hash}": { serialize: serializeContract },
    "/transactions/{hash}": { serialize: (s, hash) => serializeTransactionDetails(require(s.chain.findTransaction(hash)), s) },
    "/transactions/{hash}/summary": { serialize: serializeSummary },
    "/blocks/{hash}": { serialize: (s, id) => serializeBlock(require(s.chain.findBlock(id)), s) },
    "/tokens/{hash}": { serialize: (s, hash) => s.serializeToken(require(s.chain.accounts.getToken(hash))) },
    "/tokens/{hash}/counters": {
      serialize({ chain }, hash) {
        const token = require(chain.accounts.getToken(hash));
        const count = (rows: readonly { readonly token: unknown }[]) => String(rows.filter((row) => row.token === token).length);
        const { mergedTransfers } = chain.tables;
        return { token_holders_count: count(tokenHolders(chain).rows), transfers_count: count(mergedTransfers.rows) };
      },
    },
    "/tokens/{hash}/instances/{id}": {
      serialize(s, hash, { instance }) {
        const row = instances(s.chain).rows.find(({ token, unique_token }) => token.hash === hash && unique_token === instance);
        return serializeInstance(require(row), s, true);
      },
    },
    "/proxy/account-abstraction/operations/{hash}": { serialize: serializeOperationDetails },
    "/search/quick": {
      filters: { q: is.anyString },
      serialize: (s, _, { query: { q } }) =>
        q !== undefined && q.length < MIN_SEARCH_LENGTH ? [] : findResults(s, q).slice(0, MAX_QUICK_RESULTS),
    },
    "/search/check-redirect": { filters: { q: is.anyString }, serialize: (s, _, { query }) => createRedirect(s, query.q) },
    "/stats": { serialize: serializeStats },
    "/stats/charts/market": { serialize: serializeMarketChart },
    "/main-page/indexing-status": {
      serialize: ({ version, chain: { tracedShare } }) => ({
        finished_indexing: tracedShare === 1,
        finished_indexing_blocks: true,
        // Version 8 sends strings.
        indexed_blocks_ratio: version === 8 ? "1.00" : 1,
        indexed_internal_transactions_ratio: version === 8 ? tracedShare.toFixed(2) : tracedShare,
      }),
    },
    "/config/backend-version": { serialize: (_, __, { versionName }) => ({ backend_version: versionName }) },
    "/config/backend": {
      versions: [11, 99],
      serialize: ({ chain: { chainType } }) => ({ chain_type: chainType, openapi_spec_folder_name: chainType }),
    },
  } satisfies Record<string, RestRecord>),
);
