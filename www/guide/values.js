// The values of the names that examples use without declaring them, from the sample service.

/**
 * Returns the values by name. `required` describes the values that required parameters accept, by name (target/generated/guide/values.json):
 * a name without a value below has one that its parameter accepts.
 *
 * @param {import("address-query/testing").SampleService} service
 * @param {Record<string, { hex?: number, hexData?: boolean, integer?: number[], digits?: number, text?: boolean, oneOf?: string[] }>} required
 * @returns {Record<string, any>}
 */
export function createExampleValues(service, required) {
  const [first, second] = service.addresses;
  const busy = service.addresses.find(({ id }) => id === "hub");
  const list = (path) => service.getAllItems(path);
  const [transfer] = list(`/addresses/${first.hash}/token-transfers`);
  // The newest ones are pending, without a block and a time.
  const transaction = list(`/addresses/${first.hash}/transactions`).find(({ timestamp }) => timestamp !== null);
  const nft = list(`/addresses/${busy.hash}/nft`).find(({ token_type }) => token_type === "ERC-1155");
  const values = {
    address_hash: first.hash,
    address: first.hash,
    addresses: [first.hash, second.hash],
    transaction_hash: transaction.hash,
    contractaddress: nft.token.address_hash ?? nft.token.address,
    token_id: nft.id,
    user_operation_hash: list("/proxy/account-abstraction/operations")[0].hash,
    timestamp: Math.floor(Date.parse(transaction.timestamp) / 1000),
    transfer,
    fromBlock: 0,
    to: transfer.token.address_hash ?? transfer.token.address,
    // The number of tokens: `totalSupply()`.
    data: "0x18160ddd",
  };
  const byRule = Object.entries(required).map(([name, { hex, integer, digits, oneOf }]) => {
    if (oneOf) return [name, oneOf[0]];
    if (integer) return [name, Math.min(Math.max(transaction.block_number, integer[0]), integer[1])];
    if (hex) return [name, hex === 40 ? first.hash : transaction.hash];
    return [name, digits ? "1" : "usd"];
  });
  return { ...Object.fromEntries(byRule), ...values };
}
