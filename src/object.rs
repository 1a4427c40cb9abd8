//! The declaration language of the plain objects that JavaScript receives beside records: reports, events, details of errors.
//!
//! `object!` declares the struct. The JSON that crosses the boundary and the TypeScript interface follow from the same
//! declaration, so that a new member is one line. Objects are rare: for records, which are many, see `record` and
//! [`Frame`](crate::decode::Frame).

use crate::strings::{format_u64, quote_json};

/// A type that a member of an object can have.
pub trait JsonValue {
    /// The TypeScript type.
    fn typescript() -> String;
    /// Formats the value as JSON.
    fn to_json(&self) -> String;
}

/// A struct that JavaScript receives as an object. Implemented by `object!`.
pub trait Object: JsonValue {
    /// Returns the declaration, as data.
    fn spec() -> ObjectSpec;
}

/// The declaration of an object, as data.
#[derive(Debug)]
pub struct ObjectSpec {
    /// Name of the TypeScript interface.
    pub interface: &'static str,
    /// Documentation of the object.
    pub doc: &'static str,
    /// The members.
    pub members: Vec<MemberSpec>,
}

/// The declaration of a member, as data.
#[derive(Debug)]
pub struct MemberSpec {
    /// Name in JavaScript.
    pub name: String,
    /// Documentation of the member.
    pub doc: &'static str,
    /// Whether the member is omitted instead of null.
    pub is_optional: bool,
    /// TypeScript type.
    pub typescript: String,
}

const NULL: &str = "null";

/// Formats an object. Each member has the name of its field, whether it is omitted instead of null, and its value as JSON.
pub(crate) fn format_object(members: &[(&str, bool, String)]) -> String {
    let mut json = String::from("{");
    for (field, _, value) in members.iter().filter(|(_, is_optional, value)| !is_optional || value != NULL) {
        let separator = if json.len() == 1 { "\"" } else { ",\"" };
        for part in [separator, &*to_camel_case(field), "\":", &**value] {
            json.push_str(part);
        }
    }
    json + "}"
}

/// Returns the JavaScript name of a Rust field.
pub(crate) fn to_camel_case(field: &str) -> String {
    let mut name = String::new();
    let mut is_start = false;
    for character in field.chars() {
        if character != '_' {
            name.push(if is_start { character.to_ascii_uppercase() } else { character });
        }
        is_start = character == '_';
    }
    name
}

impl JsonValue for str {
    fn typescript() -> String {
        "string".into()
    }
    fn to_json(&self) -> String {
        quote_json(self)
    }
}

impl JsonValue for String {
    fn typescript() -> String {
        str::typescript()
    }
    fn to_json(&self) -> String {
        quote_json(self)
    }
}

impl JsonValue for bool {
    fn typescript() -> String {
        "boolean".into()
    }
    fn to_json(&self) -> String {
        if *self { "true" } else { "false" }.into()
    }
}

impl JsonValue for u64 {
    fn typescript() -> String {
        "number".into()
    }
    fn to_json(&self) -> String {
        format_u64(*self)
    }
}

impl JsonValue for u32 {
    fn typescript() -> String {
        u64::typescript()
    }
    fn to_json(&self) -> String {
        format_u64((*self).into())
    }
}

impl JsonValue for u16 {
    fn typescript() -> String {
        u64::typescript()
    }
    fn to_json(&self) -> String {
        format_u64((*self).into())
    }
}

impl<T: JsonValue + ?Sized> JsonValue for &T {
    fn typescript() -> String {
        T::typescript()
    }
    fn to_json(&self) -> String {
        T::to_json(self)
    }
}

impl<T: JsonValue> JsonValue for Option<T> {
    fn typescript() -> String {
        T::typescript() + " | null"
    }
    fn to_json(&self) -> String {
        self.as_ref().map_or_else(|| NULL.into(), T::to_json)
    }
}

impl<T: JsonValue> JsonValue for Vec<T> {
    fn typescript() -> String {
        T::typescript() + "[]"
    }
    fn to_json(&self) -> String {
        let mut json = String::from("[");
        for value in self {
            json.push_str(if json.len() == 1 { "" } else { "," });
            json.push_str(&value.to_json());
        }
        json + "]"
    }
}

/// Lets members of objects have the type of an enum of strings. Its TypeScript type has the same name.
macro_rules! enum_member {
    ($enum:ident) => {
        impl $crate::object::JsonValue for $enum {
            fn typescript() -> String {
                stringify!($enum).into()
            }
            fn to_json(&self) -> String {
                $crate::object::JsonValue::to_json(self.as_str())
            }
        }
    };
}

