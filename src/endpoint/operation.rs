//! [`Operation`]: a path, parameters, and rules between parameters. Lists and actions are operations.
//!
//! The macro `params!` declares the parameter struct of an operation.

use super::params::rule::{ParamRule, ParamValue};
use super::query::Query;
use super::version::Version;
use crate::error::Error;

/// The credits that the gateway charges for a request of most operations.
pub const DEFAULT_CREDITS: u32 = 20;

/// A rule between parameters. It returns an error that names the parameter at fault.
pub(crate) type CrossRule = fn(&QueryParams<'_>) -> Result<(), Error>;

/// The declaration of an operation, as data.
#[derive(Debug)]
pub struct Operation {
    /// Name of the JavaScript method, such as `addressLogs`. That of a GraphQL operation has a prefix: `graphqlTxList`.
    pub name: &'static str,
    /// Path below the base URL, with constant query parameters. `{address_hash}` is the placeholder of that parameter.
    pub path: &'static str,
    /// The parameters, required ones first.
    pub params: &'static [ParamSpec],
    /// Default values of parameters that the service reads only together. When one is given, the others are sent too.
    pub paired_defaults: &'static [(&'static str, &'static str)],
    /// Rules between parameters.
    pub rules: &'static [CrossRule],
    /// Whether a proxy may cache responses (`maxAge`). False for balances, which must not be stale.
    pub is_cacheable: bool,
    /// The first backend version that has the operation. `None`: all supported versions have it.
    pub since: Option<Version>,
    /// The GraphQL queries of the operation, each for other parameters. Empty for the other interfaces.
    pub queries: &'static [Query],
    /// The method of JSON-RPC that is called. The request is then a POST, and its parameters are in the body.
    pub rpc_method: Option<&'static str>,
    /// Whether a request can choose the size of a page.
    pub page_sizing: PageSizing,
    /// The credits that the gateway charges for a request.
    pub credits: u32,
}

/// Whether a request can choose how many records a page has: with the query parameter `items_count`, since backend version 12.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PageSizing {
    /// It cannot.
    Fixed,
    /// It can. The cursors of older versions have the key `items_count`, those of version 12 do not.
    InCursor,
    /// It can, and no cursor shows the version.
    Silent,
}

impl PageSizing {
    /// The query parameter with the size, and a key in the cursors of old versions.
    pub(crate) const PARAMETER: &'static str = "items_count";

    /// The sizing of a list whose cursors have these keys.
    #[must_use]
    pub(crate) const fn from_cursor(keys: &[&str]) -> Self {
        let mut rest = keys;
        while let [key, others @ ..] = rest {
            if is_equal(key.as_bytes(), Self::PARAMETER.as_bytes()) {
                return Self::InCursor;
            }
            rest = others;
        }
        if keys.is_empty() { Self::Fixed } else { Self::Silent }
    }
}

/// Compares strings at compile time.
const fn is_equal(mut one: &[u8], mut other: &[u8]) -> bool {
    while let ([first, rest @ ..], [other_first, other_rest @ ..]) = (one, other) {
        if *first != *other_first {
            return false;
        }
        (one, other) = (rest, other_rest);
    }
    one.is_empty() && other.is_empty()
}

impl Operation {
    /// Returns the name in kebab-case, such as `address-logs`: the folder of its fixtures and recorded responses.
    #[must_use]
    pub fn folder_name(&self) -> String {
        let mut folder = String::new();
        for character in self.name.chars() {
            if character.is_ascii_uppercase() {
                folder.push('-');
            }
            folder.push(character.to_ascii_lowercase());
        }
        folder
    }

    /// The HTTP method of a request.
    #[must_use]
    pub const fn http_method(&self) -> &'static str {
        if self.queries.is_empty() && self.rpc_method.is_none() { "GET" } else { "POST" }
    }

    /// Whether this is the name or the path of the operation. GraphQL operations share a path, which stands for none of them.
    #[must_use]
    pub(crate) fn is_called(&self, name_or_path: &str) -> bool {
        self.name == name_or_path || self.path == name_or_path && self.queries.is_empty()
    }
}

/// The declaration of a parameter, as data.
#[derive(Debug)]
pub struct ParamSpec {
    /// Name of the parameter, the same in Rust, in JavaScript and in the URL.
    pub name: &'static str,
    /// Whether the parameter must be given.
    pub required: bool,
    /// The values that the parameter accepts.
    pub rule: &'static ParamRule,
    /// The first backend version that has the parameter. `None`: all versions that have the operation.
    pub since: Option<Version>,
}

