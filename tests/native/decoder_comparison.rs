//! Compares the streaming decoder with serde: both must decode a document to the same value, or both must reject it. Also
//! compares the values that JavaScript and Rust read from a frame.

use address_query::testing::decode::{BadRecord, DecodeOptions};
use address_query::testing::decode::{DecodeError, FramePage};

use crate::support::{Case, PageValue, split_at_positions, without_extra};

/// A decoded page and its value. Reading the value takes longer than decoding.
struct Decoded {
    page: FramePage,
    value: PageValue,
}

/// Decodes a document with the decoder and with serde, also cut at these positions and with both options.
///
/// # Errors
/// A description of the difference.
pub fn compare_decoders(case: &Case, document: &[u8], cuts: &[usize]) -> Result<(), String> {
    let decode = |cuts: &[usize], decode_options| {
        let page = case.decode(split_at_positions(document, cuts), decode_options)?;
        Ok(Decoded { value: case.page_value(&page), page })
    };
    let decoded = decode(&[], DecodeOptions::default());
    let typed = case.read_serde(document);
    compare_results(&decoded, &typed)?;

    let chunked = decode(cuts, DecodeOptions::default());
    match (&decoded, &chunked) {
        (Ok(whole), Ok(chunked)) if whole.value == chunked.value => {}
        (Err(whole), Err(chunked)) if is_same_error(whole, chunked) => {}
        _ => {
            return Err(format!("whole: {:?}\nin chunks: {:?}", to_page_value(&decoded), to_page_value(&chunked)));
        }
    }

    let decode_options = DecodeOptions::default().skip_bad_records(true).keep_extra(true);
    let skipping = decode(cuts, decode_options);
    // A response that is a single record has no batches.
    if case.layout.rows.is_some() {
        let decode_in_batches = |options| case.decode_in_batches(split_at_positions(document, cuts), options);
        compare_batches(&decoded, decode_in_batches(DecodeOptions::default()))?;
        compare_batches(&skipping, decode_in_batches(decode_options))?;
    }
    compare_skipping(case, &decoded, &skipping)?;
    chunked.map_or(Ok(()), |page| compare_structs(case, page))?;
    skipping.map_or(Ok(()), |page| compare_structs(case, page))
}

/// Checks that Rust reads the same values from a frame as JavaScript.
fn compare_structs(case: &Case, decoded: Decoded) -> Result<(), String> {
    let Decoded { mut page, value: PageValue { value, .. } } = decoded;
    let structs = case.struct_value(&mut page);
    match (&value, &structs) {
        // `serde_json` cannot parse some of the values. The frame also contains values that a later member replaced.
        (None, _) => Ok(()),
        // Unknown fields can be nested one level deeper than `serde_json` parses.
        (_, None) if !page.frame.extras.is_empty() => Ok(()),
        _ if value == structs => Ok(()),
        _ => Err(format!("frame: {value:?}\nstructs: {structs:?}")),
    }
}

/// Checks that batches have the same content as the whole page.
fn compare_batches(
    whole: &Result<Decoded, DecodeError>,
    batches: Result<(PageValue, Vec<BadRecord>), DecodeError>,
) -> Result<(), String> {
    match (whole, batches) {
        (Ok(whole), Ok((batches, bad_records))) if whole.value == batches && whole.page.bad_records == bad_records => {
            Ok(())
        }
        (Err(whole), Err(batches)) if is_same_error(whole, &batches) => Ok(()),
        (_, batches) => Err(format!("whole: {:?}\nin batches: {batches:?}", to_page_value(whole))),
    }
}

/// Checks for equal values or matching errors. The decoder stops at the first error. serde checks the syntax of the
/// whole document first.
fn compare_results(
    decoded: &Result<Decoded, DecodeError>,
    typed: &Result<PageValue, DecodeError>,
) -> Result<(), String> {
    let is_equal = match (decoded, typed) {
        (Ok(Decoded { value: page, .. }), Ok(typed)) => {
            // The frame also contains values that a later member replaced. `serde_json` may be unable to parse them.
            page == typed || (page.value.is_none() && *page == PageValue { value: None, ..typed.clone() })
        }
        (Err(DecodeError::Mismatch(_)), Err(DecodeError::Mismatch(typed))) if typed.found == "a second one" => true,
        (Err(DecodeError::Mismatch(decoded)), Err(DecodeError::Mismatch(typed))) => {
            (&decoded.path, &decoded.expected) == (&typed.path, &typed.expected)
        }
        (Err(_), Err(DecodeError::Syntax(_))) => true,
        _ => false,
    };
    if is_equal { Ok(()) } else { Err(format!("decoder: {:?}\nserde: {typed:?}", to_page_value(decoded))) }
}

fn to_page_value(decoded: &Result<Decoded, DecodeError>) -> Result<&PageValue, &DecodeError> {
    decoded.as_ref().map(|decoded| &decoded.value)
}

/// Whether two errors are equal, except for the excerpt of a syntax error, which can end where a chunk ends.
fn is_same_error(one: &DecodeError, other: &DecodeError) -> bool {
    match (one, other) {
        (DecodeError::Mismatch(one), DecodeError::Mismatch(other)) => one == other,
        (DecodeError::Syntax(one), DecodeError::Syntax(other)) => {
            (&one.path, &one.expected) == (&other.path, &other.expected)
        }
        _ => false,
    }
}

/// Checks that skipping invalid rows changes nothing else, and skips no valid row.
fn compare_skipping(
    case: &Case,
    strict: &Result<Decoded, DecodeError>,
    skipping: &Result<Decoded, DecodeError>,
) -> Result<(), String> {
    if let (Ok(strict), Ok(skipping)) = (strict, skipping) {
        let skipping = skipping.value.clone();
        let same = strict.value == PageValue { value: skipping.value.map(without_extra), ..skipping };
        return if same { Ok(()) } else { Err("the page differs with skip_bad_records and keep_extra".into()) };
    }
    let Ok(skipping) = skipping else {
        return if strict.is_err() {
            Ok(())
        } else {
            Err(format!("rejected only with skip_bad_records: {:?}", to_page_value(skipping)))
        };
    };
    for bad in &skipping.page.bad_records {
        match (case.read_serde_row)(&bad.raw) {
            Err(typed) if bad.path.ends_with(&typed.path) && bad.expected == typed.expected => {}
            other => return Err(format!("{bad:?}\nserde: {other:?}")),
        }
    }
    if skipping.page.bad_records.is_empty() {
        Err("rejected in strict mode, but decoded without a skipped row".into())
    } else {
        Ok(())
    }
}
