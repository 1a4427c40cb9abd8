//! Decodes a folder of stored answers and says which do not fit.
//!
//! `cargo run --bin conformance -- FOLDER [REFUSED...]`, laid out as `rest/<operation>/*.json`, `rpc/<action>/*.json` and
//! `errors/<kind>/*.json`; `INDEX.tsv` may give HTTP statuses (`file`, kind, status). Operations are the names of the
//! methods in kebab-case, actions are the service's. Folders that belong to no operation are counted as skipped. The files named after the folder must
//! be refused: made-up answers with placeholders where hashes belong.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use address_query::client::account::judge;
use address_query::client::status::{failing_status, unreadable};
use address_query::decode::error_body::error_message;
use address_query::decode::{Experience, Fail, FramePage, Layout, Leniency, PageDecoder};
use address_query::endpoint::{ACTIONS, Action, LISTS};
use address_query::error::ErrorCode;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let Some(folder) = arguments.next().map(PathBuf::from) else {
        eprintln!("usage: conformance FOLDER [REFUSED...]");
        return ExitCode::FAILURE;
    };
    let refused: Vec<String> = arguments.collect();
    let statuses = statuses(&folder);
    let (mut passed, mut failed, mut skipped) = (0, 0, BTreeMap::<String, u32>::new());
    for file in files(&folder) {
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
            ["rest", operation, _] => {
                let list = LISTS.iter().find(|list| kebab(list.name) == *operation);
                list.map(|list| page(Layout::list(list.item, list.envelope), &body))
            }
            ["rpc", action, _] => action_of(action).map(|action| page(action.layout, &body)),
            ["errors", kind, _] => {
                let status = statuses.get(&name).copied().unwrap_or_else(|| status_of(kind));
                Some(error(status, kind.strip_prefix("rpc-status0-").and_then(action_of), &body))
            }
            _ => None,
        };
        let outcome = outcome.map(|outcome| match outcome {
            Err(reason) if refused.contains(&name) => {
                println!("refused, as it must be, {name}: {reason}");
                Ok(())
            }
            Ok(()) if refused.contains(&name) => Err("it must be refused, and was read".into()),
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
        println!("skipped {folder}: {files} (no such operation here)");
    }
    println!("{passed} passed, {failed} failed, {} skipped", skipped.values().sum::<u32>());
    if failed == 0 && passed > 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn decode(layout: Layout, body: &[u8]) -> Result<Box<FramePage>, Fail> {
    let mut decoder = PageDecoder::of(layout, Leniency::default(), Experience::default());
    decoder.feed(body.to_vec())?;
    decoder.finish().map(|(page, _)| Box::new(page))
}

fn page(layout: Layout, body: &[u8]) -> Result<(), String> {
    decode(layout, body).map(drop).map_err(|fail| unreadable(&fail, body).to_string())
}

fn action_of(name: &str) -> Option<&'static Action> {
    ACTIONS.iter().copied().find(|action| action.service_name() == name)
}

/// An error body must become the typed error that its status and text ask for; "nothing found" is an empty answer.
fn error(status: u16, action: Option<&'static Action>, body: &[u8]) -> Result<(), String> {
    if error_message(body).is_none() {
        return Err("its message was not found".into());
    }
    if !(200..300).contains(&status) {
        let expected = if status == 429 { ErrorCode::RateLimited } else { ErrorCode::HttpStatus };
        let error = failing_status(status, &[], body, 0);
        return if error.code == expected { Ok(()) } else { Err(error.to_string()) };
    }
    let layout = match action {
        Some(action) => action.layout,
        None => LISTS.first().map(|list| Layout::list(list.item, list.envelope)).ok_or("there are no lists")?,
    };
    let error = match (decode(layout, body), action) {
        (Ok(page), Some(action)) => match judge(action, page, body) {
            Ok(answer) if answer.rows.has_rows => return Ok(()),
            Ok(_) => return Err("it was taken for an answer".into()),
            Err(error) => error,
        },
        (Ok(_), None) => return Err("it was taken for a page".into()),
        (Err(fail), _) => unreadable(&fail, body),
    };
    if error.code == ErrorCode::Refused { Ok(()) } else { Err(error.to_string()) }
}

/// `403-v2` is 403; kinds without a number in front come with 200.
fn status_of(kind: &str) -> u16 {
    let digits: String = kind.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().unwrap_or(200)
}

fn statuses(folder: &Path) -> BTreeMap<String, u16> {
    let index = fs::read_to_string(folder.join("INDEX.tsv")).unwrap_or_default();
    let line = |line: &str| {
        let mut columns = line.split('\t');
        let (file, _, status) = (columns.next()?, columns.next()?, columns.next()?);
        Some((file.to_owned(), status.trim().parse().ok()?))
    };
    index.lines().filter_map(line).collect()
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(files(&path));
        } else if path.extension().is_some_and(|extension| extension == "json") {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// `addressTokenTransfers` as `address-token-transfers`.
fn kebab(name: &str) -> String {
    let mut kebab = String::new();
    for character in name.chars() {
        if character.is_ascii_uppercase() {
            kebab.push('-');
        }
        kebab.push(character.to_ascii_lowercase());
    }
    kebab
}
