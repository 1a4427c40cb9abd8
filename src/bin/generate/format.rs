//! Formats names and comments for JavaScript, TypeScript and Markdown.

/// Returns the name of a property, quoted where JavaScript requires it.
pub(crate) fn format_property(name: &str) -> String {
    let plain =
        name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') && !name.starts_with(|c: char| c.is_ascii_digit());
    if plain { name.into() } else { format!("\"{name}\"") }
}

/// Joins the lines of a doc comment.
pub(crate) fn join_lines(doc: &str) -> String {
    doc.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Formats the text of a Rust doc comment as a `JSDoc` comment.
pub(crate) fn format_comment(doc: &str, indent: &str) -> String {
    let lines: Vec<&str> = doc.trim().lines().map(str::trim_start).collect();
    match lines.as_slice() {
        [line] => format!("{indent}/** {line} */\n"),
        lines => {
            let body: String =
                lines.iter().map(|line| format!("{indent} * {line}").trim_end().to_owned() + "\n").collect();
            format!("{indent}/**\n{body}{indent} */\n")
        }
    }
}
