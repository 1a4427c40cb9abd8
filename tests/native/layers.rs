//! Checks the structure of the crate: a layer uses only the layers before it in [`LAYERS`], only the last two use
//! browser crates, the modules of a folder have no circular dependencies, and the modules of the client use only
//! earlier ones in [`CLIENT_LAYERS`].
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, missing_docs)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

const LAYERS: [&str; 13] = [
    "strings", "object", "error", "json", "frame", "record", "builder", "types", "decode", "endpoint", "client",
    "browser", "js",
];
/// The files and folders of the client, in the same order.
const CLIENT_LAYERS: [&str; 21] = [
    "runtime",
    "event",
    "diagnostics",
    "credits",
    "rate_limiter",
    "transport",
    "retry",
    "options",
    "info_cache",
    "handle",
    "instance",
    "fetch",
    "resume",
    "lookup",
    "account",
    "balances",
    "read_ahead",
    "stream",
    "list",
    "range",
    "call",
];
const BROWSER_CRATES: [&str; 5] = ["web_sys", "js_sys", "gloo_", "wasm_bindgen", "serde_wasm_bindgen"];

fn rank(layers: &[&str], module: &str) -> Option<usize> {
    layers.iter().position(|known| *known == module)
}

/// A source file: the path of its module, such as `["decode", "page"]`, and its code without comments and unit tests.
struct SourceFile {
    module: Vec<String>,
    code: String,
}

impl SourceFile {
    fn new(module: &[&str], source: &str) -> Self {
        let source = source.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
        let code =
            source.lines().map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n");
        Self { module: module.iter().map(|&name| name.to_owned()).collect(), code }
    }

