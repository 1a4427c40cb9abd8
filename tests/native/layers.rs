//! The layers of the crate: each module uses only itself and what stands to its left; the browser is known at the edge only.

use std::path::{Path, PathBuf};

const ORDER: [&str; 9] = ["text", "error", "record", "types", "decode", "endpoint", "client", "browser", "js"];
const BROWSER_CRATES: [&str; 5] = ["web_sys", "js_sys", "gloo_", "wasm_bindgen", "serde_wasm_bindgen"];

fn rank(module: &str) -> Option<usize> {
    ORDER.iter().position(|known| *known == module)
}

/// What a file of this module uses that it must not.
fn violations(module: &str, source: &str) -> Vec<String> {
    let code: String =
        source.lines().map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n");
    let own = rank(module).unwrap_or_else(|| panic!("{module} is in no layer: add it to the order"));
    let mut found: Vec<String> = used_modules(&code)
        .into_iter()
        .filter(|used| rank(used).is_some_and(|used| used > own))
        .map(|used| format!("{module} uses {used}"))
        .collect();
    if own < ORDER.len() - 2 {
        let foreign = BROWSER_CRATES.iter().filter(|name| code.contains(**name));
        found.extend(foreign.map(|name| format!("{module} uses {name}")));
    }
    found
}

/// The names that follow `crate::`, those in braces too.
fn used_modules(code: &str) -> Vec<&str> {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let name = |text: &'_ str| text.find(|c| !is_name(c)).unwrap_or(text.len());
    let mut used = Vec::new();
    for (at, prefix) in code.match_indices("crate::") {
        let rest = &code[at + prefix.len()..];
        let Some(group) = rest.strip_prefix('{') else {
            used.push(&rest[..name(rest)]);
            continue;
        };
        let (mut depth, mut expects_name) = (1, true);
        for (at, c) in group.char_indices() {
            match c {
                '{' => depth += 1,
                '}' => depth -= 1,
                ',' if depth == 1 => expects_name = true,
                _ if is_name(c) && depth == 1 && expects_name => {
                    used.push(&group[at..at + name(&group[at..])]);
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

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files
}

#[test]
fn every_module_uses_only_what_stands_to_its_left() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let (mut found, mut uses) = (Vec::new(), 0);
    for file in sources(&root) {
        let inside = file.strip_prefix(&root).unwrap();
        let module = inside.iter().next().unwrap().to_str().unwrap().trim_end_matches(".rs");
        // The crate's front, and the programs, put everything together.
        if matches!(module, "lib" | "bin") {
            continue;
        }
        let source = std::fs::read_to_string(&file).unwrap();
        uses += used_modules(&source).len();
        found.extend(violations(module, &source).into_iter().map(|what| format!("{}: {what}", inside.display())));
    }
    assert!(found.is_empty(), "{found:#?}");
    assert!(uses > 30, "the reading of `crate::` finds too little: {uses}");
}

#[test]
fn violations_are_found() {
    assert_eq!(violations("record", "use crate::decode::Frame;"), ["record uses decode"]);
    assert_eq!(
        violations("decode", "use crate::{error::Error, client::{Client, types}, js};"),
        ["decode uses client", "decode uses js"]
    );
    assert_eq!(violations("client", "fn f() { crate::browser::now() }"), ["client uses browser"]);
    assert_eq!(violations("types", "$crate::endpoint::x!()"), ["types uses endpoint"]);
    assert_eq!(violations("endpoint", "use web_sys::Request;"), ["endpoint uses web_sys"]);
    assert!(violations("js", "use crate::client::Client; use wasm_bindgen::JsValue;").is_empty());
    assert!(violations("types", "/// See [`crate::js`].\nuse crate::record::Int;").is_empty());
}
