//! Generates the reference pages of the guide: a page per method, and the pages that list all methods, options, records
//! and error codes.

use std::fmt::Write as _;
use std::ptr;

use address_query::error::ErrorCode;
use address_query::testing::client::OPTION_SETS;
use address_query::testing::types::DescribedRecord;

use crate::format::join_lines;
use crate::public_records;
use crate::reference_methods::{HEADINGS, Method, generate_values, list_methods};

/// Generates all pages, and the values of their examples, as pairs of file name and content. All pages of the site are
/// in one folder, so the names of method pages begin with `api-`.
pub(crate) fn generate_pages() -> Vec<(String, String)> {
    let methods = list_methods();
    let mut pages: Vec<_> =
        methods.iter().map(|method| (format!("{}.md", method.page()), format_method(method))).collect();
    pages.extend([
        ("reference.md".into(), format_index(&methods)),
        ("options.md".into(), format_options()),
        ("records.md".into(), format_records()),
        ("checked.md".into(), format_essential_fields()),
        ("troubleshooting.md".into(), format_error_codes()),
        ("values.json".into(), generate_values(&methods)),
    ]);
    pages
}

/// Formats the page of a method.
fn format_method(method: &Method) -> String {
    let Method { call, operation, docs, types, result, record, request, options, example, note, .. } = method;
    let mut out = format!(
        "# {}\n\n{}\n\n## At a glance\n\n| Property | Value |\n|---|---|\n| Call | `client.{call}` |\n| Request | {request} |\n| Result | {result} |\n| Options | {} |\n",
        call,
        join_lines(docs.0),
        options.iter().map(|name| link_options(name)).collect::<Vec<_>>().join(", "),
    );
    let since = operation.since.map_or("all versions since 6".into(), |since| format!("since {}", since.format()));
    let _ = write!(
        out,
        "| Backend versions | {since} |\n| Credits at the gateway | {} for each request |\n| Cached by a proxy with `maxAge` | {} |\n",
        operation.credits,
        if operation.is_cacheable { "yes" } else { "never" }
    );
    let tasks = method.tasks();
    if !tasks.is_empty() {
        let _ = writeln!(out, "| Guide | {} |", tasks.join(", "));
    }
    if let Some(note) = note {
        let _ = write!(out, "\n{note}\n");
    }
    out.push_str("\n## Parameters\n\n");
    if operation.params.is_empty() {
        out.push_str("None.\n");
    } else {
        out.push_str("| Parameter | Type | Required | Meaning |\n|---|---|---|---|\n");
    }
    for ((param, doc), kind) in operation.params.iter().zip(docs.1).zip(*types) {
        let since = param.since.map(|since| format!(" Since backend version {}.", since.format())).unwrap_or_default();
        let _ = writeln!(
            out,
            "| `{}` | {} | {} | {} Must be {}.{since} |",
            param.name,
            link_types(kind),
            if param.required { "yes" } else { "no" },
            join_lines(doc),
            escape_cell(param.rule.must_be)
        );
    }
    let _ = write!(out, "\n## Example\n\n```ts\n{example}\n```\n");
    if let Some(record) = public_records().find(|described| ptr::eq(described.table, *record)) {
        let _ = write!(out, "\n## {}\n\n{}\n\n", record.table.name, join_lines(record.docs.0));
        write_fields(&mut out, record);
    }
    out
}

/// Formats the page with all methods.
fn format_index(methods: &[Method]) -> String {
    let mut out = String::from(
        "# API reference\n\nEvery method of a client, by what it reads. The gateway charges these credits per request, and a list sends one request per page.\n",
    );
    for heading in HEADINGS {
        let _ = write!(
            out,
            "\n## {heading}\n\n| Method | Description | Parameters | Result | Credits |\n|---|---|---|---|---|\n",
        );
        for method in methods.iter().filter(|method| method.heading() == heading) {
            let Method { call, operation, docs, result, .. } = method;
            let doc = join_lines(docs.0);
            let summary = doc.split_once(". ").map_or(doc.as_str(), |(first, _)| first).trim_end_matches('.');
            let since = operation.since.map(|since| format!(" Since backend version {}.", since.format()));
            let params = operation.params.iter().map(|param| {
                let mark = if param.required { "" } else { "?" };
                format!("`{}`{mark}", param.name)
            });
            let _ = writeln!(
                out,
                "| [`{call}`](./{}.md) | {summary}.{} | {} | {result} | {} |",
                method.page(),
                since.unwrap_or_default(),
                params.collect::<Vec<_>>().join(", "),
                operation.credits
            );
        }
    }
    out
}

/// Formats the page with the options of the client and of its calls.
fn format_options() -> String {
    let mut out = String::from("# Options\n\nThe options of a client, and of its calls.\n");
    for set in OPTION_SETS {
        let base = set.base.map(|base| format!(" Includes {}.", link_options(base.interface))).unwrap_or_default();
        let _ = write!(
            out,
            "\n## {}\n\n{}{base}\n\n| Option | Type | Default | Meaning |\n|---|---|---|---|\n",
            set.interface,
            join_lines(set.doc)
        );
        for option in set.options {
            let default = option.default().map(|default| format!("`{default}`")).unwrap_or_default();
            let kind = link_types(&option.typescript());
            let _ = writeln!(out, "| `{}` | {kind} | {default} | {} |", option.name, join_lines(option.doc));
        }
    }
    out
}

