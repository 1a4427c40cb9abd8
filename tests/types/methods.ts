// Every method of the package, with what it needs and what it gives. The methods are those of its endpoints.d.ts: one that is
// missing here, or is not there any more, does not compile.
import type {
  Account, AccountActions, AccountInternalTransaction, AccountTransaction, ActionOptions, AddressListItem, Addresses, Balance,
  BalancesOptions, CoinBalanceChange, Endpoints, Erc1155Transfer, Erc20Transfer, Erc404Transfer, Erc721Transfer, Hex,
  InternalTransaction, InternalTransactions, ItemsOnly, ListCall, ListOptions, Log, MinedBlock, NftInstance, PendingTransaction,
  RangeCall, RangeOptions, Rows, TokenHolding, TokenTransfer, Withdrawal,
} from "address-query";

/** Compiles only where both types are the same. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const same = <A, B>(_: Same<A, B>): void => {};

/** The members that must be given. */
type Needed<T> = { [Key in keyof T]-?: undefined extends T[Key] ? never : Key }[keyof T];
/** The members that are named, with their types. */
type Named<T> = { [Key in keyof T as string extends Key ? never : Key]: T[Key] };
/** What a method needs, its options, and what it gives. */
type Facts<M> = M extends (params: infer P, options?: infer O) => infer R ? [Needed<NonNullable<P>>, NonNullable<O>, R] : never;

interface Lists {
  addresses: [never, AddressListItem, { fetched_coin_balance: string; hash: string; transactions_count: number | null; items_count?: number }, Addresses];
  addressNft: ["address_hash", NftInstance, { token_contract_address_hash: string; token_id: string; token_type: string; items_count?: number }, ItemsOnly];
  addressLogs: ["address_hash", Log, { block_number: number; index: number; items_count?: number }, ItemsOnly];
  tokenTransfers: [never, TokenTransfer, { block_number?: number; index?: number }, ItemsOnly];
  addressCoinBalanceHistory: ["address_hash", CoinBalanceChange, { block_number: number; items_count?: number }, ItemsOnly];
  addressInternalTransactions: [
    "address_hash", InternalTransaction, { block_number: number; index: number; transaction_index: number; items_count?: number }, InternalTransactions,
  ];
  addressTokenTransfers: ["address_hash", TokenTransfer, { block_number?: number; index?: number }, ItemsOnly];
  addressWithdrawals: ["address_hash", Withdrawal, { index: number; items_count?: number }, ItemsOnly];
}

/** Of a list: what it needs, its records, its cursor, and what comes beside its records. */
type ListFacts<M> =
  Facts<M> extends [infer Needs, ListOptions, ListCall<infer Item, infer Cursor, infer Envelope>]
    ? [Needs, Item, Named<Cursor>, Envelope]
    : never;
same<{ [Name in keyof Endpoints]: ListFacts<Endpoints[Name]> }, { [Name in keyof Lists]: Lists[Name] }>(true);

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
same<{ -readonly [Name in keyof AccountActions]: Facts<AccountActions[Name]> }, { [Name in keyof Actions]: Actions[Name] }>(true);

interface Ranges {
  txList: ["address", RangeOptions, RangeCall<AccountTransaction>];
  txListInternal: [never, RangeOptions, RangeCall<AccountInternalTransaction>];
  tokenTx: [never, RangeOptions, RangeCall<Erc20Transfer>];
  tokenNftTx: [never, RangeOptions, RangeCall<Erc721Transfer>];
  token1155Tx: [never, RangeOptions, RangeCall<Erc1155Transfer>];
  token404Tx: [never, RangeOptions, RangeCall<Erc404Transfer>];
}
type Ranged = { [Name in keyof AccountActions as AccountActions[Name] extends { all: unknown } ? Name : never]: AccountActions[Name] };
same<{ -readonly [Name in keyof Ranged]: Ranged[Name] extends { all: infer All } ? Facts<All> : never }, { [Name in keyof Ranges]: Ranges[Name] }>(true);
