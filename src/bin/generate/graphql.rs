//! Generates the TypeScript declarations of the GraphQL operations.

use std::fmt::Write as _;

use address_query::testing::endpoint::{DESCRIBED_QUERIES, DescribedQuery, QueryOperation};

use crate::format::format_comment;
use crate::typescript::{format_example_arguments, format_operation_doc, format_params, format_params_type};

/// Generates the types of parameters, and the class `GraphqlQueries` with a method per operation.
pub(crate) fn generate_methods() -> String {
    let mut out = String::new();
    let mut methods = String::new();
    for described in DESCRIBED_QUERIES {
        let DescribedQuery { params_name, method, operation, docs, types, .. } = described;
        let example = |params| format!("client.graphql.{method}({})", format_example_arguments(params));
        let (operation, example, signature) = match operation {
            QueryOperation::List(list) => {
                let example = example(list.params);
                let params = format_params(params_name, list.params);
                (
                    &list.operation,
                    format!("const page = await {example};\nfor await (const item of {example}) {{ … }}"),
                    format!(
                        "(\n    {params},\n    options?: ListOptions,\n  ): ListCall<{}, GraphqlCursor, {}>",
                        list.layout.row.name, list.layout.envelope.name
                    ),
                )
            }
            QueryOperation::Action(action) => (
                &action.operation,
                format!("const result = await {};", example(action.params)),
                format!(
                    "({}, options?: ActionOptions): Promise<{}>",
                    format_params(params_name, action.params),
                    described.value.map_or_else(|| format!("{}[]", action.layout.row.name), |value| value())
                ),
            ),
        };
        out.push_str(&format_params_type(params_name, &format!("graphql.{method}"), operation.params, docs.1, types));
        let doc = format!(
            "{}\n\n`POST {}`\n\n@example\n```ts\n{example}\n```",
            format_operation_doc(docs.0, operation),
            operation.path
        );
        let _ = write!(methods, "{}  {method}{signature};\n\n", format_comment(&doc, "  "));
    }
    let _ = write!(
        out,
        "\n/** The cursor of a GraphQL list, for information. To continue the list, use `resumeToken`. */\n\
         export interface GraphqlCursor {{\n  after: string;\n  [key: string]: string | number | boolean | null | undefined;\n}}\n\n\
         /** One method per GraphQL operation. */\nexport declare class GraphqlQueries {{\n  \
         protected constructor(...dependencies: unknown[]);\n\n{}\n}}\n",
        methods.trim_end()
    );
    out
}
