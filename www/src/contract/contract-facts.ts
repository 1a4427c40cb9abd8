// The facts of a contract.
import type { SmartContract } from "address-query";
import { html, nothing, type TemplateResult } from "lit";
import { toSafeLink } from "../format/url.js";
import type { FactGroup } from "../facts/fact-group.js";
import { bothTimes, onlyIf } from "../facts/values.js";
import * as cells from "../table/cells.js";
import type { CellContext } from "../table/context.js";
import { toText } from "./abi.js";

const MAX_IMPLEMENTATIONS = 20;

/**
 * A warning that the source code belongs to another contract with the same bytecode, so that it does not pass for
 * verified.
 */
export function twinNote(contract: SmartContract, context: CellContext): TemplateResult | typeof nothing {
  const { verified_twin_address_hash: twin } = contract;
  if (twin === null) return nothing;
  return html`<p class="twin-note"><strong>Not verified.</strong> It has the same bytecode as ${cells.addressLink(twin, context)}, a verified
    contract. Name, source code, compiler and ABI below belong to that contract.</p>`;
}

function state({ is_verified, is_fully_verified, verified_twin_address_hash, is_changed_bytecode }: SmartContract) {
  if (is_changed_bytecode) return cells.badge("Changed since it was verified", "bad");
  if (verified_twin_address_hash !== null) return cells.badge("Not verified, source of a twin", "warn");
  if (!is_verified) return cells.badge("Not verified", "warn");
  return cells.badge(is_fully_verified ? "Fully verified" : "Partially verified", "good");
}

/** Where the verification comes from. */
const origin = (contract: SmartContract): string => {
  if (contract.is_verified_via_sourcify) return "Sourcify";
  if (contract.is_verified_via_verifier_alliance) return "Verifier Alliance";
  return contract.is_verified_via_eth_bytecode_db ? "Blockscout's database of bytecode" : "this instance";
};

const link = (url: string | null) => {
  const safe = toSafeLink(url);
  return safe ? html`<a href=${safe} target="_blank" rel="noopener noreferrer">Sourcify</a>` : nothing;
};

function proxy({ proxy_type, implementations }: SmartContract, context: CellContext) {
  if (!proxy_type && implementations.length === 0) return [];
  const shown = implementations
    .slice(0, MAX_IMPLEMENTATIONS)
    .map(
      ({ name, address_hash }) =>
        html`<span class="line">${name ? cells.text(name, "name") : nothing}${cells.addressLink(address_hash, context)}</span>`,
    );
  return [
    [
      "Proxy",
      proxy_type ? cells.badge(proxy_type.replace(/^eip(\d+)/, "EIP-$1").replaceAll("_", " "), "accent") : cells.none(),
    ] as const,
    ["Implementations", shown.length > 0 ? html`<span class="lines">${shown}</span>` : cells.none("None")] as const,
  ];
}

const main = (contract: SmartContract, context: CellContext): FactGroup => {
  const isTwin = contract.verified_twin_address_hash !== null;
  const name = contract.name
    ? html`<span class="line">${cells.text(contract.name, "name")}${isTwin ? cells.badge("of the twin", "warn") : nothing}</span>`
    : cells.none("Not verified");
  return {
    title: "Contract",
    facts: [
      ["Name", name],
      [
        "State",
        html`<span class="line">${state(contract)}${contract.certified ? cells.badge("Certified", "good") : nothing}</span>`,
      ],
      ...onlyIf(contract.verified_at, "Verified", (time) => bothTimes(time, context)),
      ...(contract.is_verified ? [["Verified by", html`${origin(contract)} ${link(contract.sourcify_repo_url)}`] as const] : []),
      ...proxy(contract, context),
      ...onlyIf(contract.license_type, "Licence", (licence) => cells.text(licence.replaceAll("_", " "))),
    ],
  };
};

/** The arguments of the constructor: `[value, { name, type }]` each. Untrusted: anything can come in their place. */
function decodedArguments(value: unknown): readonly (readonly [string, unknown])[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((item: unknown) => {
    if (!Array.isArray(item)) return [];
    const [argument, parameter] = item as unknown[];
    const { name, type } = (typeof parameter === "object" && parameter !== null ? parameter : {}) as {
      name?: unknown;
      type?: unknown;
    };
    return [[`${toText(name) || "(no name)"}: ${toText(type) || "unknown type"}`, cells.json(argument)] as const];
  });
}

const compiler = (contract: SmartContract, context: CellContext): FactGroup => ({
  title: "Compiler",
  facts:
    contract.compiler_version === null
      ? []
      : [
          ...onlyIf(contract.language, "Language", (language) => cells.text(language.replaceAll("_", " "))),
          ["Version", cells.text(contract.compiler_version, "mono")],
          ...onlyIf(contract.evm_version, "EVM", (version) => cells.text(version)),
          ...onlyIf(contract.optimization_enabled, "Optimizer", (isOn) =>
            isOn
              ? html`on${contract.optimization_runs === null ? nothing : html`, ${cells.integer(contract.optimization_runs)} runs`}`
              : "off",
          ),
          ...contract.external_libraries.map(
            ({ name, address_hash }) => [`Library ${name ?? ""}`, cells.addressLink(address_hash, context)] as const,
          ),
        ],
});

export const creationFacts = (contract: SmartContract): FactGroup => ({
  title: "Creation and bytecode",
  isWide: true,
  facts: [
    ...decodedArguments(contract.decoded_constructor_args),
    ...onlyIf(contract.constructor_args, "Constructor arguments", (value) => cells.text(value, "mono")),
    ...onlyIf(
      contract.deployed_bytecode,
      "Bytecode",
      (value) => html`<span class="line">${cells.text(value, "mono")}${cells.copyButton(value, "bytecode")}</span>`,
    ),
  ],
});

export const contractFacts = (contract: SmartContract, context: CellContext): readonly FactGroup[] =>
  [main(contract, context), compiler(contract, context)].filter(({ facts }) => facts.length > 0);
