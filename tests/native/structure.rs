//! Checks that no file of the project is too long to read at once.
//!
//! Functions have at most 60 lines: `too-many-lines-threshold` in `.clippy.toml` limits functions in Rust,
//! `noExcessiveLinesPerFunction` in `.biome.json` functions in JavaScript and TypeScript.
//!
//! The JavaScript tests are exempt from both limits: a file lists all cases of one subject, inside a function (`describe`).

use std::path::Path;

use crate::source_files::find_source_files;

const MAX_LINES: usize = 700;
const MAX_LINES_OF_PAGE: usize = 400;

const FOLDERS: [&str; 5] = ["src", "pkg-template", "www", "tests/native", "tests/web"];
const EXTENSIONS: [&str; 6] = ["rs", "ts", "js", "mjs", "css", "html"];

/// The demo page is an example to copy from, so its modules are shorter.
fn max_lines(path: &Path) -> usize {
    if path.starts_with("www") { MAX_LINES_OF_PAGE } else { MAX_LINES }
}

fn is_too_long(path: &Path, source: &str) -> bool {
    source.lines().count() > max_lines(path)
}

#[test]
fn files_are_short_enough() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    for folder in FOLDERS {
        files.extend(find_source_files(&root.join(folder), &EXTENSIONS));
    }
    assert!(files.len() > 200, "only {} files were found", files.len());
    let mut too_long: Vec<String> = Vec::new();
    for path in files {
        let relative = path.strip_prefix(root).unwrap();
        // The rules of one region of the page override each other, so they stay in one file.
        let is_style_sheet = path.extension().is_some_and(|extension| extension == "css");
        if !is_style_sheet && is_too_long(relative, &std::fs::read_to_string(&path).unwrap()) {
            too_long.push(relative.display().to_string());
        }
    }
    assert_eq!(too_long, Vec::<String>::new(), "divide these files");
}

#[test]
fn a_file_of_701_lines_is_too_long() {
    let [source, page] = ["src/error.rs", "www/src/main.ts"].map(Path::new);
    assert!(is_too_long(source, &"x\n".repeat(701)));
    assert!(!is_too_long(source, &"x\n".repeat(700)));
    assert!(is_too_long(page, &"x\n".repeat(401)));
    assert!(!is_too_long(page, &"x\n".repeat(400)));
}