/// Declares the struct of an object.
///
/// ```text
/// object! {
///     /// Documentation of the object, in Rust and in TypeScript.
///     #[derive(Debug)]
///     Event<'a> "ClientEvent" {            // TypeScript interface
///         /// Documentation of the member: meaning, unit, meaning of null.
///         url: &'a str,                    // in JavaScript, names are in camel case
///         status @optional: Option<u16>,   // omitted instead of null
///     } internal {                         // optional: fields of the struct that JavaScript does not receive
///         /// Documentation of the field.
///         pub(crate) is_transient: bool,
///     }
/// }
/// ```
macro_rules! object {
    (
        $(#[doc = $doc:expr])*
        #[derive($($derive:path),*)]
        $name:ident $(<$lifetime:lifetime>)? $interface:literal {
            $( $(#[doc = $member_doc:expr])* $member:ident $(@ $optional:ident)? : $type:ty, )*
        } $(internal {
            $( $(#[doc = $internal_doc:expr])* $visibility:vis $internal:ident: $internal_type:ty, )*
        })?
    ) => {
        $(#[doc = $doc])*
        #[derive($($derive),*)]
        pub struct $name $(<$lifetime>)? {
            $( $(#[doc = $member_doc])* pub $member: $type, )*
            $( $( $(#[doc = $internal_doc])* $visibility $internal: $internal_type, )* )?
        }

        impl $(<$lifetime>)? $crate::object::JsonValue for $name $(<$lifetime>)? {
            fn typescript() -> String {
                $interface.into()
            }
            fn to_json(&self) -> String {
                $crate::object::format_object(&[$( (
                    stringify!($member),
                    $crate::object::is_optional!($($optional)?),
                    $crate::object::JsonValue::to_json(&self.$member),
                ), )*])
            }
        }

        impl $(<$lifetime>)? $crate::object::Object for $name $(<$lifetime>)? {
            fn spec() -> $crate::object::ObjectSpec {
                $crate::object::ObjectSpec {
                    interface: $interface,
                    doc: concat!($($doc, "\n"),*),
                    members: vec![$( $crate::object::MemberSpec {
                        name: $crate::object::to_camel_case(stringify!($member)),
                        doc: concat!($($member_doc, "\n"),*),
                        is_optional: $crate::object::is_optional!($($optional)?),
                        typescript: <$type as $crate::object::JsonValue>::typescript(),
                    }, )*],
                }
            }
        }
    };
}

macro_rules! is_optional {
    () => {
        false
    };
    (optional) => {
        true
    };
}

pub(crate) use {enum_member, is_optional, object};

#[cfg(test)]
mod tests {
    use super::*;
    use declared::Sample;

    mod declared {
        #![allow(unreachable_pub, reason = "declared objects are public")]

        crate::object::object! {
            /// An object.
            #[derive(Debug)]
            Sample<'a> "SampleObject" {
                /// A name.
                first_name: &'a str,
                /// Null: unknown.
                is_known: Option<bool>,
                /// A code.
                code @optional: Option<u16>,
                /// A list.
                block_numbers: Vec<u64>,
            } internal {
                /// Not visible.
                pub(super) secret: u32,
            }
        }
    }

    #[test]
    fn json_has_all_members_but_internal_and_missing_ones() {
        let mut sample = Sample { first_name: "a\"b", is_known: None, code: None, block_numbers: vec![], secret: 7 };
        assert_eq!(sample.to_json(), r#"{"firstName":"a\"b","isKnown":null,"blockNumbers":[]}"#);
        (sample.is_known, sample.code, sample.block_numbers) = (Some(true), Some(404), vec![1, u64::MAX]);
        let blocks = format!("[1,{}]", u64::MAX);
        assert_eq!(
            sample.to_json(),
            format!(r#"{{"firstName":"a\"b","isKnown":true,"code":404,"blockNumbers":{blocks}}}"#)
        );
        assert_eq!(sample.secret, 7);
    }

    #[test]
    fn declaration_has_the_typescript_types() {
        let ObjectSpec { interface, members, .. } = Sample::spec();
        let members: Vec<_> =
            members.iter().map(|member| (&*member.name, &*member.typescript, member.is_optional)).collect();
        assert_eq!(interface, "SampleObject");
        assert_eq!(
            members,
            [
                ("firstName", "string", false),
                ("isKnown", "boolean | null", false),
                ("code", "number | null", true),
                ("blockNumbers", "number[]", false)
            ]
        );
    }
}
