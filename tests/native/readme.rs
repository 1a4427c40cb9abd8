//! Checks the section "Rust front ends" of the README, and the Rust program of the guide.

use std::fs;
use std::path::Path;

fn read_file(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap()
}

/// Finds the code block of this language in the section.
fn find_code_block<'a>(readme: &'a str, language: &str) -> &'a str {
    let (_, section) = readme.split_once("\n## Rust front ends\n").expect("the section");
    let section = section.split("\n## ").next().unwrap();
    let (_, block) = section.split_once(&format!("\n```{language}\n")).expect("a code block");
    block.split_once("```\n").expect("the end of the code block").0
}

#[test]
fn the_rust_example_is_the_tested_code() {
    let (readme, example) = (read_file("README.md"), read_file("tests/web/example.rs"));
    let (_, tested) = example.split_once("// README: begin\n").unwrap();
    assert_eq!(find_code_block(&readme, "rust"), tested.split_once("// README: end\n").unwrap().0);
}

#[test]
fn the_rust_program_of_the_guide_is_the_tested_code() {
    let (page, program) = (read_file("www/guide/pages/programs.md"), read_file("tests/web/long_table.rs"));
    let (_, tested) = program.split_once("// The guide: begin\n").unwrap();
    let (_, shown) = page.split_once("\n```rust\n").unwrap();
    assert_eq!(shown.split_once("```\n").unwrap().0, tested.split_once("// The guide: end\n").unwrap().0);
}

#[test]
fn the_rust_example_has_the_dependency_versions_of_this_crate() {
    let (readme, manifest) = (read_file("README.md"), read_file("Cargo.toml"));
    for name in ["wasm-bindgen", "wasm-bindgen-futures", "web-sys"] {
        let version = |toml: &str| {
            let line = toml.lines().find(|line| line.starts_with(&format!("{name} = "))).unwrap();
            line.split('"').nth(1).unwrap().to_owned()
        };
        assert_eq!(version(find_code_block(&readme, "toml")), version(&manifest), "{name}");
    }
}
