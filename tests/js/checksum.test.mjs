// Checksum addresses, and the option of a client that rejects wrong ones.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { AddressClient, checksumAddress, requireChecksums } from "../../pkg/index.js";
import { BASE, createFetch, expectError, rows } from "./support.mjs";

/** The examples of EIP-55. */
const EXAMPLES = [
  "0x52908400098527886E0F7030069857D2E4169EE7",
  "0x8617E340B3D01FA5F11F306F4090FD50E238070D",
  "0xde709f2102306220921060314715629080e2fb77",
  "0x27b1fdb04752bbc536007a920d24acb045561c26",
  "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
  "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
  "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB",
  "0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb",
];
/** The examples of EIP-1191 for Rootstock and its test network. */
const ROOTSTOCK = {
  30: [
    "0x27b1FdB04752BBc536007A920D24ACB045561c26",
    "0x3599689E6292B81B2D85451025146515070129Bb",
    "0x42712D45473476B98452f434E72461577d686318",
    "0x52908400098527886E0F7030069857D2E4169ee7",
  ],
  31: ["0x27B1FdB04752BbC536007a920D24acB045561C26", "0x3599689e6292b81b2D85451025146515070129Bb"],
};

describe("checksumAddress", () => {
  test("returns the examples of EIP-55 and EIP-1191, whatever the letter case", () => {
    for (const address of EXAMPLES) {
      for (const input of [address, address.toLowerCase(), `0x${address.slice(2).toUpperCase()}`]) {
        assert.equal(checksumAddress(input), address);
        assert.equal(checksumAddress(input, 1), address);
      }
    }
    for (const [chainId, addresses] of Object.entries(ROOTSTOCK))
      for (const address of addresses) assert.equal(checksumAddress(address.toLowerCase(), Number(chainId)), address);
  });

  test("agrees with another implementation on random addresses", () => {
    for (let i = 0; i < 300; i++) {
      const digits = Buffer.from(crypto.getRandomValues(new Uint8Array(20))).toString("hex");
      const hash = Buffer.from(keccak_256(new TextEncoder().encode(digits))).toString("hex");
      const expected = Array.from(digits, (digit, index) => (Number.parseInt(hash[index], 16) > 7 ? digit.toUpperCase() : digit));
      assert.equal(checksumAddress(`0x${digits}`), `0x${expected.join("")}`);
    }
  });

  test("rejects a string that is not an address", () => {
    for (const address of ["", "0x", EXAMPLES[0].slice(0, -1), `${EXAMPLES[0]}0`, EXAMPLES[0].slice(2), null, 5, {}]) {
      assert.throws(() => checksumAddress(address), { code: "invalid_parameter", parameter: "address" });
    }
  });
});

describe("requireChecksums", () => {
  const WRONG = EXAMPLES[4].replace("F3E9", "f3E9");
  const create = (options) => {
    const fetch = createFetch(...Array.from({ length: 9 }, () => rows()));
    return { fetch, client: new AddressClient({ baseUrl: BASE, fetch, checkParams: requireChecksums(), ...options }) };
  };

  test("rejects a wrong checksum before a request, and names the parameter", async () => {
    const { client, fetch } = create();
    const error = await expectError(client.addressLogs({ address_hash: WRONG }), "invalid_parameter", {
      parameter: "address_hash",
    });
    assert.match(error.message, /wrong checksum/);
    await expectError(client.account.balanceMulti({ address: [EXAMPLES[5], WRONG] }), "invalid_parameter", {
      parameter: "address",
    });
    await expectError(client.account.txList.all({ address: WRONG }).toArray({ limit: 1 }), "invalid_parameter", {
      parameter: "address",
    });
    await expectError(client.request(`/api/v2/addresses/${WRONG}/logs`), "invalid_parameter", { parameter: "path" });
    assert.deepEqual(fetch.urls(), []);
  });

  test("accepts a right checksum, a single letter case, and other hashes", async () => {
    const { client, fetch } = create();
    for (const address_hash of [EXAMPLES[4], EXAMPLES[4].toLowerCase(), `0x${EXAMPLES[4].slice(2).toUpperCase()}`])
      await client.addressLogs({ address_hash, topic: `0x${"aB".repeat(32)}` });
    assert.equal(fetch.urls().length, 3);
  });

  test("can be any function, whose errors reject the call", async () => {
    const reason = new Error("not this one");
    const { client, fetch } = create({
      checkParams(params) {
        if (params.address_hash === WRONG) throw reason;
      },
    });
    await assert.rejects(client.addressLogs({ address_hash: WRONG }), reason);
    await client.addressLogs({ address_hash: EXAMPLES[0] });
    assert.equal(fetch.urls().length, 1);
  });

  test("follows the rules of a chain, and is off by default", async () => {
    const [address_hash] = ROOTSTOCK[30];
    await create({ checkParams: requireChecksums(30) }).client.addressLogs({ address_hash });
    await expectError(create().client.addressLogs({ address_hash }), "invalid_parameter");
    await create({ checkParams: undefined }).client.addressLogs({ address_hash: WRONG });
  });
});
