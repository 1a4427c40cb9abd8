// Executes GraphQL queries: fields, aliases, arguments, variables and fragments. Directives and mutations are not supported.
//
// The parser comes from graphql-js, whose executor would double the size of this entry.

import type { FieldNode, FragmentDefinitionNode, OperationDefinitionNode, SelectionSetNode, ValueNode } from "graphql";

export type Arguments = Readonly<Record<string, unknown>>;

export interface ObjectType {
  readonly name: string;
  readonly fields: Readonly<Record<string, Field>>;
}

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

type Path = readonly (string | number)[];

export interface QueryResponse {
  readonly data?: unknown;
  readonly errors?: readonly { readonly message: string; readonly path?: Path; readonly locations?: readonly object[] }[];
}

export class Query {
  readonly #operation: OperationDefinitionNode;
  readonly #fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly #variables: Arguments;
  readonly #errors: NonNullable<QueryResponse["errors"]>[number][] = [];

  constructor(operation: OperationDefinitionNode, fragments: ReadonlyMap<string, FragmentDefinitionNode>, variables: Arguments) {
    this.#operation = operation;
    this.#fragments = fragments;
    this.#variables = variables;
  }

  execute(root: ObjectType, maxComplexity: number): QueryResponse {
    const { selectionSet } = this.#operation;
    const errors = this.#errors;
    try {
      const complexity = this.#measureComplexity(selectionSet, root, maxComplexity);
      if (complexity > maxComplexity) {
        errors.push({ message: `Operation is too complex: complexity is ${complexity} and maximum is ${maxComplexity}` });
      }
    } catch (error) {
      if (!(error instanceof QueryError)) throw error;
      errors.push({ message: error.message });
    }
    if (errors.length > 0) return { errors };
    const data = this.#resolveObject(selectionSet, root, undefined, []);
    return errors.length > 0 ? { data, errors } : { data };
  }

  /** Returns the complexity of the selected fields. Reports each field above the limit. */
  #measureComplexity(selectionSet: SelectionSetNode | undefined, type: ObjectType, maxComplexity: number): number {
    let sum = 0;
    for (const node of this.#selectFields(selectionSet)) {
      const field = getField(type, node);
      const values = this.#getArguments(type, field, node);
      const inner = field.type ? this.#measureComplexity(node.selectionSet, field.type, maxComplexity) : 0;
      const complexity = field.multiply ? field.multiply(values) * inner : 1 + inner;
      if (complexity > maxComplexity) {
        const message = `Field ${node.name.value} is too complex: complexity is ${complexity} and maximum is ${maxComplexity}`;
        this.#errors.push({ message });
      }
      sum += complexity;
    }
    return sum;
  }

  #resolveObject(selectionSet: SelectionSetNode | undefined, type: ObjectType, source: unknown, path: Path): object {
    const entries = this.#selectFields(selectionSet).map((node) => {
      const name = node.alias?.value ?? node.name.value;
      return [name, this.#resolveField(node, type, source, [...path, name])] as const;
    });
    return Object.fromEntries(entries);
  }

  #resolveField(node: FieldNode, type: ObjectType, source: unknown, path: Path): unknown {
    const field = getField(type, node);
    const fieldType = field.type;
    try {
      const value = field.resolve(source, this.#getArguments(type, field, node));
      if (fieldType === undefined || value === null) return value;
      const resolve = (item: unknown, itemPath: Path) => this.#resolveObject(node.selectionSet, fieldType, item, itemPath);
      return Array.isArray(value) ? value.map((item, i) => resolve(item, [...path, i])) : resolve(value, path);
    } catch (error) {
      if (!(error instanceof QueryError)) throw error;
      const { line = 1, column = 1 } = node.loc?.startToken ?? {};
      this.#errors.push({ message: error.message, path, locations: [{ line, column }] });
      return null;
    }
  }

  #selectFields(selectionSet: SelectionSetNode | undefined): FieldNode[] {
    return (selectionSet?.selections ?? []).flatMap((node) => {
      if (node.kind === "Field") return [node];
      const fragment = node.kind === "InlineFragment" ? node : this.#fragments.get(node.name.value);
      if (fragment === undefined) throw new QueryError("Unknown fragment");
      return this.#selectFields(fragment.selectionSet);
    });
  }

  /** Returns the values of the arguments. Null and missing ones are undefined. */
  #getArguments(type: ObjectType, { parameters = [] }: Field, node: FieldNode): Arguments {
    const values: Record<string, unknown> = {};
    for (const { name, value } of node.arguments ?? []) {
      if (!parameters.some((parameter) => parameter.replace("!", "") === name.value)) {
        throw new QueryError(`Unknown argument "${name.value}" on field "${node.name.value}" of type "${type.name}".`);
      }
      values[name.value] = this.#getValue(value) ?? undefined;
    }
    const missing = parameters.find((parameter) => parameter.endsWith("!") && values[parameter.slice(0, -1)] === undefined);
    if (missing) throw new QueryError(`In argument "${missing.slice(0, -1)}": Expected a value, found null.`);
    return values;
  }

  #getValue(node: ValueNode): unknown {
    switch (node.kind) {
      case "Variable": {
        const name = node.name.value;
        const definition = this.#operation.variableDefinitions?.find(({ variable }) => variable.name.value === name);
        if (definition === undefined) throw new QueryError(`Variable "$${name}" is not defined.`);
        const value = this.#variables[name];
        return value === undefined && definition.defaultValue ? this.#getValue(definition.defaultValue) : value;
      }
      case "IntValue":
      case "FloatValue":
        return Number(node.value);
      case "ListValue":
        return node.values.map((value) => this.#getValue(value));
      default:
        return "value" in node ? node.value : undefined;
    }
  }
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
