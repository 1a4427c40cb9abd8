//! The rules between parameters of actions.

use super::operation::QueryParams;
use super::response::{ACCOUNT_RANGE, LOG_RANGE, MAX_ROWS};
use crate::error::Error;
use crate::strings::split;

/// Requires `page` and `offset` to be given together.
///
/// # Errors
/// [`ErrorCode::InvalidParameter`](crate::error::ErrorCode) that names the missing one.
pub(crate) fn require_page_and_offset(params: &QueryParams<'_>) -> Result<(), Error> {
    match (params.get("page"), params.get("offset")) {
        (Some(_), None) => Err(Error::invalid_parameter("offset", "must be given together with page")),
        (None, Some(_)) => Err(Error::invalid_parameter("page", "must be given together with offset")),
        _ => Ok(()),
    }
}

/// Requires `page` × `offset` to be at most [`MAX_ROWS`].
///
/// # Errors
/// [`ErrorCode::InvalidParameter`](crate::error::ErrorCode) that names `page`.
pub(crate) fn check_result_window(params: &QueryParams<'_>) -> Result<(), Error> {
    match (params.get_number("page"), params.get_number("offset")) {
        (Some(page), Some(offset)) if page.saturating_mul(offset) > MAX_ROWS => {
            let rule = "page times offset must be at most 10000, the number of rows that the service returns";
            Err(Error::invalid_parameter("page", rule))
        }
        _ => Ok(()),
    }
}

/// Requires the start of a range of blocks or times to be at or before its end.
///
/// # Errors
/// [`ErrorCode::InvalidParameter`](crate::error::ErrorCode) that names the end of the range.
pub(crate) fn check_range_order(params: &QueryParams<'_>) -> Result<(), Error> {
    for [start, end] in [ACCOUNT_RANGE.bounds, LOG_RANGE.bounds, ["start_timestamp", "end_timestamp"]] {
        if let (Some(first), Some(last)) = (params.get_number(start), params.get_number(end))
            && first > last
        {
            return Err(Error::invalid_parameter(end, &["must not be smaller than ", start].concat()));
        }
    }
    Ok(())
}

/// Requires `address`, `contractaddress` or both.
///
/// # Errors
/// [`ErrorCode::InvalidParameter`](crate::error::ErrorCode) that names `address`.
pub(crate) fn require_address_or_contract(params: &QueryParams<'_>) -> Result<(), Error> {
    if params.get("address").is_none() && params.get("contractaddress").is_none() {
        return Err(Error::invalid_parameter("address", "either address or contractaddress is required"));
    }
    Ok(())
}

/// The topics of a log, and the parameters with the operator between two of them.
const TOPICS: [&str; 4] = ["topic0", "topic1", "topic2", "topic3"];
const TOPIC_OPERATORS: [(&str, [&str; 2]); 6] = [
    ("topic0_1_opr", [TOPICS[0], TOPICS[1]]),
    ("topic0_2_opr", [TOPICS[0], TOPICS[2]]),
    ("topic0_3_opr", [TOPICS[0], TOPICS[3]]),
    ("topic1_2_opr", [TOPICS[1], TOPICS[2]]),
    ("topic1_3_opr", [TOPICS[1], TOPICS[3]]),
    ("topic2_3_opr", [TOPICS[2], TOPICS[3]]),
];

/// Requires an address or a topic, and an operator for each pair of topics. The service refuses requests without it.
///
/// # Errors
/// [`ErrorCode::InvalidParameter`](crate::error::ErrorCode) that names `address`, or the first operator at fault.
pub(crate) fn check_topics(params: &QueryParams<'_>) -> Result<(), Error> {
    let has = |name: &str| params.get(name).is_some();
    if !has("address") && !TOPICS.into_iter().any(has) {
        return Err(Error::invalid_parameter("address", "either address or a topic is required"));
    }
    for (operator, [first, second]) in TOPIC_OPERATORS {
        let rule = match (has(operator), has(first) && has(second)) {
            (false, true) => "is required: \"and\" or \"or\", because both topics are given",
            (true, false) => "can be used only if both topics are given",
            _ => continue,
        };
        return Err(Error::invalid_parameter(operator, rule));
    }
    Ok(())
}

/// The maximum number of contracts per request. The service ignores the others.
pub const MAX_CONTRACTS: usize = 10;

/// Requires at most [`MAX_CONTRACTS`] in `contractaddresses`.
///
/// # Errors
/// [`ErrorCode::InvalidParameter`](crate::error::ErrorCode) that names `contractaddresses`.
pub(crate) fn check_contract_count(params: &QueryParams<'_>) -> Result<(), Error> {
    const NAME: &str = "contractaddresses";
    if params.get(NAME).is_some_and(|addresses| split(addresses, b',').count() > MAX_CONTRACTS) {
        return Err(Error::invalid_parameter(
            NAME,
            "must be at most 10 addresses, because the service ignores the others",
        ));
    }
    Ok(())
}

/// The maximum number of calls per batch. The gateway refuses larger batches, and charges for them.
pub const MAX_CALLS: usize = 5;

/// Requires call data for each contract, and at most [`MAX_CALLS`] contracts.
///
/// # Errors
/// [`ErrorCode::InvalidParameter`](crate::error::ErrorCode) that names `to` or `data`.
pub(crate) fn check_calls(params: &QueryParams<'_>) -> Result<(), Error> {
    let count = |name: &str| params.get(name).map_or(0, |values| split(values, b',').count());
    let calls = count("to");
    if calls != count("data") {
        return Err(Error::invalid_parameter("data", "must have one item for each address in to"));
    }
    if calls == 0 || calls > MAX_CALLS {
        return Err(Error::invalid_parameter("to", "must be 1 to 5 addresses, the maximum for a batch"));
    }
    Ok(())
}

/// Requires `address` if another parameter is given that the service ignores without `address`.
///
/// # Errors
/// [`ErrorCode::InvalidParameter`](crate::error::ErrorCode) that names the first such parameter.
pub(crate) fn require_address(params: &QueryParams<'_>) -> Result<(), Error> {
    let dependents = ["sort", "startblock", "endblock", "page", "offset"];
    match dependents.into_iter().find(|name| params.get(name).is_some()) {
        Some(name) if params.get("address").is_none() => {
            Err(Error::invalid_parameter(name, "can be used only together with address"))
        }
        _ => Ok(()),
    }
}