/// A struct with the parameters of an operation.
pub trait Params: 'static {
    /// The declarations of the parameters, required ones first.
    const SPECS: &'static [ParamSpec];
    /// Documentation of the operation, and of each parameter. It is a separate constant, so that it is not compiled into
    /// the WebAssembly module.
    const DOCS: (&'static str, &'static [&'static str]);
    /// TypeScript type of each parameter. It is a separate constant for the same reason.
    const TYPES: &'static [&'static str];
    /// Returns the parameters that are set, as pairs of name and value.
    fn to_values(&self) -> Vec<(&'static str, ParamValue)>;
}

/// Declares the parameter struct of an operation: documentation, name, name of the JavaScript method, required and
/// optional parameters. A name that is not in snake case follows `=`. Each optional one has a method of its name that sets it. `since` names the first backend version that has the operation or the optional parameter.
macro_rules! params {
    (
        $(#[doc = $doc:expr])*
        $name:ident $method:literal $(since $since:literal)?
        required { $( $(#[doc = $required_doc:expr])* $required:ident $(= $required_name:literal)?: $required_type:ty ),* $(,)? }
        optional { $( $(#[doc = $optional_doc:expr])* $optional:ident $(since $optional_since:literal)?: $optional_type:ty ),* $(,)? }
    ) => {
        #[doc = concat!("Parameters of `", $method, "`.\n")]
        $(#[doc = $doc])*
        $(#[doc = concat!("\nSince backend version ", $since, ".")])?
        #[derive(Debug, Clone, PartialEq)]
        #[non_exhaustive]
        pub struct $name {
            $( $(#[doc = $required_doc])* pub $required: $required_type, )*
            $(
                $(#[doc = $optional_doc])*
                $(#[doc = concat!("\nSince backend version ", $optional_since, ".")])?
                pub $optional: Option<$optional_type>,
            )*
        }

        $crate::endpoint::operation::constructor! {
            $name required { $( $required: $required_type, )* } optional { $( $optional, )* }
        }

        impl $name {
            $crate::builder::builder_methods! { $(
                $(#[doc = $optional_doc])*
                $(#[doc = concat!("\nSince backend version ", $optional_since, ".")])?
                $optional: $optional_type,
            )* }
        }

        impl $crate::endpoint::Params for $name {
            const SPECS: &'static [$crate::endpoint::ParamSpec] = &[
                $( $crate::endpoint::ParamSpec {
                    name: $crate::record::name!($required $($required_name)?),
                    required: true,
                    rule: <$required_type as $crate::endpoint::ParamType>::RULE,
                    since: None,
                }, )*
                $( $crate::endpoint::ParamSpec {
                    name: $crate::record::name!($optional),
                    required: false,
                    rule: <$optional_type as $crate::endpoint::ParamType>::RULE,
                    since: $crate::endpoint::operation::since!($($optional_since)?),
                }, )*
            ];
            const DOCS: (&'static str, &'static [&'static str]) = (concat!($($doc, "\n"),*), &[
                $( concat!($($required_doc, "\n"),*), )*
                $( concat!($($optional_doc, "\n"),*), )*
            ]);
            const TYPES: &'static [&'static str] = &[
                $( <$required_type as $crate::endpoint::ParamType>::TYPESCRIPT, )*
                $( <$optional_type as $crate::endpoint::ParamType>::TYPESCRIPT, )*
            ];
            fn to_values(&self) -> Vec<(&'static str, $crate::endpoint::ParamValue)> {
                #[allow(unused_mut, reason = "operations without optional parameters")]
                let mut values = vec![$(
                    (
                        $crate::record::name!($required $($required_name)?),
                        $crate::endpoint::ParamType::to_value(&self.$required),
                    ),
                )*];
                $( if let Some(value) = &self.$optional {
                    values.push((
                        $crate::record::name!($optional),
                        $crate::endpoint::ParamType::to_value(value),
                    ));
                } )*
                values
            }
        }
    };
}

/// Declares how parameters are created: by `new` from the required ones, or by `Default` where none is required.
macro_rules! constructor {
    ($name:ident required {} optional { $( $optional:ident, )* }) => {
        impl Default for $name {
            /// Creates parameters that are all `None`.
            fn default() -> Self {
                Self { $( $optional: None, )* }
            }
        }
    };
    ($name:ident required { $( $required:ident: $type:ty, )* } optional { $( $optional:ident, )* }) => {
        impl $name {
            /// Creates parameters from the required ones; the optional ones are `None`.
            ///
            /// There is no `Default`, because a required parameter has no meaningful default value. Each optional parameter
            /// has a method of its name that sets it.
            #[must_use]
            pub const fn new($( $required: $type ),*) -> Self {
                Self { $( $required, )* $( $optional: None, )* }
            }
        }
    };
}

/// Whether a proxy may cache the responses of an operation with this attribute. The only attribute is `uncached`.
macro_rules! is_cacheable {
    () => {
        true
    };
    (uncached) => {
        false
    };
}

/// The credits after `costs` in a declaration, or the default.
macro_rules! credits {
    () => {
        $crate::endpoint::operation::DEFAULT_CREDITS
    };
    ($credits:literal) => {
        $credits
    };
}

/// The version after `since` in a declaration, if any.
macro_rules! since {
    () => {
        None
    };
    ($since:literal) => {
        Some($crate::endpoint::version::Version::declared($since))
    };
}

pub(crate) use {constructor, credits, is_cacheable, params, since};

/// The checked parameters in the query of a request. The rules between parameters read them.
#[derive(Debug)]
pub struct QueryParams<'a>(pub &'a [(&'static str, String)]);

impl QueryParams<'_> {
    /// Returns the value of a parameter. `None` where it is not given.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(known, _)| *known == name).map(|(_, value)| value.as_str())
    }

    /// Returns the value of an integer parameter. `None` where it is not given.
    #[must_use]
    pub fn get_number(&self, name: &str) -> Option<u64> {
        crate::strings::parse_u64(self.get(name)?)
    }
}
