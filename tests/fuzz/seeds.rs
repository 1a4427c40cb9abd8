//! The seeds of a fuzz target, generated at its start from the responses in `tests/fixtures`.

use std::path::{Path, PathBuf};

/// Writes seeds to the folder where the fuzzer reads them.
pub fn write(target: &str, seeds: impl IntoIterator<Item = Vec<u8>>) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(target);
    std::fs::create_dir_all(&folder).expect("a folder for the seeds");
    for (index, seed) in seeds.into_iter().enumerate() {
        std::fs::write(folder.join(format!("seed-{index:03}")), seed).expect("a seed is written");
    }
}

/// The recorded responses: folder and body.
#[allow(dead_code, reason = "one target does not use them")]
pub fn responses() -> Vec<(String, Vec<u8>)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures");
    let mut responses = Vec::new();
    for folder in sorted(&root) {
        let name = folder.file_name().expect("a name").to_string_lossy().into_owned();
        responses.extend(sorted(&folder).iter().map(|file| (name.clone(), std::fs::read(file).expect("a response"))));
    }
    responses
}

/// The cursors in the responses: folder and JSON.
#[allow(dead_code, reason = "only some targets use cursors")]
pub fn cursors() -> Vec<(String, String)> {
    #[derive(serde::Deserialize)]
    struct Page<'a> {
        #[serde(borrow)]
        next_page_params: Option<&'a serde_json::value::RawValue>,
    }
    let cursor = |(folder, json): (String, Vec<u8>)| {
        let cursor = serde_json::from_slice::<Page<'_>>(&json).ok()?.next_page_params?;
        Some((folder, cursor.get().to_owned()))
    };
    let cursors: Vec<_> = responses().into_iter().filter_map(cursor).collect();
    assert!(!cursors.is_empty(), "no cursor in the responses");
    cursors
}

/// The entries of a folder, sorted by path.
fn sorted(folder: &Path) -> Vec<PathBuf> {
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()).collect();
    entries.sort();
    entries
}
