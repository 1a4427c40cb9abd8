//! Checks the layers of the crate: a module uses only modules before it in [`LAYERS`], and only the last two use
//! browser crates.

use std::path::{Path, PathBuf};

const LAYERS: [&str; 10] =
    ["strings", "error", "json", "record", "types", "decode", "endpoint", "client", "browser", "js"];
const BROWSER_CRATES: [&str; 5] = ["web_sys", "js_sys", "gloo_", "wasm_bindgen", "serde_wasm_bindgen"];

fn rank(module: &str) -> Option<usize> {
    LAYERS.iter().position(|known| *known == module)
}

/// Lists the modules and crates that the source of a module uses, but must not.
fn find_violations(module: &str, source: &str) -> Vec<String> {
    let code: String =
        source.lines().map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n");
    let own = rank(module).unwrap_or_else(|| panic!("{module} is in no layer: add it to LAYERS"));
    let mut found: Vec<String> = find_used_modules(&code)
        .into_iter()
        .filter(|used| rank(used).is_some_and(|used| used > own))
        .map(|used| format!("{module} uses {used}"))
        .collect();
    if own < LAYERS.len() - 2 {
        let foreign = BROWSER_CRATES.iter().filter(|name| code.contains(**name));
        found.extend(foreign.map(|name| format!("{module} uses {name}")));
    }
    found
}

/// Returns the names that follow `crate::`, also those in braces.
fn find_used_modules(code: &str) -> Vec<&str> {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let name_length = |code: &'_ str| code.find(|c| !is_name(c)).unwrap_or(code.len());
    let mut used = Vec::new();
    for (at, prefix) in code.match_indices("crate::") {
        let rest = &code[at + prefix.len()..];
        let Some(group) = rest.strip_prefix('{') else {
            used.push(&rest[..name_length(rest)]);
            continue;
        };
        let (mut depth, mut expects_name) = (1, true);
        for (at, c) in group.char_indices() {
            match c {
                '{' => depth += 1,
                '}' => depth -= 1,
                ',' if depth == 1 => expects_name = true,
                _ if is_name(c) && depth == 1 && expects_name => {
                    used.push(&group[at..at + name_length(&group[at..])]);
                    expects_name = false;
                }
                _ => {}
            }
            if depth == 0 {
                break;
            }
        }
    }
    used
}

fn find_sources(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(find_sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files
}

#[test]
fn modules_use_only_the_layers_before_them() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let (mut found, mut uses) = (Vec::new(), 0);
    for file in find_sources(&root) {
        let inside = file.strip_prefix(&root).unwrap();
        let module = inside.iter().next().unwrap().to_str().unwrap().trim_end_matches(".rs");
        // The root and the programs may use every module.
        if matches!(module, "lib" | "bin") {
            continue;
        }
        let source = std::fs::read_to_string(&file).unwrap();
        uses += find_used_modules(&source).len();
        found.extend(
            find_violations(module, &source).into_iter().map(|violation| format!("{}: {violation}", inside.display())),
        );
    }
    assert!(found.is_empty(), "{found:#?}");
    assert!(uses > 30, "only {uses} uses of `crate::` were found");
}

#[test]
fn finds_violations() {
    assert_eq!(find_violations("record", "use crate::decode::Frame;"), ["record uses decode"]);
    assert_eq!(
        find_violations("decode", "use crate::{error::Error, client::{Client, types}, js};"),
        ["decode uses client", "decode uses js"]
    );
    assert_eq!(find_violations("client", "fn f() { crate::browser::now() }"), ["client uses browser"]);
    assert_eq!(find_violations("types", "$crate::endpoint::x!()"), ["types uses endpoint"]);
    assert_eq!(find_violations("endpoint", "use web_sys::Request;"), ["endpoint uses web_sys"]);
    assert!(find_violations("js", "use crate::client::Client; use wasm_bindgen::JsValue;").is_empty());
    assert!(find_violations("types", "/// See [`crate::js`].\nuse crate::record::Int;").is_empty());
}
