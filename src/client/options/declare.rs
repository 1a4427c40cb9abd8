//! The declaration language of options: [`OptionSet`], the values that an option accepts, and the macro `options!`, which also
//! declares the struct with the values. The declarations are in [`super`].

use crate::endpoint::ParamValue;

/// Names and values of options or parameters.
pub type NamedValues = Vec<(String, ParamValue)>;

/// The longest delay that `setTimeout` supports, in milliseconds.
const MAX_MS: u64 = 2_147_483_647;

/// The options of a constructor or of a group of methods.
#[derive(Debug)]
pub struct OptionSet {
    /// Name of the TypeScript interface. The JavaScript table has the same name, starting with a lower-case letter.
    pub interface: &'static str,
    /// Documentation of the interface.
    pub doc: &'static str,
    /// The set that this one extends.
    pub base: Option<&'static OptionSet>,
    /// The options, excluding the ones from `base`.
    pub options: &'static [OptionSpec],
}

/// An option.
#[derive(Debug)]
pub struct OptionSpec {
    /// Name in JavaScript.
    pub name: &'static str,
    /// Documentation for users.
    pub doc: &'static str,
    /// The accepted values.
    pub accepted: Accepted,
    pub(super) typescript: Option<&'static str>,
    pub(super) default: fn() -> Option<String>,
}

impl OptionSpec {
    /// The TypeScript type.
    #[must_use]
    pub fn typescript(&self) -> String {
        self.typescript.map_or_else(|| self.accepted.typescript(), str::to_owned)
    }

    /// The default as a JavaScript literal. None if no single value has the same effect as omitting the option.
    #[must_use]
    pub fn default(&self) -> Option<String> {
        (self.default)()
    }
}

/// The values that an option accepts.
#[derive(Debug, Clone, Copy)]
pub enum Accepted {
    /// A string. The argument completes the error message "must be …".
    String(&'static str),
    /// A string or a function that returns a string.
    StringOrFunction,
    /// A function.
    Function,
    /// A function that receives reports, with this TypeScript type of its argument. An error that it throws becomes an
    /// uncaught error.
    Callback(&'static str),
    /// A number between these, inclusive.
    Number(f64, f64),
    /// An integer between these, inclusive.
    Integer(u64, u64),
    /// A number of milliseconds, at least this many. Fractions are truncated.
    Milliseconds(u64),
    /// One of these values, as JavaScript literals.
    OneOf(&'static [&'static str]),
    /// An `AbortSignal`, of any realm.
    Signal,
    /// A chain: an object with an `id`.
    Chain,
}

impl Accepted {
    /// The error message for a value that is not accepted, without the option's name.
    #[must_use]
    pub fn rule(&self) -> String {
        match self {
            Self::String(what) => format!("must be {what}"),
            Self::StringOrFunction => "must be a string or a function that returns a string".into(),
            Self::Function | Self::Callback(_) => "must be a function".into(),
            Self::Number(from, to) => format!("must be a number from {from} to {to}"),
            Self::Integer(from, to) => format!("must be an integer from {from} to {to}"),
            Self::Milliseconds(from) => format!("must be a number of milliseconds from {from} to {MAX_MS}"),
            Self::OneOf(values) => format!("must be {}", values.join(" or ")),
            Self::Signal => "must be an AbortSignal".into(),
            Self::Chain => "must be a chain: an object with a numeric id".into(),
        }
    }

    /// The same rule as members of a JavaScript object literal, which `options.js` evaluates.
    #[must_use]
    pub fn condition(&self) -> String {
        match self {
            Self::String(_) => "types: [\"string\"]".into(),
            Self::StringOrFunction => "types: [\"string\", \"function\"]".into(),
            Self::Function => "types: [\"function\"]".into(),
            Self::Callback(_) => "types: [\"function\"], isCallback: true".into(),
            Self::Number(from, to) => format!("from: {from}, to: {to}"),
            Self::Integer(from, to) => format!("from: {from}, to: {to}, integer: true"),
            Self::Milliseconds(from) => format!("from: {from}, to: {MAX_MS}"),
            Self::OneOf(values) => format!("values: [{}]", values.join(", ")),
            Self::Signal => "members: { aborted: \"boolean\", addEventListener: \"function\" }".into(),
            Self::Chain => "members: { id: \"number\" }".into(),
        }
    }

