// Cold start with viem. It has no lists of an address: this reads its balance, which the service has with the format of JSON-RPC.
import { createPublicClient, custom } from "viem";
import { mainnet } from "viem/chains";

export async function readFirst(baseUrl, address) {
  const request = async ({ params: [address] }) => {
    const query = new URLSearchParams({ module: "account", action: "eth_get_balance", address });
    return (await (await fetch(`${baseUrl}/api?${query}`)).json()).result;
  };
  const client = createPublicClient({ chain: mainnet, transport: custom({ request }) });
  return { balance: await client.getBalance({ address }) };
}
