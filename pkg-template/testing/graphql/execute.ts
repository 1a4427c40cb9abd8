// Executes GraphQL queries: fields, aliases, arguments, variables and fragments. Directives and mutations are not supported.
//
// The parser comes from graphql-js, whose executor would double the size of this entry.

import type { FieldNode, FragmentDefinitionNode, OperationDefinitionNode, SelectionSetNode, ValueNode } from "graphql";

export type Arguments = Readonly<Record<string, unknown>>;

/** An object type. */
export interface ObjectType {
  readonly name: string;
  readonly fields: Readonly<Record<string, Field>>;
}

/** A field of an object type. */
export interface Field {
  /** The names of the arguments. Names that end in `!` are required. */
  readonly parameters?: readonly string[];
  /** The type of the object, or of the objects in the list. Undefined for a scalar. */
  readonly type?: ObjectType;
  /** The multiplier for the complexity of the nested fields. Replaces the complexity of the field itself. */
  multiply?(values: Arguments): number;
  /** Returns the value, with scalars as in the response. Throws a `QueryError`. */
  // biome-ignore lint/suspicious/noExplicitAny: each type has its own type of source
  resolve(source: any, values: Arguments): unknown;
}

/** An error that the response reports, with status 200. */
export class QueryError extends Error {}

/** A query, ready to be executed. */
export interface Query {
  readonly operation: OperationDefinitionNode;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly variables: Arguments;
}

interface ErrorEntry {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly locations?: readonly { readonly line: number; readonly column: number }[];
}

export interface QueryResponse {
  readonly data?: unknown;
  readonly errors?: readonly ErrorEntry[];
}

/** Executes a query, unless it is invalid or more complex than allowed. */
export function executeQuery(query: Query, root: ObjectType, maxComplexity: number): QueryResponse {
  const { operation } = query;
  const errors: ErrorEntry[] = [];
  try {
    const complexity = measureComplexity(query, operation.selectionSet, root, maxComplexity, errors);
    if (complexity > maxComplexity) {
      errors.push({ message: `Operation is too complex: complexity is ${complexity} and maximum is ${maxComplexity}` });
    }
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    errors.push({ message: error.message });
  }
  if (errors.length > 0) return { errors };
  const data = resolveObject(query, operation.selectionSet, root, undefined, [], errors);
  return errors.length > 0 ? { data, errors } : { data };
}

/** Returns the complexity of the selected fields. Reports each field above the limit. */
function measureComplexity(
  query: Query,
  selectionSet: SelectionSetNode | undefined,
  type: ObjectType,
  maxComplexity: number,
  errors: ErrorEntry[],
): number {
  let sum = 0;
  for (const node of selectFields(query, selectionSet)) {
    const field = getField(type, node);
    const values = getArguments(query, type, field, node);
    const inner = field.type ? measureComplexity(query, node.selectionSet, field.type, maxComplexity, errors) : 0;
    const complexity = field.multiply ? field.multiply(values) * inner : 1 + inner;
    if (complexity > maxComplexity) {
      const message = `Field ${node.name.value} is too complex: complexity is ${complexity} and maximum is ${maxComplexity}`;
      errors.push({ message });
    }
    sum += complexity;
  }
  return sum;
}

type Path = readonly (string | number)[];

function resolveObject(
  query: Query,
  selectionSet: SelectionSetNode | undefined,
  type: ObjectType,
  source: unknown,
  path: Path,
  errors: ErrorEntry[],
): object {
  const result: Record<string, unknown> = {};
  for (const node of selectFields(query, selectionSet)) {
    const name = node.alias?.value ?? node.name.value;
    result[name] = resolveField(query, node, type, source, [...path, name], errors);
  }
  return result;
}

function resolveField(
  query: Query,
  node: FieldNode,
  type: ObjectType,
  source: unknown,
  path: Path,
  errors: ErrorEntry[],
): unknown {
  const field = getField(type, node);
  const fieldType = field.type;
  try {
    const value = field.resolve(source, getArguments(query, type, field, node));
    if (fieldType === undefined || value === null) return value;
    const resolve = (item: unknown, itemPath: Path) => resolveObject(query, node.selectionSet, fieldType, item, itemPath, errors);
    return Array.isArray(value) ? value.map((item, i) => resolve(item, [...path, i])) : resolve(value, path);
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    const { line = 1, column = 1 } = node.loc?.startToken ?? {};
    errors.push({ message: error.message, path, locations: [{ line, column }] });
    return null;
  }
}

/** Returns the selected fields, including fields of fragments. */
function selectFields(query: Query, selectionSet: SelectionSetNode | undefined): FieldNode[] {
  return (selectionSet?.selections ?? []).flatMap((node) => {
    if (node.kind === "Field") return [node];
    const fragment = node.kind === "InlineFragment" ? node : query.fragments.get(node.name.value);
    if (fragment === undefined) throw new QueryError("Unknown fragment");
    return selectFields(query, fragment.selectionSet);
  });
}

function getField(type: ObjectType, { name: { value: name }, selectionSet }: FieldNode): Field {
  const field = Object.hasOwn(type.fields, name) ? type.fields[name] : undefined;
  if (field === undefined) throw new QueryError(`Cannot query field "${name}" on type "${type.name}".`);
  if (field.type && !selectionSet) {
    throw new QueryError(`Field "${name}" of type "${field.type.name}" must have a selection of subfields.`);
  }
  if (!field.type && selectionSet) throw new QueryError(`Field "${name}" must not have a selection since it is a scalar.`);
  return field;
}

/** Returns the values of the arguments. Null and missing ones are undefined. */
function getArguments({ operation, variables }: Query, type: ObjectType, field: Field, node: FieldNode): Arguments {
  const parameters = field.parameters ?? [];
  const values: Record<string, unknown> = {};
  for (const { name, value } of node.arguments ?? []) {
    const parameter = parameters.find((parameter) => parameter.replace("!", "") === name.value);
    if (parameter === undefined) {
      throw new QueryError(`Unknown argument "${name.value}" on field "${node.name.value}" of type "${type.name}".`);
    }
    values[name.value] = getValue(value, operation, variables) ?? undefined;
  }
  const missing = parameters.find((parameter) => parameter.endsWith("!") && values[parameter.slice(0, -1)] === undefined);
  if (missing) throw new QueryError(`In argument "${missing.slice(0, -1)}": Expected a value, found null.`);
  return values;
}

function getValue(node: ValueNode, operation: OperationDefinitionNode, variables: Arguments): unknown {
  switch (node.kind) {
    case "Variable": {
      const definition = operation.variableDefinitions?.find(({ variable }) => variable.name.value === node.name.value);
      if (definition === undefined) throw new QueryError(`Variable "$${node.name.value}" is not defined.`);
      const value = variables[node.name.value];
      return value === undefined && definition.defaultValue ? getValue(definition.defaultValue, operation, variables) : value;
    }
    case "IntValue":
    case "FloatValue":
      return Number(node.value);
    case "ListValue":
      return node.values.map((value) => getValue(value, operation, variables));
    case "StringValue":
    case "BooleanValue":
    case "EnumValue":
      return node.value;
    default:
      return undefined;
  }
}
