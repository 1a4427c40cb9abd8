// Generates validation code as one would write it by hand, without a library.
import { getPattern, isFreeForm } from "./derive.mjs";

/** Creates the source of a module with a function `is<Record>` per record. */
export function createHandWrittenChecks(records) {
  const createTest = ({ kind, format, nullable, record, element }, value) => {
    switch (kind) {
      case "string":
        return (
          `typeof ${value} === "string"` + (isFreeForm(format) ? "" : ` && /${getPattern(format, nullable)}/.test(${value})`)
        );
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
        return `Array.isArray(${value}) && ${value}.every((e) => ${element.nullable ? "e === null || " : ""}${createTest(element, "e")})`;
    }
  };
  const createFieldTest = ([name, slot]) => {
    const value = `o[${JSON.stringify(name)}]`;
    return slot.nullable || slot.kind === "list"
      ? `(${value} == null || (${createTest(slot, value)}))`
      : `(${createTest(slot, value)})`;
  };
  const createFunction = ([name, fields]) =>
    `export function is${name}(o) {\n  return ${['typeof o === "object"', "o !== null", ...fields.map(createFieldTest)].join(" &&\n    ")};\n}\n`;
  return Object.entries(records).map(createFunction).join("\n");
}
