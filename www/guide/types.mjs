// Writes the pages of the types, one for each entry, from what TypeDoc read from the declarations (target/types.json).
// A type that another page describes, such as a record, is only linked.

/** The kinds of declarations, as TypeDoc numbers them. */
const Kind = {
  variable: 32,
  function: 64,
  class: 128,
  property: 1024,
  constructor: 512,
  method: 2048,
  alias: 2_097_152,
  reference: 4_194_304,
};
const LINK = /\[([\w.]+)\]\((\.\/[\w-]+)(#[\w-]+)\)/g;

/**
 * Returns the text of each page by its name. `described` has the links to types that other pages describe, by name,
 * and `methods` the names of the pages of methods.
 */
export function createTypePages(project, described, methods) {
  const links = new Map();
  const pages = project.children.map((entry) => {
    const page = describeEntry(entry, described);
    for (const { declaration, link } of page.sections) links.set(declaration.id, link);
    return page;
  });
  const context = { links, methods };
  return new Map(pages.map((page) => [`${page.name}.md`, writePage(page, context)]));
}

/** Returns the links to the types of all pages, by name. */
export function findTypeLinks(project, described) {
  const sections = project.children.flatMap((entry) => describeEntry(entry, described).sections);
  return new Map(sections.map(({ declaration, link }) => [declaration.name, link]));
}

function describeEntry(entry, described) {
  const path = entry.name === "index" ? "address-query" : `address-query/${entry.name}`;
  const name = `types-${entry.name === "index" ? "address-query" : entry.name.replaceAll("/", "-")}`;
  const own = entry.children.filter(({ kind }) => kind !== Kind.reference);
  const sorted = GROUPS.flatMap((group) => own.filter((declaration) => groupOf(declaration) === group));
  // A title that repeats gets a number.
  const slugs = new Map(sorted.map((declaration) => [slugify(groupOf(declaration)), 1]));
  const sections = sorted.map((declaration) => {
    const elsewhere = described.get(declaration.name);
    if (elsewhere !== undefined) return { declaration, link: elsewhere, isElsewhere: true };
    const slug = slugify(declaration.name);
    const count = slugs.get(slug) ?? 0;
    slugs.set(slug, count + 1);
    return { declaration, link: `./${name}#${slug}${count === 0 ? "" : `-${count}`}`, isElsewhere: false };
  });
  return { name, path, sections, reexports: entry.children.length - own.length };
}

const GROUPS = ["Classes", "Functions", "Constants", "Types", "Parameters", "Cursors"];

function groupOf({ kind, name }) {
  if (kind === Kind.class) return "Classes";
  if (kind === Kind.function) return "Functions";
  if (kind === Kind.variable) return "Constants";
  if (/.Cursor$/.test(name)) return "Cursors";
  return /.Params$/.test(name) ? "Parameters" : "Types";
}

/** As VitePress makes the id of a heading. */
function slugify(title) {
  return title.replaceAll(/[\W_]+/g, "-").toLowerCase();
}

function writePage({ path, sections, reexports }, context) {
  const parts = [`# ${path}`, `The types and functions of \`${path}\`.`];
  if (reexports > 0) parts.push("It also exports the types and functions of [`address-query`](./types-address-query.md).");
  for (const group of GROUPS) {
    const members = sections.filter(({ declaration }) => groupOf(declaration) === group);
    if (members.length === 0) continue;
    parts.push(`## ${group}`);
    const elsewhere = members.filter(({ isElsewhere }) => isElsewhere);
    if (elsewhere.length > 0)
      parts.push(`On other pages: ${elsewhere.map(({ declaration, link }) => formatLink(declaration.name, link)).join(", ")}.`);
    for (const { declaration, isElsewhere } of members) if (!isElsewhere) parts.push(...describe(declaration, context));
  }
  return `${parts.join("\n\n")}\n`;
}

function describe(declaration, context) {
  const { name, kind, comment, signatures, children = [], extendedTypes = [] } = declaration;
  const parts = [`### ${name}`];
  if (kind === Kind.function) return [...parts, ...describeFunction(signatures, context)];
  parts.push(...describeComment(comment, context));
  const typeParameters = printTypeParameters(declaration.typeParameters, context);
  if (kind === Kind.variable) return [...parts, formatCode(`const ${name}: ${printType(declaration.type, context)}`)];
  if (kind === Kind.alias) {
    parts.push(formatCode(`type ${name}${typeParameters} = ${printType(declaration.type, context)}`));
    return [...parts, ...findMembers(declaration.type).map((members) => formatMembers(members, name, context))];
  }
  // The members of a base without a page are listed here.
  const bases = extendedTypes.filter((type) => type.package !== "address-query" || context.links.has(type.target));
  const inherits = bases.length < extendedTypes.length;
  const extended = bases.map((type) => printType(type, context)).join(", ");
  if (typeParameters || extended)
    parts.push(
      formatCode(`${kind === Kind.class ? "class" : "interface"} ${name}${typeParameters}${extended && ` extends ${extended}`}`),
    );
  if (kind === Kind.class && (inherits || children.some(isInternal)))
    parts.push("Its methods are in the [API reference](./reference.md).");
  if (children.some(isInternal)) return parts;
  const own = children.filter(({ flags }) => !flags.isInherited || (inherits && !flags.isExternal));
  const members = own.filter((member) => member.flags.isInherited !== true || !context.methods.has(`api-${member.name}`));
  return members.length === 0 ? parts : [...parts, formatMembers(members, name, context)];
}

/** Constructors that take what only the package has. */
function isInternal({ kind, flags }) {
  return kind === Kind.constructor && flags.isProtected;
}

/** Overloads share a comment. */
function describeFunction(signatures, context) {
  const lines = signatures.map(({ name, typeParameters, parameters = [], type }) => {
    const head = `${name}${printTypeParameters(typeParameters, context)}`;
    return printSignature(head, parameters, `: ${printType(type, context)}`, context);
  });
  const [{ comment, parameters = [] }] = signatures;
  const rows = parameters.filter((parameter) => parameter.comment).map((parameter) => formatRow(parameter, context));
  return [
    ...describeComment(comment, context),
    formatCode(lines.join("\n\n")),
    ...(rows.length > 0 ? [formatTable(["Parameter", "Type", "Meaning"], rows)] : []),
  ];
}

/** The members of the object types of an alias that have comments. */
function findMembers(type) {
  if (type.type === "intersection") return type.types.flatMap(findMembers);
  return hasTable(type) ? [type.declaration.children] : [];
}

function hasTable(type) {
  return type.type === "reflection" && (type.declaration.children ?? []).some(({ comment }) => comment);
}

function formatMembers(members, owner, context) {
  const rows = members.flatMap((member) =>
    member.signatures
      ? member.signatures.map((signature) => formatMethod(signature, member, owner, context))
      : [formatRow(member, context)],
  );
  return formatTable(["Member", "Type", "Meaning"], rows);
}

function formatMethod({ typeParameters, parameters = [], type, comment }, { kind, name }, owner, context) {
  const title = kind === Kind.constructor ? `new ${owner}` : name;
  const head = printTypeParameters(typeParameters, context);
  const text = `${head}(${parameters.map((parameter) => printParameter(parameter, context)).join(", ")}) => ${printType(type, context)}`;
  return [`\`${title}\``, formatInline(text), formatMeaning(comment, context)];
}

function formatRow({ name, flags, type, getSignature, comment, defaultValue }, context) {
  const mark = flags.isOptional || defaultValue !== undefined ? "?" : "";
  const value = printType(type ?? getSignature.type, context);
  return [`\`${name}${mark}\``, formatInline(value), formatMeaning(comment ?? getSignature?.comment, context)];
}

function formatTable(heads, rows) {
  const lines = [heads, heads.map(() => "---"), ...rows];
  return lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/** The text of a comment as paragraphs, with its examples as code that cannot be run. */
function describeComment(comment, context) {
  if (!comment) return [];
  const tags = (comment.blockTags ?? []).filter(({ tag }) => tag !== "@defaultValue");
  const parts = tags.map(({ tag, content }) => `${TAGS[tag] ?? ""}${formatText(content, context)}`);
  return [formatText(comment.summary, context), ...parts]
    .filter((text) => text.trim() !== "")
    .map((text) => text.replaceAll(/^```[jt]sx?$/gm, "```typescript"));
}

const TAGS = { "@throws": "Throws: ", "@returns": "Returns: " };

/** The text of a comment in a cell of a table, without its examples. */
function formatMeaning(comment, context) {
  if (!comment) return "";
  const tags = comment.blockTags ?? [];
  const texts = tags
    .filter(({ tag }) => tag !== "@example")
    .map(({ tag, content }) => {
      const text = formatText(content, context);
      return tag === "@defaultValue" ? `Default: ${text.trim()}.` : `${TAGS[tag] ?? ""}${text}`;
    });
  const text = [formatText(comment.summary, context), ...texts].join(" ");
  // A list is one sentence for each item in a cell.
  return text
    .replaceAll(/```[^]*?```/g, "")
    .replaceAll(/\n+- /g, " ")
    .replaceAll(/\s+/g, " ")
    .replaceAll("|", "\\|")
    .trim();
}

function formatText(parts, { links }) {
  return parts
    .map(({ kind, text, target }) =>
      kind === "inline-tag" && links.has(target)
        ? formatLink(text, links.get(target))
        : kind === "inline-tag"
          ? `\`${text}\``
          : text,
    )
    .join("");
}

const formatLink = (name, link) => `[\`${name}\`](${link.replace(/(?=#)|$/, ".md")})`;

/** A block of code whose types are links. */
function formatCode(text) {
  return `\`\`\`linked\n${text}\n\`\`\``;
}

/** Code in a cell of a table: its types are links. */
export function formatInline(text) {
  const parts = text.split(LINK);
  let formatted = "";
  for (let index = 0; index < parts.length; index += 4) {
    const code = parts[index];
    if (code !== "") formatted += formatCodeSpan(code.replaceAll("|", "\\|"));
    const [name, page, anchor] = parts.slice(index + 1, index + 4);
    if (name !== undefined) formatted += formatLink(name, `${page}${anchor}`);
  }
  return formatted;
}

/** Markdown strips one space from both sides of code that has one on each. */
function formatCodeSpan(code) {
  const mark = code.includes("`") ? "``" : "`";
  const space = /^ .* $|^`|`$/.test(code) ? " " : "";
  return `${mark}${space}${code}${space}${mark}`;
}

/** Links the types in the second column of the tables of a page. */
export function linkTypes(page, links) {
  return page.replaceAll(/^(\| `[^|]+` \| )((?:\\\||[^|])+)(?= \|)/gm, (_, name, type) => {
    const linked = type.replaceAll(/\[`[^`]+`\]\([^)]+\)|`([^`]+)`/g, (text, code) =>
      code === undefined
        ? text
        : formatInline(
            code
              .replaceAll("\\|", "|")
              .replaceAll(/(?<!")\b[A-Z]\w+\b(?!")/g, (word) => (links.has(word) ? `[${word}](${links.get(word)})` : word)),
          ),
    );
    // Brackets belong to the name before.
    return name + linked.replaceAll(") `[]", ")`[]");
  });
}

function printTypeParameters(parameters, context) {
  if (!parameters?.length) return "";
  const list = parameters.map(({ name, type, default: value }) => {
    const bound = type ? ` extends ${printType(type, context)}` : "";
    return `${name}${bound}${value ? ` = ${printType(value, context)}` : ""}`;
  });
  return `<${list.join(", ")}>`;
}

const MAX_WIDTH = 78;

/** On one line if it fits, else with a line for each parameter. */
function printSignature(head, parameters, result, context) {
  const list = parameters.map((parameter) => printParameter(parameter, context));
  const line = `${head}(${list.join(", ")})${result}`;
  const fits = line.replaceAll(LINK, "$1").length <= MAX_WIDTH;
  return fits ? line : `${head}(\n${list.map((item) => `  ${item},\n`).join("")})${result}`;
}

function printParameter({ name, flags, type, defaultValue }, context) {
  const mark = flags.isOptional || defaultValue !== undefined ? "?" : "";
  return `${flags.isRest ? "..." : ""}${name}${mark}: ${printType(type, context)}`;
}

/** Prints a type as TypeScript. A type with a link is `[name](link)`. */
function printType(type, context) {
  const print = (inner) => printType(inner, context);
  const printAll = (types, separator) => types.map(print).join(separator);
  /** Prints an operand: a type that consists of several is put in parentheses. */
  const printOperand = (inner) => (isCompound(inner) ? `(${print(inner)})` : print(inner));
  switch (type.type) {
    case "intrinsic":
    case "unknown":
      return type.name;
    case "inferred":
      return `infer ${type.name}`;
    case "literal":
      return typeof type.value === "object" && type.value !== null
        ? `${type.value.negative ? "-" : ""}${type.value.value}n`
        : JSON.stringify(type.value);
    case "reference": {
      const link = context.links.get(type.target);
      const name = link === undefined ? type.name : `[${type.name}](${link})`;
      return type.typeArguments?.length ? `${name}<${printAll(type.typeArguments, ", ")}>` : name;
    }
    case "array":
      return `${printOperand(type.elementType)}[]`;
    case "union":
      return type.types
        .map((inner) => (inner.type === "conditional" || isFunction(inner) ? `(${print(inner)})` : print(inner)))
        .join(" | ");
    case "intersection":
      return type.types.map(printOperand).join(" & ");
    case "tuple":
      return `[${printAll(type.elements ?? [], ", ")}]`;
    case "namedTupleMember":
      return `${type.name}${type.isOptional ? "?" : ""}: ${print(type.element)}`;
    case "rest":
      return `...${print(type.elementType)}`;
    case "optional":
      return `${print(type.elementType)}?`;
    case "typeOperator":
      return `${type.operator} ${printOperand(type.target)}`;
    case "indexedAccess":
      return `${printOperand(type.objectType)}[${print(type.indexType)}]`;
    case "query":
      return `typeof ${print(type.queryType)}`;
    case "predicate":
      return `${type.asserts ? "asserts " : ""}${type.name}${type.targetType ? ` is ${print(type.targetType)}` : ""}`;
    case "templateLiteral":
      return `\`${type.head}${type.tail.map(([inner, text]) => `\${${print(inner)}}${text}`).join("")}\``;
    case "conditional":
      return `${print(type.checkType)} extends ${print(type.extendsType)} ? ${print(type.trueType)} : ${print(type.falseType)}`;
    case "mapped": {
      const name = type.nameType ? ` as ${print(type.nameType)}` : "";
      const mark = { "+": "?", "-": "-?" }[type.optionalModifier] ?? "";
      const readonly = { "+": "readonly ", "-": "-readonly " }[type.readonlyModifier] ?? "";
      return `{ ${readonly}[${type.parameter} in ${print(type.parameterType)}${name}]${mark}: ${print(type.templateType)} }`;
    }
    case "reflection":
      return printObject(type, context);
    default:
      throw new Error(`a type of the unknown kind ${type.type}`);
  }
}

const isFunction = (type) => type.type === "reflection" && type.declaration.signatures !== undefined;
const isCompound = (type) => ["union", "intersection", "conditional", "typeOperator"].includes(type.type) || isFunction(type);

function printObject(type, context) {
  const { children = [], signatures = [], indexSignatures = [] } = type.declaration;
  const printFunction = ({ typeParameters, parameters = [], type: result }, arrow) => {
    const list = parameters.map((parameter) => printParameter(parameter, context));
    return `${printTypeParameters(typeParameters, context)}(${list.join(", ")})${arrow}${printType(result, context)}`;
  };
  if (signatures.length === 1 && children.length === 0) return printFunction(signatures[0], " => ");
  if (hasTable(type)) return "{ … }";
  const members = [
    ...signatures.map((signature) => printFunction(signature, ": ")),
    ...indexSignatures.map(
      (signature) =>
        `[${signature.parameters[0].name}: ${printType(signature.parameters[0].type, context)}]: ${printType(signature.type, context)}`,
    ),
    ...children.map((member) =>
      member.signatures
        ? `${member.name}${printFunction(member.signatures[0], ": ")}`
        : `${member.flags.isReadonly ? "readonly " : ""}${member.name}${member.flags.isOptional ? "?" : ""}: ${printType(member.type, context)}`,
    ),
  ];
  return members.length === 0 ? "{}" : `{ ${members.join("; ")} }`;
}