    /// Lists the full paths of everything that the file uses by a path that starts at the crate, at its own module or at
    /// a module around it.
    fn find_used_paths(&self) -> Vec<Vec<String>> {
        let mut used = Vec::new();
        for (at, _) in self.code.match_indices("::") {
            let before = &self.code[..at];
            let start = before.rfind(|c| !is_name(c)).map_or(0, |at| at + 1);
            if before[..start].ends_with("::") {
                continue;
            }
            let first = &before[start..];
            let tree = || parse_tree(&self.code[start..]).0;
            match first {
                "crate" => used.extend(tree().into_iter().map(|path| path[1..].to_vec())),
                "self" | "super" => used.extend(tree().into_iter().map(|path| {
                    let supers = path.iter().take_while(|name| *name == "super").count();
                    let around = self.module[..self.module.len().saturating_sub(supers)].to_vec();
                    [around, path[supers.max(1)..].to_vec()].concat()
                })),
                // In the file of a folder, a path can start at a module of the folder.
                _ => used.extend(tree().into_iter().map(|path| [self.module.clone(), path].concat())),
            }
        }
        used
    }
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Parses the tree of a `use` declaration, or a path: `a::{b, c::d}` is `a::b` and `a::c::d`. Returns the rest too.
fn parse_tree(code: &str) -> (Vec<Vec<String>>, &str) {
    let code = code.trim_start();
    if let Some(mut rest) = code.strip_prefix('{') {
        let mut paths = Vec::new();
        loop {
            rest = rest.trim_start_matches(|c: char| c.is_whitespace() || c == ',');
            if rest.is_empty() || rest.starts_with('}') {
                return (paths, rest.get(1..).unwrap_or_default());
            }
            let (found, after) = parse_tree(rest);
            paths.extend(found);
            let next = after.find([',', '}']).unwrap_or(after.len());
            rest = if after.len() == rest.len() { &rest[1..] } else { &after[next..] };
        }
    }
    let (name, rest) = code.split_at(code.find(|c| !is_name(c)).unwrap_or(code.len()));
    let name = vec![name.to_owned()];
    match rest.strip_prefix("::") {
        Some(rest) if rest.starts_with(|c| is_name(c) || c == '{') => {
            let (paths, rest) = parse_tree(rest);
            (paths.into_iter().map(|path| [name.clone(), path].concat()).collect(), rest)
        }
        _ => (vec![name], rest),
    }
}

/// Splits the code of a file into its re-exports (`pub use …;`, `pub(crate) use …;`) and the rest.
fn split_re_exports(code: &str) -> (String, String) {
    let (mut re_exports, mut rest) = (String::new(), String::new());
    for statement in code.split_inclusive(';') {
        let is_re_export = statement.trim_start().starts_with("pub") && statement.contains(" use ");
        if is_re_export { &mut re_exports } else { &mut rest }.push_str(statement);
    }
    (re_exports, rest)
}

/// The modules of each folder, and for each the modules of the folder that it uses. The file of the folder is `mod`.
type Folders = BTreeMap<String, BTreeMap<String, BTreeSet<String>>>;

fn find_uses_within_folders(sources: &[SourceFile]) -> Folders {
    let modules: BTreeSet<&[String]> = sources.iter().map(|source| source.module.as_slice()).collect();
    // Where an item that a folder re-exports is declared.
    let mut origins = BTreeMap::new();
    let mut files = Vec::new();
    for source in sources {
        let (re_exports, rest) = split_re_exports(&source.code);
        let re_exports = SourceFile { module: source.module.clone(), code: re_exports };
        for path in re_exports.find_used_paths() {
            let mut exported = source.module.clone();
            exported.extend(path.last().cloned());
            origins.insert(exported, path);
        }
        files.push(SourceFile { module: source.module.clone(), code: rest });
    }
    let mut folders = Folders::new();
    for file in &files {
        for mut path in file.find_used_paths() {
            // Follows re-exports to the module of the declaration.
            while let Some(origin) = (1..=path.len()).rev().find_map(|end| {
                let origin = origins.get(&path[..end]).filter(|_| !modules.contains(&path[..end]))?;
                (origin[..] != path[..end]).then(|| [origin.clone(), path[end..].to_vec()].concat())
            }) {
                path = origin;
            }
            let used = (1..=path.len()).rev().map(|end| &path[..end]).find(|path| modules.contains(path));
            let Some(used) = used.filter(|used| **used != file.module[..]) else { continue };
            let shared = used.iter().zip(&file.module).take_while(|(one, other)| one == other).count();
            if shared > 0 {
                let name = |path: &[String]| path.get(shared).cloned().unwrap_or_else(|| "mod".into());
                let folder = folders.entry(used[..shared].join("/")).or_default();
                folder.entry(name(&file.module)).or_default().insert(name(used));
            }
        }
    }
    folders
}

/// Describes circular dependencies: `decode: page, record`.
fn find_circular_dependencies(sources: &[SourceFile]) -> Vec<String> {
    let mut circles = BTreeSet::new();
    for (folder, uses) in find_uses_within_folders(sources) {
        let reachable = |from: &String| {
            let (mut found, mut pending) = (BTreeSet::new(), vec![from]);
            while let Some(module) = pending.pop() {
                let used = uses.get(module).into_iter().flatten();
                pending.extend(used.filter(|&module| found.insert(module.clone())));
            }
            found
        };
        for module in uses.keys() {
            let circle: Vec<String> =
                reachable(module).into_iter().filter(|other| reachable(other).contains(module)).collect();
            if circle.contains(module) {
                circles.insert(format!("{folder}: {}", circle.join(", ")));
            }
        }
    }
    circles.into_iter().collect()
}

/// Lists the modules that use a later layer or a browser crate, and in the client a later file or the re-exports of the client.
fn find_violations(sources: &[SourceFile]) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for source in sources {
        let (layer, file) = (&*source.module[0], source.module.get(1));
        // The guide and the items for tests may use every module.
        if matches!(layer, "guide" | "testing") {
            continue;
        }
        let own = rank(&LAYERS, layer).unwrap_or_else(|| panic!("{layer} is in no layer: add it to LAYERS"));
        for path in source.find_used_paths() {
            let used = path.first().filter(|used| rank(&LAYERS, used).is_some_and(|used| used > own));
            found.extend(used.map(|used| format!("{layer} uses {used}")));
            let (Some(file), "client", Some("client"), [_, used, ..]) =
                (file, layer, path.first().map(|name| &**name), &*path)
            else {
                continue;
            };
            let own = rank(&CLIENT_LAYERS, file);
            let own = own.unwrap_or_else(|| panic!("{file} is in no layer: add it to CLIENT_LAYERS"));
            match rank(&CLIENT_LAYERS, used) {
                Some(used) if used <= own => {}
                Some(_) => drop(found.insert(format!("{file} uses {used}"))),
                None => drop(found.insert(format!("{file} imports {used} from a file that does not define it"))),
            }
        }
        let foreign = BROWSER_CRATES.iter().filter(|name| own < LAYERS.len() - 2 && source.code.contains(**name));
        found.extend(foreign.map(|name| format!("{layer} uses {name}")));
    }
    found
}

