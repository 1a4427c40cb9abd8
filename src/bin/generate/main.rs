//! Generates files of the npm package from the declarations of records, operations and options.
//!
//! `cargo run --bin generate -- FOLDER` writes the files to the folder. `main` lists them.
//!
//! - [`javascript`]: constructors of records, methods, checks of options
//! - [`typescript`], [`records`]: type declarations
//! - [`keys`]: the function that returns the natural key of a record
//! - [`requests`]: the requests that TypeScript can build
//! - [`reference`]: the reference pages of the guide
//! - [`reference_methods`]: what these pages state about each method
//! - [`proxy`]: the requests that the proxy forwards
//! - [`format`]: names and comments in these languages

mod format;
mod javascript;
mod keys;
mod proxy;
mod records;
mod reference;
mod reference_methods;
mod requests;
mod typescript;

use std::path::Path;
use std::process::ExitCode;
use std::ptr;

use address_query::testing::endpoint::{self, ANY_PATH, DescribedOperation, Operation, ResponseKind, actions};
use address_query::testing::types::{DescribedRecord, RECORDS};

/// The notice at the top of every generated file.
const NOTICE: &str = "Generated from the declarations in src/; edit those.";

fn main() -> ExitCode {
    let Some(folder) = std::env::args().nth(1) else {
        eprintln!("usage: generate FOLDER");
        return ExitCode::FAILURE;
    };
    let files = [
        ("constructors.js", javascript::generate_constructors()),
        ("records.d.ts", records::generate()),
        ("endpoints.js", javascript::generate_methods()),
        ("endpoints.d.ts", typescript::generate_method_types()),
        ("codes.d.ts", typescript::generate_code_types()),
        ("objects.d.ts", typescript::generate_object_types()),
        ("option-table.js", javascript::generate_option_table()),
        ("limits.js", javascript::generate_limits()),
        ("options.d.ts", typescript::generate_option_types()),
        ("plain-values.js", requests::generate_plain_values()),
        ("keys.js", keys::generate_key_function()),
        ("keys.d.ts", keys::generate_key_types()),
        ("proxy/table.js", proxy::generate_table()),
        ("estimate/prices.js", requests::generate_prices()),
        ("user-messages.js", javascript::generate_user_messages()),
    ];
    let mut files: Vec<_> = files.map(|(name, content)| (Path::new(&folder).join(name), content)).into();
    let guide = Path::new(&folder).join("guide");
    files.extend(reference::generate_pages().into_iter().map(|(name, content)| (guide.join(name), content)));
    for (path, content) in files {
        let created = path.parent().map_or(Ok(()), std::fs::create_dir_all);
        if let Err(error) = created.and_then(|()| std::fs::write(&path, content)) {
            eprintln!("{}: {error}", path.display());
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

/// The groups of methods, in the order of the documentation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Group {
    Lists,
    Lookups,
    Actions,
    Graphql,
}

impl Group {
    /// The group of the method of an operation.
    fn of(operation: &Operation) -> Self {
        match operation.module() {
            Some("graphql") => Self::Graphql,
            Some(_) => Self::Actions,
            None if operation.kind == ResponseKind::List => Self::Lists,
            None => Self::Lookups,
        }
    }
}

/// Every operation, by group.
fn described_operations() -> Vec<DescribedOperation> {
    let mut described = endpoint::described_operations();
    described.sort_by_key(|described| Group::of(described.operation));
    described
}

/// Returns the name of the method of an operation: `txList` for the GraphQL operation `graphqlTxList`.
fn method_name(operation: &Operation) -> String {
    let Some(rest) = operation.name.strip_prefix("graphql") else { return operation.name.to_owned() };
    let (first, rest) = rest.split_at(1);
    first.to_lowercase() + rest
}

/// Returns what follows `client.` in a call of the operation: `account.txList`.
fn call_name(operation: &Operation) -> String {
    operation.module().map(|module| format!("{module}.")).unwrap_or_default() + &method_name(operation)
}

/// The modules of the module/action API.
fn modules() -> Vec<&'static str> {
    let mut modules: Vec<&str> = actions().filter_map(Operation::module).collect();
    modules.dedup();
    modules
}

/// Returns the name of the class with the actions of a module: `AccountActions`.
fn module_class_name(module: &str) -> String {
    let (first, rest) = module.split_at(1);
    format!("{}{rest}Actions", first.to_uppercase())
}

/// Iterates over the records that callers receive: all except the envelopes of actions and of `ANY_PATH`.
fn public_records() -> impl Iterator<Item = &'static DescribedRecord> {
    let is_envelope = |table| {
        ptr::eq(ANY_PATH.layout.envelope, table) || actions().any(|action| ptr::eq(action.layout.envelope, table))
    };
    RECORDS.iter().filter(move |described| !is_envelope(described.table))
}
