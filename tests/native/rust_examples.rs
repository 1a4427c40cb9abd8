//! Checks that the Rust programs of the documentation are the ones in `tests/web`, which run in a browser.

use std::fs;
use std::path::Path;

fn read_file(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap()
}

/// Finds the first code block that begins with this line, its fence included.
fn find_code_block<'a>(page: &'a str, begin: &str) -> &'a str {
    let (_, block) = page.split_once(&format!("\n{begin}\n")).expect("a code block");
    block.split_once("```\n").expect("the end of the code block").0
}

/// Finds the part of a test that the documentation shows.
fn find_shown_part(test: &str) -> &str {
    let (_, part) = test.split_once("// The guide: begin\n").expect("the beginning of the part");
    part.split_once("// The guide: end\n").expect("the end of the part").0
}

#[test]
fn the_page_without_a_framework_is_the_tested_code() {
    let (guide, test) = (read_file("src/guide/web_page.md"), read_file("tests/web/example.rs"));
    let shown = find_code_block(&guide, "```no_run");
    // rustdoc hides the lines that begin with "# ".
    let visible: String = shown.split_inclusive('\n').filter(|line| !line.starts_with("# ")).collect();
    assert_eq!(visible, find_shown_part(&test));
}

#[test]
fn the_rust_program_of_the_guide_is_the_tested_code() {
    let (page, test) = (read_file("www/guide/pages/programs.md"), read_file("tests/web/long_table.rs"));
    assert_eq!(find_code_block(&page, "```rust"), find_shown_part(&test));
}

#[test]
fn the_page_without_a_framework_has_the_dependency_versions_of_this_crate() {
    let (guide, manifest) = (read_file("src/guide/web_page.md"), read_file("Cargo.toml"));
    for name in ["wasm-bindgen", "wasm-bindgen-futures", "web-sys"] {
        let version = |toml: &str| {
            let line = toml.lines().find(|line| line.starts_with(&format!("{name} = "))).unwrap();
            line.split('"').nth(1).unwrap().to_owned()
        };
        assert_eq!(version(find_code_block(&guide, "```toml")), version(&manifest), "{name}");
    }
}
