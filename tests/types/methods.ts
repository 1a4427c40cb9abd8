// The required parameters, options and results of methods: of every action, and of the lists that are named here. An action that
// is missing here or in the package's endpoints.d.ts does not compile. A list needs no line: its type is checked as a whole.
import type {
  Account,
  AccountActions,
  AccountInternalTransaction,
  AccountTransaction,
  ActionOptions,
  AddressClient,
  AddressCounters,
  Addresses,
  AddressInfo,
  AddressListItem,
  AddressTabsCounters,
  BackendConfig,
  BackendVersion,
  Balance,
  BalancesOptions,
  Block,
  BlockActions,
  ChainStats,
  ClosestBlock,
  CoinBalanceChange,
  ContractActions,
  ContractCreation,
  DailyCoinBalance,
  DailyCoinBalances,
  Endpoints,
  Erc1155Transfer,
  Erc20Transfer,
  Erc404Transfer,
  Erc721Transfer,
  GraphqlQueries,
  Hex,
  IndexingStatus,
  InstanceInfo,
  InternalTransaction,
  InternalTransactions,
  ItemsOnly,
  JsonValue,
  ListCall,
  ListOptions,
  Log,
  MarketChart,
  MinedBlock,
  NftInstance,
  PendingTransaction,
  RangeCall,
  RangeOptions,
  RequestParams,
  Rows,
  SearchItem,
  SearchRedirect,
  SmartContract,
  Token,
  TokenCounters,
  TokenHolding,
  TokenTransfer,
  Transaction,
  TransactionSummary,
  UserOperationDetails,
  Withdrawal,
} from "address-query";

/** Compiles only if both types are the same. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const assertSame = <A, B>(_: Same<A, B>): void => {};

/** The names of the required members. */
type RequiredNames<T> = { [Key in keyof T]-?: undefined extends T[Key] ? never : Key }[keyof T];
/** The members of a type, without its index signature. */
type WithoutIndex<T> = { [Key in keyof T as string extends Key ? never : Key]: T[Key] };
/** The parameters without a page of rows, which has two required members or none. */
type WithoutPage<P> = P extends { page: number } ? never : P;
/** The required parameters, options and result of a method. */
type Signature<M> = M extends (params: infer P, options?: infer O) => infer R
  ? [RequiredNames<WithoutPage<NonNullable<P>>>, NonNullable<O>, R]
  : never;

interface Lists {
  addresses: [
    never,
    AddressListItem,
    { fetched_coin_balance: string; hash: string; transactions_count: number | null; items_count?: number },
    Addresses,
  ];
  addressNft: [
    "address_hash",
    NftInstance,
    { token_contract_address_hash: string; token_id: string; token_type: string; items_count?: number },
    ItemsOnly,
  ];
  addressLogs: ["address_hash", Log, { block_number: number; index: number; items_count?: number }, ItemsOnly];
  tokenTransfers: [never, TokenTransfer, { block_number?: number; index?: number }, ItemsOnly];
  addressCoinBalanceHistory: ["address_hash", CoinBalanceChange, { block_number: number; items_count?: number }, ItemsOnly];
  addressInternalTransactions: [
    "address_hash",
    InternalTransaction,
    { block_number: number; index: number; transaction_index: number; items_count?: number },
    InternalTransactions,
  ];
  addressTokenTransfers: ["address_hash", TokenTransfer, { block_number?: number; index?: number }, ItemsOnly];
  addressWithdrawals: ["address_hash", Withdrawal, { index: number; items_count?: number }, ItemsOnly];
  addressCoinBalanceHistoryByDay: ["address_hash", DailyCoinBalance, never, DailyCoinBalances];
  searchQuick: ["q", SearchItem, never, ItemsOnly];
  search: ["q", SearchItem, { next_page_params_type?: string }, ItemsOnly];
}

/** The required parameters, records, cursor and envelope of a list method. */
type ListSignature<M> =
  Signature<M> extends [infer Names, ListOptions, ListCall<infer Item, infer Cursor, infer Envelope>]
    ? [Names, Item, WithoutIndex<Cursor>, Envelope]
    : never;
assertSame<{ [Name in keyof Lists]: ListSignature<Endpoints[Name]> }, { [Name in keyof Lists]: Lists[Name] }>(true);

/** The names of methods that are not lists: lookups. */
type Malformed = { [Name in keyof Endpoints]: [ListSignature<Endpoints[Name]>] extends [never] ? Name : never }[keyof Endpoints];
assertSame<Malformed, keyof Lookups | keyof LookupsWithoutParams>(true);

