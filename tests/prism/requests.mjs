// The methods of the REST API, and requests with several values of each parameter. Both are derived from the declarations.
import { readFileSync } from "node:fs";

const declarations = readFileSync(new URL("../../pkg/endpoints.d.ts", import.meta.url), "utf8");

/** The address of the Ethereum deposit contract, in both letter cases. */
const ADDRESS = "0x00000000219ab540356cBB839Cbe05303d7705Fa";
const HASH = `0x${"5c".repeat(32)}`;

/** Values of string parameters, by name. */
const STRINGS = {
  address_hash: [ADDRESS, ADDRESS.toLowerCase()],
  ...Object.fromEntries(
    ["holder_address_hash", "sender", "bundler", "paymaster", "factory", "entry_point"].map((name) => [name, [ADDRESS]]),
  ),
  user_operation_hash: [HASH],
  token_id: ["73", `${2n ** 256n - 1n}`],
  q: ["wrapped ether"],
  token: [ADDRESS, ADDRESS.toLowerCase()],
  transaction_hash: [HASH, HASH.toUpperCase().replace("X", "x")],
  topic: [HASH],
  age_from: ["2026-01-01T00:00:00Z"],
  age_to: ["2026-11-01T00:00:00.5Z"],
  amount_from: ["0.5"],
  amount_to: ["1000"],
};

/** Values of parameters that are lists of strings, by name. */
const LISTS = {
  transaction_types: ["COIN_TRANSFER", ["ERC-20", "ERC-721", "CONTRACT_CREATION"]],
  methods: [["0xa9059cbb", "0x23b872dd"]],
  methods_names: ["transfer"],
  ...Object.fromEntries(
    ["from", "to"].flatMap((side) =>
      ["include", "exclude"].map((effect) => [`${side}_address_hashes_to_${effect}`, [[ADDRESS, ADDRESS.toLowerCase()]]]),
    ),
  ),
  token_contract_address_hashes_to_include: [["native", ADDRESS]],
  token_contract_address_hashes_to_exclude: [ADDRESS],
};

/** Values by type, of parameters that are not strings. */
const VALUES = {
  boolean: [true, false],
  number: [23_704_990],
  "number | string": [23_704_990, HASH],
  "TokenStandardFilter | readonly TokenStandardFilter[]": [
    "ERC-20",
    "ERC-721",
    "ERC-1155",
    "ERC-404",
    "ERC-7984",
    ["ERC-721", "ERC-1155"],
    ["ERC-20", "ERC-721", "ERC-1155", "ERC-404", "ERC-7984"],
  ],
  "NftStandardFilter | readonly NftStandardFilter[]": ["ERC-721", "ERC-1155", "ERC-404", ["ERC-721", "ERC-1155", "ERC-404"]],
};

/** Every method: name, path, whether it returns a list, and its parameters, which are `{ name, isRequired, values }`. */
export const METHODS = Array.from(
  declarations.matchAll(/`GET (\/api\/v2\S*)`(?:(?!\*\/)[^])*\*\/\s+(\w+)\(\s*params\??: (\w+)[^)]*\): (\w+)/g),
  ([, path, name, type, result]) => ({ name, path, isList: result === "ListCall", params: readParams(type) }),
);

/** Reads the parameters of a type such as `AddressLogsParams`. */
function readParams(type) {
  const body = new RegExp(`^export interface ${type} \\{\\n([^]*?)^\\}`, "m").exec(declarations)?.[1] ?? "";
  return Array.from(body.matchAll(/^ {2}(\w+)(\??): (.*?)(?: \| undefined)?;$/gm), ([, name, optional, type]) => ({
    name,
    isRequired: optional === "",
    values: listValues(name, type),
  }));
}

/** Lists the values with which a parameter is tested. A parameter of an unknown type is a mistake of this file. */
function listValues(name, type) {
  const strings = { string: STRINGS, "string | readonly string[]": LISTS }[type];
  const values = strings?.[name] ?? VALUES[type] ?? readLiterals(type);
  if (!values?.length) throw new Error(`no values of the parameter ${name}: ${type}`);
  return values;
}

/** Reads the values of a union of strings: `"to" | "from"`. */
function readLiterals(type) {
  return Array.from(type.matchAll(/"([^"]*)"/g), ([, value]) => value);
}

/** Lists the parameters of each request: none but the required ones, each value of each parameter, and all parameters at once. */
export function listRequests({ params }) {
  const required = Object.fromEntries(
    params.filter(({ isRequired }) => isRequired).map(({ name, values: [value] }) => [name, value]),
  );
  const single = params.flatMap(({ name, values }) => values.map((value) => ({ ...required, [name]: value })));
  const all = Object.fromEntries(params.map(({ name, values }) => [name, values.at(-1)]));
  return [required, ...single, all];
}
