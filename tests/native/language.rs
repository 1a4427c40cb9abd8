//! The words of the project: terms that have a standard name in the field must be called by it, in code and in prose.

use std::path::{Path, PathBuf};

use crate::source_files::find_source_files;

/// A word that must not come back, and what to write instead.
const REPLACED: &[(&str, &str)] = &[
    ("a text", "a string"),
    ("texts", "strings"),
    ("told", "emitted, reported, stated"),
    ("hears", "is called with"),
    ("hears of", "is called with"),
    ("patience", "retry policy"),
    ("astray", "cursor cycle, cursor error"),
    ("respelt", "derived from"),
    ("spelt anew", "reformatted"),
    ("lessons", "shape cache"),
    ("give_up", "cancel"),
    ("gives up on", "cancels"),
    ("let_go", "release, discard"),
    ("lets go of", "releases"),
    ("step_aside", "release the permit"),
    ("under way", "in flight"),
    ("asked for again", "retried, requested again"),
    ("by turns", "alternating, interleaved"),
    ("one's turn", "a permit"),
    ("anybody's", "a user's"),
    ("who asks", "a caller that"),
    ("who waits", "a waiter"),
    ("does not fit", "does not match, fails validation"),
    ("do not fit", "do not match, fail validation"),
    ("calmly", "reporting uncaught errors"),
    ("no answer", "no response, network error"),
    ("given out", "delivered, yielded"),
];

const FOLDERS: [&str; 3] = ["src", "pkg-template", "www"];
const FILES: [&str; 4] = ["README.md", "CHANGELOG.md", "Makefile", "Cargo.toml"];
const EXTENSIONS: [&str; 8] = ["rs", "js", "mjs", "ts", "md", "css", "html", "json"];

/// Whether a line contains the word, and not only as a part of another one. (An underscore separates words.)
fn contains_word(line: &str, word: &str) -> bool {
    let is_letter = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    line.match_indices(word)
        .any(|(at, _)| !is_letter(line[..at].chars().next_back()) && !is_letter(line[at + word.len()..].chars().next()))
}

fn violations(source: &str) -> Vec<(usize, &'static str, &'static str)> {
    let mut found = Vec::new();
    for (index, line) in source.lines().enumerate() {
        let line = line.to_lowercase();
        for (word, instead) in REPLACED {
            if contains_word(&line, word) {
                found.push((index + 1, *word, *instead));
            }
        }
    }
    found
}

#[test]
fn standard_terms_are_used() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files: Vec<PathBuf> = FILES.iter().map(|name| root.join(name)).collect();
    for folder in FOLDERS {
        files.extend(find_source_files(&root.join(folder), &EXTENSIONS));
    }
    assert!(files.len() > 100, "only {} files were found", files.len());
    let mut found = Vec::new();
    for path in files {
        let source = std::fs::read_to_string(&path).unwrap();
        let name = path.strip_prefix(root).unwrap().display();
        found.extend(
            violations(&source)
                .into_iter()
                .map(|(line, word, instead)| format!("{name}:{line}: \"{word}\"; write: {instead}")),
        );
    }
    assert!(found.is_empty(), "{} words to replace:\n{}", found.len(), found.join("\n"));
}

#[test]
fn words_are_found_wherever_they_stand() {
    assert_eq!(violations("fn give_up() {}").len(), 1);
    assert_eq!(violations("/// The caller is Told.").len(), 1);
    assert_eq!(violations("must be a text").len(), 1);
    assert_eq!(violations("a context, a textual toldot\nfn give_upon() {}").len(), 0);
}
