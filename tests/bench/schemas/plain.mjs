import { isFree, pattern } from "./derive.mjs";

/** The source of a module with a function per record that checks it as one would by hand, without any library. */
export function plainChecks(records) {
  const test = ({ kind, format, nullable, record, element }, value) => {
    switch (kind) {
      case "text":
        return `typeof ${value} === "string"` + (isFree(format) ? "" : ` && /${pattern(format, nullable)}/.test(${value})`);
      case "integer":
        return `Number.isSafeInteger(${value})`;
      case "boolean":
        return `typeof ${value} === "boolean"`;
      case "json":
        return "true";
      case "object":
        return `typeof ${value} === "object" && !Array.isArray(${value})`;
      case "record":
        return `is${record}(${value})`;
      case "list":
        return `Array.isArray(${value}) && ${value}.every((e) => ${element.nullable ? "e === null || " : ""}${test(element, "e")})`;
    }
  };
  const field = ([name, slot]) => {
    const value = `o[${JSON.stringify(name)}]`;
    return slot.nullable || slot.kind === "list" ? `(${value} == null || (${test(slot, value)}))` : `(${test(slot, value)})`;
  };
  const check = ([name, fields]) =>
    `export function is${name}(o) {\n  return ${["typeof o === \"object\"", "o !== null", ...fields.map(field)].join(" &&\n    ")};\n}\n`;
  return Object.entries(records).map(check).join("\n");
}
