//! What a target starts from: inputs made of the answers in `tests/fixtures` when it starts, so that nothing is stored twice.

use std::path::{Path, PathBuf};

/// Puts seeds where the runner looks for them.
pub fn write(target: &str, seeds: impl IntoIterator<Item = Vec<u8>>) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(target);
    std::fs::create_dir_all(&folder).expect("a folder for the seeds");
    for (index, seed) in seeds.into_iter().enumerate() {
        std::fs::write(folder.join(format!("seed-{index:03}")), seed).expect("a seed is written");
    }
}

/// The answers: folder and content.
#[allow(dead_code, reason = "one target has no use for them")]
pub fn answers() -> Vec<(String, Vec<u8>)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures");
    let mut answers = Vec::new();
    for folder in sorted(&root) {
        let name = folder.file_name().expect("a name").to_string_lossy().into_owned();
        answers.extend(sorted(&folder).iter().map(|file| (name.clone(), std::fs::read(file).expect("an answer"))));
    }
    answers
}

/// The cursors in the answers: folder and text.
#[allow(dead_code, reason = "only some targets read cursors")]
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
    let cursors: Vec<_> = answers().into_iter().filter_map(cursor).collect();
    assert!(!cursors.is_empty(), "no cursor in the answers");
    cursors
}

fn sorted(folder: &Path) -> Vec<PathBuf> {
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()).collect();
    entries.sort();
    entries
}