fn find_source_files(folder: &Path) -> Vec<PathBuf> {
    let paths = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let files = paths.flat_map(|path| if path.is_dir() { find_source_files(&path) } else { vec![path] });
    files.filter(|path| path.extension().is_some_and(|extension| extension == "rs")).collect()
}

/// Reads all source files of the crate except its root and its programs.
fn read_sources() -> Vec<SourceFile> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let sources = find_source_files(&root).into_iter().map(|file| {
        let inside = file.strip_prefix(&root).unwrap().with_extension("");
        let module: Vec<&str> =
            inside.iter().map(|name| name.to_str().unwrap()).filter(|name| !matches!(*name, "mod" | "lib")).collect();
        SourceFile::new(&module, &std::fs::read_to_string(&file).unwrap())
    });
    sources.filter(|source| source.module.first().is_some_and(|module| module != "bin")).collect()
}

#[test]
fn modules_use_only_the_layers_before_them() {
    let sources = read_sources();
    let found = find_violations(&sources);
    assert!(found.is_empty(), "{found:#?}");
    let uses = sources.iter().map(|source| source.code.matches("crate::").count()).sum::<usize>();
    assert!(uses > 30, "only {uses} uses of `crate::` were found");
}

#[test]
fn finds_violations() {
    let find = |module: &[&str], code| Vec::from_iter(find_violations(&[SourceFile::new(module, code)]));
    assert_eq!(find(&["record"], "use crate::decode::Frame;"), ["record uses decode"]);
    assert_eq!(
        find(&["decode"], "use crate::{error::Error, client::{Client, types}, js};"),
        ["decode uses client", "decode uses js"]
    );
    assert_eq!(find(&["client"], "fn f() { crate::browser::now() }"), ["client uses browser"]);
    assert_eq!(find(&["types"], "$crate::endpoint::x!()"), ["types uses endpoint"]);
    assert_eq!(find(&["endpoint"], "use web_sys::Request;"), ["endpoint uses web_sys"]);
    assert!(find(&["js"], "use crate::client::Client; use wasm_bindgen::JsValue;").is_empty());
    assert!(find(&["types"], "/// See [`crate::js`].\nuse crate::record::Int;").is_empty());

    let find = |code| find(&["client", "transport", "cache"], code);
    assert_eq!(find("use super::super::retry::RetryPolicy;"), ["transport uses retry"]);
    assert_eq!(find("use crate::client::{handle::Client, runtime::Runtime};"), ["transport uses handle"]);
    assert_eq!(find("use crate::client::Runtime;"), ["transport imports Runtime from a file that does not define it"]);
    assert!(find("use super::sharing::InFlight; use crate::client::event::Event;").is_empty());
}

#[test]
fn modules_of_a_folder_have_no_circular_dependencies() {
    let found = find_circular_dependencies(&read_sources());
    assert!(found.is_empty(), "these modules of a folder use each other: {found:#?}");
}

#[test]
fn finds_circles() {
    let circles = |files: &[(&[&str], &str)]| {
        find_circular_dependencies(
            &files.iter().map(|(module, code)| SourceFile::new(module, code)).collect::<Vec<_>>(),
        )
    };
    let (a, b, c): (&[&str], &[&str], &[&str]) = (&["x", "a"], &["x", "b"], &["x", "c"]);
    assert_eq!(circles(&[(a, "use super::b::B;"), (b, "use super::{a::{self}, c};"), (c, "")]), ["x: a, b"]);
    assert_eq!(
        circles(&[(a, "super::b::f()"), (b, "use crate::x::c::C;"), (c, "use crate::x::{a::A};")]),
        ["x: a, b, c"]
    );
    assert_eq!(
        circles(&[
            (a, "use super::b::B;"),
            (b, "use super::c::C;"),
            (c, "// super::a\n#[cfg(test)]\nmod tests { use super::a; }")
        ]),
        [""; 0]
    );
    // Items of the folder: re-exported from a module, or declared in the folder's own file.
    let folder: &[&str] = &["x"];
    assert_eq!(circles(&[(folder, "pub use b::B;"), (a, "use super::B;"), (b, "use super::a::A;")]), ["x: a, b"]);
    assert_eq!(circles(&[(folder, "pub use b::B;"), (a, "use super::B;"), (b, "")]), [""; 0]);
    assert_eq!(circles(&[(folder, "use a::A; struct S;"), (a, "use super::S;")]), ["x: a, mod"]);
    assert_eq!(circles(&[(&["x", "y", "a"], "use super::super::b::B;"), (b, "use super::y::a::A;")]), ["x: b, y"]);
}
