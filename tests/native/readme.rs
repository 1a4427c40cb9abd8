//! The section "Rust front ends" of the repository's README.

use std::fs;
use std::path::Path;

fn read(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap()
}

/// The code block of this language in the section.
fn code_block<'a>(readme: &'a str, language: &str) -> &'a str {
    let (_, section) = readme.split_once("\n## Rust front ends\n").expect("the section");
    let section = section.split("\n## ").next().unwrap();
    let (_, block) = section.split_once(&format!("\n```{language}\n")).expect("a code block");
    block.split_once("```\n").expect("the end of the code block").0
}

#[test]
fn the_rust_example_is_the_code_that_runs_in_the_browser_tests() {
    let (readme, example) = (read("README.md"), read("tests/web/example.rs"));
    let (_, tested) = example.split_once("// README: begin\n").unwrap();
    assert_eq!(code_block(&readme, "rust"), tested.split_once("// README: end\n").unwrap().0);
}

#[test]
fn the_rust_example_depends_on_the_versions_of_this_crate() {
    let (readme, manifest) = (read("README.md"), read("Cargo.toml"));
    for name in ["wasm-bindgen", "wasm-bindgen-futures", "web-sys"] {
        let version = |toml: &str| {
            let line = toml.lines().find(|line| line.starts_with(&format!("{name} = "))).unwrap();
            line.split('"').nth(1).unwrap().to_owned()
        };
        assert_eq!(version(code_block(&readme, "toml")), version(&manifest), "{name}");
    }
}
