//! Two readings of one document, by the decoder and by serde: whether they agree.

use address_query::decode::page::{BadRow, Leniency};
use address_query::decode::{Fail, FramePage};

use crate::support::{Case, Reading, cut_at, without_extra};

/// Reads a document both ways, in these pieces too, and with leniency. Gives what is different.
pub fn check(case: &Case, document: &[u8], cuts: &[usize]) -> Result<(), String> {
    let decoded = case.decode([document], Leniency::default());
    let typed = (case.typed)(document);
    agree(case, &decoded, &typed)?;

    let chunked = case.decode(cut_at(document, cuts), Leniency::default());
    match (&decoded, &chunked) {
        (Ok(whole), Ok(chunked)) if case.reading(whole) == case.reading(chunked) => {}
        (Err(whole), Err(chunked)) if same_place(whole, chunked) => {}
        _ => return Err(format!("whole: {:?}\nin chunks: {:?}", show(case, &decoded), show(case, &chunked))),
    }

    let leniency = Leniency { skip_bad_rows: true, keep_extra: true };
    let lenient = case.decode(cut_at(document, cuts), leniency);
    // An answer that is one record has no parts.
    if case.layout.rows.is_some() {
        in_parts(case, &decoded, case.decode_in_parts(cut_at(document, cuts), Leniency::default()))?;
        in_parts(case, &lenient, case.decode_in_parts(cut_at(document, cuts), leniency))?;
    }
    skipping(case, &decoded, &lenient)
}

/// What is taken in parts is what is taken at once.
fn in_parts(
    case: &Case,
    whole: &Result<FramePage, Fail>,
    parts: Result<(Reading, Vec<BadRow>), Fail>,
) -> Result<(), String> {
    match (whole, parts) {
        (Ok(whole), Ok((parts, bad_rows))) if case.reading(whole) == parts && whole.bad_rows == bad_rows => Ok(()),
        (Err(whole), Err(parts)) if same_place(whole, &parts) => Ok(()),
        (_, parts) => Err(format!("whole: {:?}\nin parts: {parts:?}", show(case, whole))),
    }
}

/// Equal results, or refusals that fit together: the decoder stops at the first thing that is wrong, serde reads the
/// syntax of all before it looks at anything.
fn agree(case: &Case, decoded: &Result<FramePage, Fail>, typed: &Result<Reading, Fail>) -> Result<(), String> {
    let fits = match (decoded, typed) {
        (Ok(page), Ok(typed)) => {
            let page = case.reading(page);
            // A value that a later member replaced is in the frame, and may be one that `serde_json` cannot hold.
            page == *typed || (page.value.is_none() && page == Reading { value: None, ..typed.clone() })
        }
        (Err(Fail::Shape(_)), Err(Fail::Shape(typed))) if typed.found == "a second one" => true,
        (Err(Fail::Shape(decoded)), Err(Fail::Shape(typed))) => {
            (&decoded.path, &decoded.expected) == (&typed.path, &typed.expected)
        }
        (Err(_), Err(Fail::Syntax(_))) => true,
        _ => false,
    };
    if fits { Ok(()) } else { Err(format!("decoder: {:?}\nserde: {typed:?}", show(case, decoded))) }
}

fn show(case: &Case, decoded: &Result<FramePage, Fail>) -> Result<Reading, Fail> {
    decoded.as_ref().map(|page| case.reading(page)).map_err(Clone::clone)
}

/// What is found may be cut short where a chunk ends.
fn same_place(one: &Fail, other: &Fail) -> bool {
    match (one, other) {
        (Fail::Shape(one), Fail::Shape(other)) => one == other,
        (Fail::Syntax(one), Fail::Syntax(other)) => (&one.path, &one.expected) == (&other.path, &other.expected),
        _ => false,
    }
}

/// Leaving bad rows out changes nothing else, and leaves out none that is good.
fn skipping(case: &Case, strict: &Result<FramePage, Fail>, lenient: &Result<FramePage, Fail>) -> Result<(), String> {
    if let (Ok(strict), Ok(lenient)) = (strict, lenient) {
        let (strict, lenient) = (case.reading(strict), case.reading(lenient));
        let same = strict == Reading { value: lenient.value.map(without_extra), ..lenient };
        return if same {
            Ok(())
        } else {
            Err("unknown fields or bad rows are kept, and the rest is different".into())
        };
    }
    let Ok(lenient) = lenient else {
        return if strict.is_err() { Ok(()) } else { Err(format!("leniency refuses: {lenient:?}")) };
    };
    for bad in &lenient.bad_rows {
        match (case.typed_row)(&bad.raw) {
            Err(typed) if bad.mismatch.path.ends_with(&typed.path) && bad.mismatch.expected == typed.expected => {}
            other => return Err(format!("{bad:?}\nserde: {other:?}")),
        }
    }
    if lenient.bad_rows.is_empty() { Err("refused without a bad row, and read with leniency".into()) } else { Ok(()) }
}
