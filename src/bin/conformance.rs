//! Decodes a folder of recorded responses, and reports those that fail validation.
//!
//! `cargo run --bin conformance -- FOLDER [INVALID...] [NAME=METHOD...]`
//!
//! The folder contains:
//!
//! - `rest/<method>/*.json`: responses of the REST API, by the method name in kebab-case (`address-logs`), also without the
//!   prefix `address-`;
//! - `rpc/<action>/*.json`: responses of actions, by the action's name in the service (`txlist`);
//! - `errors/<kind>/*.json`: error bodies. The HTTP status is the number at the start of the kind (`403-v2`), or 200. The kind
//!   `rpc-status0-<action>` also names the action;
//! - `INDEX.tsv` (optional): HTTP statuses that override these. Its columns are file, kind and status.
//!
//! Folders of unknown operations are skipped and counted. `INVALID` lists files that must fail validation, such as
//! mocks with placeholders instead of hashes. `NAME=METHOD` names the method whose responses `rest/NAME` contains, if
//! the folder name alone would mean another method: `tokens=address-tokens`.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use address_query::error::ErrorCode;
use address_query::testing::client::rows_from_page;
use address_query::testing::client::{decode_error, http_status_error};
use address_query::testing::decode::error_message;
use address_query::testing::decode::{DecodeError, DecodeOptions, FrameDecoder, FramePage, Layout};
use address_query::testing::endpoint::{Operation, actions, lists, lookups};

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let Some(folder) = arguments.next().map(PathBuf::from) else {
        eprintln!("usage: conformance FOLDER [INVALID...] [NAME=METHOD...]");
        return ExitCode::FAILURE;
    };
    let (renamed, invalid): (Vec<String>, Vec<String>) = arguments.partition(|argument| argument.contains('='));
    let methods: BTreeMap<&str, &str> = renamed.iter().filter_map(|argument| argument.split_once('=')).collect();
    let statuses = read_statuses(&folder);
    let (mut passed, mut failed, mut skipped) = (0, 0, BTreeMap::<String, u32>::new());
    for file in find_json_files(&folder) {
        let name = file.strip_prefix(&folder).unwrap_or(&file).to_string_lossy().replace('\\', "/");
        let body = match fs::read(&file) {
            Ok(body) => body,
            Err(error) => {
                println!("FAILED {name}: {error}");
                failed += 1;
                continue;
            }
        };
        let parts: Vec<&str> = name.split('/').collect();
        let outcome = match parts.as_slice() {
            ["rest", folder, _] => {
                let method = methods.get(folder).unwrap_or(folder);
                find_rest_layout(method).map(|layout| check_page(layout, &body))
            }
            ["rpc", action, _] => find_action_by_service_name(action).map(|action| check_page(action.layout, &body)),
            ["errors", kind, _] => {
                let status = statuses.get(&name).copied().unwrap_or_else(|| parse_status(kind));
                Some(check_error_body(
                    status,
                    kind.strip_prefix("rpc-status0-").and_then(find_action_by_service_name),
                    &body,
                ))
            }
            _ => None,
        };
        let outcome = outcome.map(|outcome| match outcome {
            Err(reason) if invalid.contains(&name) => {
                println!("failed validation as expected, {name}: {reason}");
                Ok(())
            }
            Ok(()) if invalid.contains(&name) => Err("must fail validation, but was decoded".into()),
            outcome => outcome,
        });
        match outcome {
            Some(Ok(())) => passed += 1,
            Some(Err(reason)) => {
                println!("FAILED {name}: {reason}");
                failed += 1;
            }
            None => *skipped.entry(parts.get(..2).unwrap_or_default().join("/")).or_default() += 1,
        }
    }
    for (folder, files) in &skipped {
        println!("skipped {folder}: {files} (unknown operation)");
    }
    println!("{passed} passed, {failed} failed, {} skipped", skipped.values().sum::<u32>());
    if failed == 0 && passed > 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Decodes a response body.
fn decode(layout: Layout, body: &[u8]) -> Result<Box<FramePage>, DecodeError> {
    let mut decoder = FrameDecoder::new(layout, DecodeOptions::default());
    decoder.begin();
    decoder.feed(body.to_vec())?;
    decoder.finish()
}

/// Checks that a response can be decoded.
fn check_page(layout: Layout, body: &[u8]) -> Result<(), String> {
    decode(layout, body).map(drop).map_err(|error| decode_error(&error, body, false).to_string())
}

/// Finds the layout of the list or lookup with this folder. The folder may lack the prefix `address-`.
fn find_rest_layout(folder: &str) -> Option<Layout> {
    let find = |name: &str| {
        lists().chain(lookups()).find(|operation| operation.folder_name() == name).map(|operation| operation.layout)
    };
    find(folder).or_else(|| find(&format!("address-{folder}")))
}

/// Finds an action by its name in the service, such as `txlist`.
fn find_action_by_service_name(name: &str) -> Option<&'static Operation> {
    actions().find(|action| action.service_name() == name)
}

/// Checks that an error body becomes the error for its status, and that "nothing found" becomes an empty result.
fn check_error_body(status: u16, action: Option<&'static Operation>, body: &[u8]) -> Result<(), String> {
    if error_message(body).is_none() {
        return Err("no message was found in it".into());
    }
    if !(200..300).contains(&status) {
        let expected = match status {
            401 => ErrorCode::ApiKeyRejected,
            402 => ErrorCode::OutOfCredits,
            429 => ErrorCode::RateLimited,
            _ => ErrorCode::HttpStatus,
        };
        let error = http_status_error(status, &[], body, 0, true);
        return if error.code == expected { Ok(()) } else { Err(error.to_string()) };
    }
    let layout = match action {
        Some(action) => action.layout,
        None => lists().next().map(|list| list.layout).ok_or("no lists are declared")?,
    };
    let error = match (decode(layout, body), action) {
        (Ok(page), Some(action)) => match rows_from_page(action, page, body) {
            Ok(rows) if rows.items.has_rows => return Ok(()),
            Ok(_) => return Err("was accepted as a result".into()),
            Err(error) => error,
        },
        (Ok(_), None) => return Err("was accepted as a page".into()),
        (Err(error), _) => decode_error(&error, body, false),
    };
    if error.code == ErrorCode::Refused { Ok(()) } else { Err(error.to_string()) }
}

/// Parses the HTTP status at the start of a kind of error: 403 of `403-v2`. Default: 200.
fn parse_status(kind: &str) -> u16 {
    let digits: String = kind.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().unwrap_or(200)
}

/// Reads the HTTP statuses of `INDEX.tsv`, by file name.
fn read_statuses(folder: &Path) -> BTreeMap<String, u16> {
    let index = fs::read_to_string(folder.join("INDEX.tsv")).unwrap_or_default();
    let line = |line: &str| {
        let mut columns = line.split('\t');
        let (file, _, status) = (columns.next()?, columns.next()?, columns.next()?);
        Some((file.to_owned(), status.trim().parse().ok()?))
    };
    index.lines().filter_map(line).collect()
}

/// Finds all JSON files in a folder and its subfolders, sorted by path.
fn find_json_files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(find_json_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "json") {
            found.push(path);
        }
    }
    found.sort();
    found
}