/// Formats the page with all error codes.
fn format_error_codes() -> String {
    let mut out = String::from(
        "# Troubleshooting\n\nEvery failure is an `AddressQueryError` with one of these codes. Its message says what happened and what to do next. [Handle errors](./errors.md) shows how to use the codes.\n",
    );
    for ((code, doc), (_, sentence)) in ErrorCode::ALL.iter().zip(ErrorCode::SENTENCES) {
        let _ = write!(out, "\n## {code}\n\n{}\n\nFor users: {sentence}\n", join_lines(doc));
    }
    out
}

/// Formats the page with all records.
fn format_records() -> String {
    let mut out = String::from(
        "# Records\n\nThe records that calls return: plain objects with these fields. A field that the service did not send is `null`, or an empty list.\n",
    );
    for record in public_records().filter(|record| !record.table.fields.is_empty()) {
        let _ = write!(out, "\n## {}\n\n{}\n\n", record.table.name, join_lines(record.docs.0));
        write_fields(&mut out, record);
    }
    out
}

/// Formats the page about essential fields and ornaments.
fn format_essential_fields() -> String {
    let mut out = String::from(concat!(
        "# What is checked, and what is passed on\n\n",
        "Every value is checked against its declaration. What happens to a value that does not match depends on its field.\n\n",
        "**Essential fields** identify a record, place it, or say what moved. If one cannot be read, the call rejects with code `decode` and ",
        "the `path` of the value. With `badRecords: \"skip\"`, the record is omitted instead and reported in `omitted`. An essential field is ",
        "null only where its documentation says so, never because it could not be read.\n\n",
        "**Every other field is an ornament**: names and pictures that anyone can choose, statistics, prices, and what the instance says ",
        "about an address. An ornament that cannot be read is `null`, an unreadable element is dropped from its list, and the record is delivered. ",
        "`onDrift` reports it once as `unexpected_value`. So nobody can hide your transfers behind a malformed token.\n\n",
        "Values that need no guess are converted: a number sent as a string or a string sent as a number, an address hash in place of an ",
        "address object, and an empty string for empty call data (`0x`).\n\n",
        "```ts\n",
        "const client = new AddressClient({\n  baseUrl: \"https://eth.blockscout.com\",\n",
        "  badRecords: \"skip\",\n  onDrift: console.warn,\n});\n",
        "const page = await client.addressNft({ address_hash });\n",
        "if (page.omitted.count > 0) console.warn(page.omitted.first);\n",
        "```\n\n",
        "## Essential fields by record\n\n",
        "Records that are not listed have only ornaments. A search result must also have the fields that its `type` requires.\n\n",
        "| Record | Essential fields |\n|---|---|\n",
    ));
    for DescribedRecord { table, .. } in public_records() {
        let fields = table.fields.iter().enumerate().filter(|(_, field)| field.is_essential);
        let names: Vec<_> = fields.map(|(index, _)| format!("`{}`", table.field_name(index))).collect();
        if !names.is_empty() {
            let _ = writeln!(out, "| `{}` | {} |", table.name, names.join(", "));
        }
    }
    out
}

fn write_fields(out: &mut String, DescribedRecord { table, docs, typescript, .. }: &DescribedRecord) {
    out.push_str("| Field | Type | Meaning |\n|---|---|---|\n");
    for ((field, doc), kind) in (0..table.fields.len()).zip(docs.1).zip(typescript()) {
        let _ = writeln!(out, "| `{}` | {} | {} |", table.field_name(field), link_types(&kind), join_lines(doc));
    }
}

/// Returns a link to the section of a set of options.
fn link_options(name: &str) -> String {
    format!("[`{name}`](./options.md#{})", name.to_lowercase())
}

/// Formats a TypeScript type as code in a cell, with a link from each record to its section.
fn link_types(kind: &str) -> String {
    let mut out = String::new();
    let mut code = String::new();
    let push_code = |out: &mut String, code: &mut String| {
        if !code.trim().is_empty() {
            let _ = write!(out, "`{}` ", escape_cell(code.trim()));
        }
        code.clear();
    };
    for word in kind.split_inclusive(|letter: char| !letter.is_alphanumeric()) {
        let name = word.trim_end_matches(|letter: char| !letter.is_alphanumeric());
        let is_record =
            |described: &DescribedRecord| !described.table.fields.is_empty() && described.table.name == name;
        if public_records().any(is_record) {
            push_code(&mut out, &mut code);
            let _ = write!(out, "[`{name}`](./records.md#{}) ", name.to_lowercase());
            code.push_str(&word[name.len()..]);
        } else {
            code.push_str(word);
        }
    }
    push_code(&mut out, &mut code);
    out.trim_end().into()
}

/// Escapes what would end a cell of a table.
fn escape_cell(text: &str) -> String {
    text.replace('|', "\\|")
}
