//! Checks that no file of the project is too long to read at once.
//!
//! Functions have at most 60 lines: `too-many-lines-threshold` in `.clippy.toml` limits those in Rust, and
//! `noExcessiveLinesPerFunction` in `.biome.json` those in JavaScript and TypeScript.
//!
//! The JavaScript tests are exempt from both limits: a file lists all cases of one subject, inside a function (`describe`).

use std::path::{Path, PathBuf};

const MAX_LINES: usize = 400;

const FOLDERS: [&str; 5] = ["src", "pkg-template", "www", "tests/native", "tests/web"];
const EXTENSIONS: [&str; 6] = ["rs", "ts", "js", "mjs", "css", "html"];

/// Files that may be longer, with the reason.
const EXEMPT: [(&str, &str); 2] = [
    ("www/layout.css", "the rules of one page, ordered by its regions"),
    ("www/records.css", "the rules of one table, which override each other"),
];

fn find_sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            find_sources(&path, found);
        } else if path.extension().is_some_and(|extension| EXTENSIONS.iter().any(|known| extension == *known)) {
            found.push(path);
        }
    }
}

fn is_too_long(source: &str) -> bool {
    source.lines().count() > MAX_LINES
}

#[test]
fn files_have_at_most_400_lines() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    for folder in FOLDERS {
        find_sources(&root.join(folder), &mut files);
    }
    assert!(files.len() > 200, "only {} files were found", files.len());
    let mut too_long: Vec<String> = Vec::new();
    for path in files {
        if is_too_long(&std::fs::read_to_string(&path).unwrap()) {
            too_long.push(path.strip_prefix(root).unwrap().display().to_string());
        }
    }
    too_long.sort();
    assert_eq!(too_long, EXEMPT.map(|(file, _)| file), "divide other files, and remove exemptions that are not needed");
}

#[test]
fn a_file_of_401_lines_is_too_long() {
    assert!(is_too_long(&"x\n".repeat(401)));
    assert!(!is_too_long(&"x\n".repeat(400)));
}
