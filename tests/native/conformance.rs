//! The command of `make conformance` fails if it decodes nothing, so that a wrong path is not a success.

use std::path::Path;
use std::process::Command;

fn run(folder: &str) -> (bool, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_conformance")).arg(folder).output().unwrap();
    (output.status.success(), String::from_utf8(output.stdout).unwrap())
}

#[test]
fn conformance_of_a_missing_folder_fails() {
    assert_eq!(run("no/such/folder"), (false, "0 passed, 0 failed, 0 skipped\n".into()));
}

#[test]
fn conformance_of_unknown_operations_fails() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("conformance");
    std::fs::create_dir_all(folder.join("rest/unknown")).unwrap();
    std::fs::write(folder.join("rest/unknown/001.json"), "{}").unwrap();
    let (success, output) = run(folder.to_str().unwrap());
    assert!(!success && output.ends_with("0 passed, 0 failed, 1 skipped\n"), "{output}");
}
