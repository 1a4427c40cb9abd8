//! How an operation of the service is asked for: path, parameters, and the rules between them.

use super::params::Rule;
use crate::error::Error;

/// A rule between parameters.
pub type CrossRule = fn(&Given<'_>) -> Result<(), Error>;

/// An operation, as data.
#[derive(Debug)]
pub struct Operation {
    /// The JavaScript method.
    pub name: &'static str,
    /// Path under the base URL, with `{address_hash}` where the address stands.
    pub path: &'static str,
    /// Parameters that are always sent.
    pub fixed: &'static [(&'static str, &'static str)],
    /// The parameters, those of the path first.
    pub params: &'static [ParamSpec],
    /// Values sent for these parameters when another one of them is given: they have an effect only together.
    pub together: &'static [(&'static str, &'static str)],
    /// Rules between parameters.
    pub rules: &'static [CrossRule],
}

/// A parameter, as data.
#[derive(Debug)]
pub struct ParamSpec {
    /// The service's name for it.
    pub name: &'static str,
    /// Whether it must be given.
    pub required: bool,
    /// What it may be.
    pub rule: Rule,
}

/// The parameters of a request that are sent in its query, as rules between parameters see them.
#[derive(Debug)]
pub struct Given<'a>(pub &'a [(&'static str, String)]);

impl Given<'_> {
    /// A parameter's spelling.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(given, _)| *given == name).map(|(_, value)| value.as_str())
    }

    /// A parameter that has been checked to be a number.
    #[must_use]
    pub fn number(&self, name: &str) -> Option<u64> {
        self.get(name)?.parse().ok()
    }
}
