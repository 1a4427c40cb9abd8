// Cold start with ethers. It has no lists of the REST API: this reads transactions of the address by the account module.
import { EtherscanProvider, Network } from "ethers";

export async function readFirst(baseUrl, address) {
  class Provider extends EtherscanProvider {
    getBaseUrl = () => baseUrl;
    getUrl = (module, parameters) => `${baseUrl}/api?${new URLSearchParams({ module, ...parameters })}`;
  }
  const params = { action: "txlist", address, sort: "desc", page: 1, offset: 50 };
  return (await new Provider(Network.from(1), "key").fetch("account", params))[0];
}
