// Writes tests/corpus, a small folder of responses for `make conformance`, from the sample service: node tests/corpus.mjs
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { createSampleService } from "../pkg/testing/index.js";

const CORPUS = fileURLToPath(new URL("corpus", import.meta.url));
const BASE_URL = "https://sample.invalid";
const TOKEN_TRANSFERS = ["tokentx", "tokennfttx", "token1155tx", "token404tx"];

rmSync(CORPUS, { recursive: true, force: true });
for (const backendVersion of [8, 11, 12]) {
  const service = createSampleService({ backendVersion, pageSize: 3 });
  const address = findAddress(service, "Busy smart account");
  const restricted = findAddress(service, "Restricted address");
  const deep = findAddress(service, "Exchange hot wallet");
  const write = async (folder, path) => {
    const response = await service.fetch(BASE_URL + path);
    const file = join(CORPUS, folder, `v${backendVersion}.json`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, await response.text());
  };
  const writeAction = (folder, parameters) => write(folder, `/api?${new URLSearchParams({ module: "account", ...parameters })}`);

  for (const list of ["nft", "logs", "coin-balance-history", "internal-transactions", "token-transfers", "withdrawals"]) {
    await write(`rest/address-${list}`, `/api/v2/addresses/${address}/${list}`);
  }
  for (const list of ["addresses", "token-transfers"]) await write(`rest/${list}`, `/api/v2/${list}`);

  await write("rest/backend-version", "/api/v2/config/backend-version");
  await write("rest/indexing-status", "/api/v2/main-page/indexing-status");
  if (backendVersion > 8) await write("rest/backend-config", "/api/v2/config/backend");

  const [contractaddress] = service.getAllRows("tokenlist", { address }).map((holding) => holding.contractAddress);
  const page = { page: 1, offset: 2 };
  await writeAction("rpc/eth_get_balance", { action: "eth_get_balance", address });
  await writeAction("rpc/balance", { action: "balance", address });
  await writeAction("rpc/balancemulti", { action: "balancemulti", address: `${address},${deep}` });
  await writeAction("rpc/tokenbalance", { action: "tokenbalance", address, contractaddress });
  await writeAction("rpc/listaccounts", { action: "listaccounts", ...page });
  for (const action of ["txlist", "txlistinternal", "pendingtxlist", "getminedblocks", ...TOKEN_TRANSFERS]) {
    await writeAction(`rpc/${action}`, { action, address, ...page });
  }

  await write("errors/403", `/api/v2/addresses/${restricted}/logs`);
  await write("errors/422", "/api/v2/addresses/0x12/logs");
  await writeAction("errors/rpc-status0-txlist", { action: "txlist", address: "0x12" });
  await writeAction("errors/rpc-status0-unknown-action", { action: "nosuchaction" });
}

function findAddress({ addresses }, wanted) {
  return addresses.find(({ label }) => label === wanted).hash;
}