    fn typescript(&self) -> String {
        match self {
            Self::String(_) => "string".into(),
            Self::StringOrFunction => "string | (() => string | Promise<string>)".into(),
            Self::Function => "() => void".into(),
            Self::Callback(argument) => format!("({argument}) => void"),
            Self::Number(..) | Self::Integer(..) | Self::Milliseconds(_) => "number".into(),
            Self::OneOf(["true", "false"]) => "boolean".into(),
            Self::OneOf(values) => values.join(" | "),
            Self::Signal => "AbortSignalLike".into(),
            Self::Chain => "ChainLike".into(),
        }
    }
}

/// A type of field that is set to the value of an option. JavaScript has already checked the value against the declaration.
pub(super) trait OptionValue {
    /// Sets the field.
    fn set(&mut self, value: &ParamValue);
}

impl OptionValue for bool {
    fn set(&mut self, value: &ParamValue) {
        *self = matches!(value, ParamValue::Boolean(true));
    }
}

impl OptionValue for u32 {
    fn set(&mut self, value: &ParamValue) {
        *self = to_u32(value);
    }
}

impl OptionValue for Option<u32> {
    fn set(&mut self, value: &ParamValue) {
        *self = Some(to_u32(value));
    }
}

impl OptionValue for u64 {
    fn set(&mut self, value: &ParamValue) {
        *self = to_u32(value).into();
    }
}

impl OptionValue for usize {
    fn set(&mut self, value: &ParamValue) {
        *self = to_u32(value) as usize;
    }
}

impl OptionValue for Option<u64> {
    fn set(&mut self, value: &ParamValue) {
        *self = if let ParamValue::Number(number) = value { Some(to_u64(*number)) } else { None };
    }
}

impl OptionValue for Option<f64> {
    fn set(&mut self, value: &ParamValue) {
        *self = if let ParamValue::Number(number) = value { Some(*number) } else { None };
    }
}

impl OptionValue for Option<bool> {
    fn set(&mut self, value: &ParamValue) {
        *self = if let ParamValue::Boolean(boolean) = value { Some(*boolean) } else { None };
    }
}

impl OptionValue for Option<String> {
    fn set(&mut self, value: &ParamValue) {
        *self = if let ParamValue::String(string) = value { Some(string.clone()) } else { None };
    }
}

/// Compares two names. A `match` would be faster and much larger: it has code for each name.
#[inline(never)]
pub(super) fn is_same(name: &str, other: &str) -> bool {
    name == other
}

/// Truncates a number to an integer.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates; the range was checked before")]
const fn to_u64(number: f64) -> u64 {
    number as u64
}

/// Truncates a number to an integer. Returns 0 for other values.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates; the range was checked before")]
#[inline(never)] // Smaller code: most options are numbers.
fn to_u32(value: &ParamValue) -> u32 {
    match value {
        ParamValue::Number(number) => *number as u32,
        _ => 0,
    }
}

/// Declares the [`OptionSet`]s of a constructor or call, and a struct with their values.
///
/// ```text
/// options! {
///     /// Documentation of the struct.
///     struct CallOptions new(retry_policy: RetryPolicy) {      // parameters of its constructor
///         /// Fields that are not the value of a single option, with their default.
///         retry_policy: RetryPolicy = retry_policy,
///     }
///
///     /// Documentation of the set.
///     LIST_OPTIONS "ListOptions": ACTION_OPTIONS {             // TypeScript interface: the set that it extends
///         /// Documentation of the option.
///         resume String("a token") => resume: Option<String>;  // accepted values => field of the struct
///         prefetch OneOf(&["0", "1"]) = 1;                     // default; without a field, JavaScript uses the option
///         timeoutMs Milliseconds(1) => retry_policy.timeout_ms; // a member of another field
///         until OneOf(&["\"fresh\""]) => "fresh" => until_fresh: bool; // whether the value is this string
///     }
/// }
/// ```
///
/// `as` states the TypeScript type if it does not follow from the accepted values.
macro_rules! options {
    (
        $(#[doc = $about:expr])*
        struct $struct:ident new($($param:ident: $param_type:ty),*) {
            $( $(#[doc = $field_doc:expr])* $field:ident: $field_type:ty = $field_default:expr, )*
        }
        $(
            $(#[doc = $set_doc:expr])*
            $set:ident $interface:literal $(: $base:ident)? {
                $(
                    $(#[doc = $doc:expr])*
                    $name:ident $accepted:ident $(($($argument:expr),*))? $(as $typescript:literal)? $(= $default:expr)?
                    $(=> $($is:literal =>)? $target:ident $(. $member:ident)? $(: $type:ty)?)?;
                )*
            }
        )*
    ) => {
        $(
            $(#[doc = $set_doc])*
            pub(crate) static $set: OptionSet = OptionSet {
                interface: $interface,
                doc: concat!($($set_doc, "\n"),*),
                base: options!(@optional $(&$base)?),
                options: &[$( OptionSpec {
                    name: stringify!($name),
                    doc: concat!($($doc, "\n"),*),
                    accepted: Accepted::$accepted $(($($argument),*))?,
                    typescript: options!(@optional $($typescript)?),
                    default: || options!(@optional $($default.to_string())?),
                } ),*],
            };
        )*

        options! {
            @struct $(#[doc = $about])*
            $struct ($($param: $param_type),*)
            [ $( { $(#[doc = $field_doc])* } $field: $field_type = ($field_default), )* ]
            // The documentation and default of an option in one token tree each, for the fields that only some options have.
            [ $( $( { concat!($($doc, "\n"),*) } [$($default)?] $name $($(($is))? $target $(. $member)? $(: $type)?)?; )* )* ]
        }
    };
    (
        @struct $(#[doc = $about:expr])*
        $struct:ident ($($param:ident: $param_type:ty),*)
        [ $( { $(#[doc = $field_doc:expr])* } $field:ident: $field_type:ty = ($field_default:expr), )* ]
        [ $( { $doc:expr } $default:tt $name:ident $( $(($is:literal))? $target:ident $(. $member:ident)? $(: $type:ty)?)?; )* ]
    ) => {
        $(#[doc = $about])*
        #[derive(Debug, Clone)]
        #[non_exhaustive]
        pub struct $struct {
            $( $(#[doc = $field_doc])* pub $field: $field_type, )*
            $( $( $( #[doc = $doc] pub $target: $type, )? )? )*
        }

        impl $struct {
            /// Creates the defaults.
            #[must_use]
            pub fn new($($param: $param_type),*) -> Self {
                Self {
                    $( $field: $field_default, )*
                    $( $( $( $target: options!(@default $default $type), )? )? )*
                }
            }

            $crate::builder::builder_methods! {
                $( $(#[doc = $field_doc])* $field: impl Into<$field_type>, )*
                $( $( $( #[doc = $doc] $target: $type, )? )? )*
            }

            /// Sets the option of this name. Ignores options that JavaScript uses.
            fn set(&mut self, name: &str, value: &ParamValue) {
                $( $( if is_same(name, stringify!($name)) {
                    options!(@set self.$target $(. $member)?, value $(, $is)?);
                } )? )*
            }
        }
    };
    (@optional) => { None };
    (@optional $value:expr) => { Some($value) };
    (@default [] $type:ty) => { <$type>::default() };
    (@default [$default:expr] $type:ty) => { $default };
    (@set $field:expr, $value:ident) => { OptionValue::set(&mut $field, $value) };
    (@set $field:expr, $value:ident, $is:literal) => {
        $field = matches!($value, ParamValue::String(string) if string == $is)
    };
}

pub(super) use options;
