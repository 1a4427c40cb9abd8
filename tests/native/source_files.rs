//! The files of the project, for the tests that read its sources.

use std::path::{Path, PathBuf};

/// Returns the files with one of these extensions in a folder and in the folders inside it, except for installed packages.
pub fn find_source_files(folder: &Path, extensions: &[&str]) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && !path.ends_with("node_modules") {
            files.extend(find_source_files(&path, extensions));
        } else if path.extension().is_some_and(|extension| extensions.iter().any(|known| extension == *known)) {
            files.push(path);
        }
    }
    files
}
