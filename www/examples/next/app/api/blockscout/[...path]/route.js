// The proxy: it adds the API key, which stays on the server.
import { createProxy } from "address-query/proxy";

const proxy = createProxy({
  apiKey: () => process.env.BLOCKSCOUT_API_KEY,
  chains: [1],
  basePath: "/api/blockscout",
});

export { proxy as GET, proxy as POST };