interface Lookups {
  address: ["address_hash", ActionOptions, Promise<AddressInfo>];
  addressCounters: ["address_hash", ActionOptions, Promise<AddressCounters>];
  addressTabsCounters: ["address_hash", ActionOptions, Promise<AddressTabsCounters>];
  transaction: ["transaction_hash", ActionOptions, Promise<Transaction>];
  searchRedirect: ["q", ActionOptions, Promise<SearchRedirect>];
  smartContract: ["address_hash", ActionOptions, Promise<SmartContract>];
  transactionSummary: ["transaction_hash", ActionOptions, Promise<TransactionSummary>];
  token: ["address_hash", ActionOptions, Promise<Token>];
  tokenCounters: ["address_hash", ActionOptions, Promise<TokenCounters>];
  tokenInstance: ["address_hash" | "token_id", ActionOptions, Promise<NftInstance>];
  blockDetails: ["block_hash_or_number", ActionOptions, Promise<Block>];
  userOperation: ["user_operation_hash", ActionOptions, Promise<UserOperationDetails>];
}
assertSame<{ [Name in keyof Lookups]: Signature<Endpoints[Name]> }, Lookups>(true);

interface LookupsWithoutParams {
  stats: Promise<ChainStats>;
  marketChart: Promise<MarketChart>;
  backendVersion: Promise<BackendVersion>;
  indexingStatus: Promise<IndexingStatus>;
  backendConfig: Promise<BackendConfig>;
}
assertSame<{ [Name in keyof LookupsWithoutParams]: ReturnType<Endpoints[Name]> }, LookupsWithoutParams>(true);
assertSame<AddressClient["instance"], (options?: ActionOptions) => Promise<InstanceInfo>>(true);
assertSame<Signature<BlockActions["getBlockNoByTime"]>, ["timestamp" | "closest", ActionOptions, Promise<ClosestBlock>]>(true);
assertSame<
  Signature<ContractActions["getContractCreation"]>,
  ["contractaddresses", ActionOptions, Promise<Rows<ContractCreation>>]
>(true);
assertSame<AddressClient["request"], (path: string, params?: RequestParams, options?: ActionOptions) => Promise<JsonValue>>(true);

interface Actions {
  ethGetBalance: ["address", ActionOptions, Promise<Hex>];
  balance: ["address", ActionOptions, Promise<string | null>];
  balanceMulti: ["address", BalancesOptions, Promise<Balance[]>];
  pendingTxList: ["address", ActionOptions, Promise<Rows<PendingTransaction>>];
  txList: ["address", ActionOptions, Promise<Rows<AccountTransaction>>];
  txListInternal: [never, ActionOptions, Promise<Rows<AccountInternalTransaction>>];
  tokenBalance: ["contractaddress" | "address", ActionOptions, Promise<string | null>];
  tokenList: ["address", ActionOptions, Promise<Rows<TokenHolding>>];
  getMinedBlocks: ["address", ActionOptions, Promise<Rows<MinedBlock>>];
  listAccounts: [never, ActionOptions, Promise<Rows<Account>>];
  tokenTx: [never, ActionOptions, Promise<Rows<Erc20Transfer>>];
  tokenNftTx: [never, ActionOptions, Promise<Rows<Erc721Transfer>>];
  token1155Tx: [never, ActionOptions, Promise<Rows<Erc1155Transfer>>];
  token404Tx: [never, ActionOptions, Promise<Rows<Erc404Transfer>>];
}
assertSame<
  { -readonly [Name in keyof AccountActions]: Signature<AccountActions[Name]> },
  { [Name in keyof Actions]: Actions[Name] }
>(true);

interface Queries {
  balance: ["address", ActionOptions, Promise<string | null>];
  balanceMulti: ["address", ActionOptions, Promise<Balance[]>];
}
interface QueryLists {
  txList: ["address", AccountTransaction, { after: string }, ItemsOnly];
  tokenTx: [never, Erc20Transfer, { after: string }, ItemsOnly];
  txListInternal: ["txhash", AccountInternalTransaction, { after: string }, ItemsOnly];
}
assertSame<{ [Name in keyof Queries]: Signature<GraphqlQueries[Name]> }, Queries>(true);
assertSame<keyof GraphqlQueries, keyof Queries | keyof QueryLists>(true);
assertSame<{ [Name in keyof QueryLists]: ListSignature<GraphqlQueries[Name]> }, { [Name in keyof QueryLists]: QueryLists[Name] }>(
  true,
);

interface Ranges {
  txList: ["address", RangeOptions, RangeCall<AccountTransaction>];
  txListInternal: [never, RangeOptions, RangeCall<AccountInternalTransaction>];
  tokenTx: [never, RangeOptions, RangeCall<Erc20Transfer>];
  tokenNftTx: [never, RangeOptions, RangeCall<Erc721Transfer>];
  token1155Tx: [never, RangeOptions, RangeCall<Erc1155Transfer>];
  token404Tx: [never, RangeOptions, RangeCall<Erc404Transfer>];
}
type Ranged = {
  [Name in keyof AccountActions as AccountActions[Name] extends { all: unknown } ? Name : never]: AccountActions[Name];
};
assertSame<
  { -readonly [Name in keyof Ranged]: Ranged[Name] extends { all: infer All } ? Signature<All> : never },
  { [Name in keyof Ranges]: Ranges[Name] }
>(true);
