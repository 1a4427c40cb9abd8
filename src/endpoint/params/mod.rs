//! The types of request parameters. Each has a rule for accepted values, a canonical form in the URL and a TypeScript
//! type.
//!
//! Each declares its rule with `ParamType`, which is checked before a request is sent.

/// Declares types of parameters that hold an `integer`, a `string` or a list of `strings`: the alternatives for each value, and the words
/// that follow "must be" in error messages. A string is checked when it is parsed, the others when they are sent.
///
/// An `enum` has its TypeScript type, those words, and variants with their strings.
macro_rules! param_types {
    ($( $(#[doc = $doc:expr])* $holds:ident $name:ident: $allowed:tt, $must_be:literal; )*) => { $(
        param_types! { @$holds $(#[doc = $doc])* $name $allowed $must_be }
    )* };
    ($( $(#[doc = $doc:expr])* enum $name:ident as $typescript:literal, $must_be:literal {
        $( $(#[doc = $value_doc:expr])* $variant:ident = $value:literal ),* $(,)?
    } )*) => { $(
        $crate::object::string_enum! {
            $(#[doc = $doc])*
            $name { $( $(#[doc = $value_doc])* $variant = $value, )* }
        }

        param_types! {
            @rule $name [Allowed::OneOf(&[$( $value ),*])] $must_be, false, $typescript,
            |value| ParamValue::String(value.as_str().to_owned())
        }
    )* };
    (@integer $(#[doc = $doc:expr])* $name:ident $allowed:tt $must_be:literal) => {
        $(#[doc = $doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u64);

        param_types! { @rule $name $allowed $must_be, false, "number", |value| ParamValue::String(value.0.to_string()) }
    };
    (@strings $(#[doc = $doc:expr])* $name:ident $allowed:tt $must_be:literal) => {
        $(#[doc = $doc])*
        #[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
        pub struct $name(pub Vec<String>);

        param_types! {
            @rule $name $allowed $must_be, true, "string | readonly string[]", |value| ParamValue::List(value.0.clone())
        }
    };
    (@string $(#[doc = $doc:expr])* $name:ident $allowed:tt $must_be:literal) => {
        $(#[doc = $doc])*
        #[derive(Debug, Clone, PartialEq, Eq, Hash)]
        pub struct $name(String);

        param_types! { @rule $name $allowed $must_be, false, "string", |value| ParamValue::String(value.0.clone()) }

        impl std::str::FromStr for $name {
            type Err = Error;
            fn from_str(string: &str) -> Result<Self, Error> {
                Self::RULE.check(&stringify!($name).to_ascii_lowercase(), &ParamValue::String(string.to_owned()))?;
                Ok(Self(string.to_owned()))
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
    (@rule $name:ident $allowed:tt $must_be:literal, $is_list:literal, $typescript:literal, $to_value:expr) => {
        impl ParamType for $name {
            const RULE: &'static ParamRule = &ParamRule { must_be: $must_be, is_list: $is_list, allowed: &$allowed };
            const TYPESCRIPT: &'static str = $typescript;
            fn to_value(&self) -> ParamValue {
                let to_value: fn(&Self) -> ParamValue = $to_value;
                to_value(self)
            }
        }
    };
}

mod choices;
mod hex;
mod numbers;
pub(crate) mod rule;
mod text;

pub use choices::*;
pub use hex::*;
pub use numbers::*;
pub use text::*;
