//! [`ANY_PATH`]: a GET of any path of the service, for data that no operation declares.

use super::operation::Operation;
use super::params::rule::{ParamValue, format_integer};
use super::response::ResponseKind;
use crate::decode::Layout;
use crate::error::{Error, option_name};
use crate::record::Record as _;
use crate::strings::split;
use crate::types::AnyResponse;

/// A lookup whose path and parameters the caller chooses. Its responses may be balances, which must not be stale, so
/// they are never cached.
pub(crate) static ANY_PATH: Operation =
    Operation::new("request", "", &[], ResponseKind::Single, Layout::any_json(AnyResponse::TABLE)).uncached();

/// The path prefix of services that the gateway shares among all chains.
pub(super) const SERVICES: &str = "/services/";

/// Checks a path. If the base URL is the origin of the web page, a path that begins with `//` would name another host.
///
/// # Errors
/// [`ErrorCode::InvalidParameter`](crate::error::ErrorCode) that names `path`.
pub(super) fn check_path(path: &str) -> Result<(), Error> {
    let is_valid = path.starts_with('/')
        && !path.starts_with("//")
        && !path.contains(['?', '#', '\\'])
        && !split(path, b'/').any(|segment| matches!(segment, "." | ".."));
    if is_valid {
        return Ok(());
    }
    let rule =
        "must be a path below the base URL, such as /api/v2/blocks, without a query and without the segments . and ..";
    Err(Error::invalid_parameter("path", rule))
}

/// Converts the value of a parameter to what is sent.
///
/// # Errors
/// [`ErrorCode::InvalidParameter`](crate::error::ErrorCode) that names the parameter: it is a secret, or a value that cannot be sent.
pub(super) fn format_param(name: &str, value: &ParamValue) -> Result<String, Error> {
    if name.eq_ignore_ascii_case("apikey") {
        return Err(Error::invalid_parameter(name, concat!("is the API key: pass it as ", option_name!(api_key))));
    }
    let string = match value {
        ParamValue::String(string) => Some(string.clone()),
        ParamValue::List(strings) => Some(strings.join(",")),
        ParamValue::Boolean(value) => Some(if *value { "true" } else { "false" }.to_owned()),
        ParamValue::Number(value) => format_integer(*value),
        ParamValue::Other => None,
    };
    string.ok_or_else(|| {
        let rule = "must be a string, an integer that is not negative, a boolean, or a list of strings; pass other numbers as strings";
        Error::invalid_parameter(name, rule)
    })
}
