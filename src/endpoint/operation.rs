//! How an operation of the service is asked for: path, parameters, and the rules between them.

use super::ParamValue;
use super::params::Rule;
use crate::error::Error;

/// A rule between parameters.
pub type CrossRule = fn(&Given<'_>) -> Result<(), Error>;

/// An operation, as data.
#[derive(Debug)]
pub struct Operation {
    /// The JavaScript method.
    pub name: &'static str,
    /// Path under the base URL, with `{address_hash}` where the address stands, and the parameters that are always sent.
    pub path: &'static str,
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
    pub rule: &'static Rule,
}

/// The parameters of an operation, as a type.
pub trait Params {
    /// The parameters as data, those that must be given first.
    const SPECS: &'static [ParamSpec];
    /// What the operation is, then what each parameter does. Kept apart so that it is never part of the module.
    const DOCS: (&'static str, &'static [&'static str]);
    /// The TypeScript type of each parameter. Kept apart likewise.
    const TYPES: &'static [&'static str];
    /// The parameters that are given.
    fn values(&self) -> Vec<(&'static str, ParamValue)>;
}

/// Declares the parameters of an operation: what it is, the name, what must and what may be given.
macro_rules! params {
    (
        $(#[doc = $doc:expr])*
        $name:ident
        required { $( $(#[doc = $required_doc:expr])* $required:ident: $required_type:ty ),* $(,)? }
        optional { $( $(#[doc = $optional_doc:expr])* $optional:ident $(= $json:literal)?: $optional_type:ty ),* $(,)? }
    ) => {
        $(#[doc = $doc])*
        #[derive(Debug, Clone, PartialEq)]
        pub struct $name {
            $( $(#[doc = $required_doc])* pub $required: $required_type, )*
            $( $(#[doc = $optional_doc])* pub $optional: Option<$optional_type>, )*
        }

        impl $crate::endpoint::Params for $name {
            const SPECS: &'static [$crate::endpoint::ParamSpec] = &[
                $( $crate::endpoint::ParamSpec {
                    name: stringify!($required),
                    required: true,
                    rule: <$required_type as $crate::endpoint::Param>::RULE,
                }, )*
                $( $crate::endpoint::ParamSpec {
                    name: $crate::record::name!($optional $($json)?),
                    required: false,
                    rule: <$optional_type as $crate::endpoint::Param>::RULE,
                }, )*
            ];
            const DOCS: (&'static str, &'static [&'static str]) = (concat!($($doc, "\n"),*), &[
                $( concat!($($required_doc, "\n"),*), )*
                $( concat!($($optional_doc, "\n"),*), )*
            ]);
            const TYPES: &'static [&'static str] = &[
                $( <$required_type as $crate::endpoint::Param>::TYPESCRIPT, )*
                $( <$optional_type as $crate::endpoint::Param>::TYPESCRIPT, )*
            ];
            fn values(&self) -> Vec<(&'static str, $crate::endpoint::ParamValue)> {
                #[allow(unused_mut, reason = "operations without optional parameters")]
                let mut values = vec![$(
                    (stringify!($required), $crate::endpoint::Param::value(&self.$required)),
                )*];
                $( if let Some(value) = &self.$optional {
                    values.push((
                        $crate::record::name!($optional $($json)?),
                        $crate::endpoint::Param::value(value),
                    ));
                } )*
                values
            }
        }
    };
}

pub(crate) use params;

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
        crate::text::parsed(self.get(name)?)
    }
}
