//! The declaration language of the plain objects that JavaScript receives beside records: reports, events, details of errors.
//!
//! `object!` declares the struct. The JSON that crosses the boundary and the TypeScript interface follow from the same
//! declaration, so that a new member is one line. Objects are rare: for records, which are many, see `record` and
//! [`Frame`](crate::frame::Frame).

use crate::strings::{format_u64, quote_json, split, split_before};

/// A type that a member of an object can have.
pub trait JsonValue {
    /// The TypeScript type.
    fn typescript() -> String
    where
        Self: Sized;
    /// Appends the value as JSON.
    fn write_json(&self, json: &mut String);
}

/// Formats a value as JSON.
pub fn to_json(value: &dyn JsonValue) -> String {
    let mut json = String::new();
    value.write_json(&mut json);
    json
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

/// Appends an object as JSON. `fields` are the names of the fields, separated by spaces. A field with a question mark is omitted
/// if its value is null.
pub(crate) fn write_object(json: &mut String, fields: &str, values: &[&dyn JsonValue]) {
    json.push('{');
    let mut separator = "\"";
    for (field, value) in split(fields, b' ').zip(values) {
        let (name, optional) = split_before(field, b"?");
        let start = json.len();
        json.push_str(separator);
        push_camel_case(json, name);
        json.push_str("\":");
        value.write_json(json);
        if !optional.is_empty() && json.ends_with(":null") {
            json.truncate(start);
        } else {
            separator = ",\"";
        }
    }
    json.push('}');
}

/// Returns the declarations of the members of an object, from its fields as in [`write_object`].
pub(crate) fn describe_members(fields: &str, docs: &[&'static str], typescript: Vec<String>) -> Vec<MemberSpec> {
    let members = split(fields, b' ').zip(docs).zip(typescript);
    let describe = |((field, doc), typescript): ((&str, &&'static str), String)| {
        let (field, optional) = split_before(field, b"?");
        let mut name = String::new();
        push_camel_case(&mut name, field);
        MemberSpec { name, doc, is_optional: !optional.is_empty(), typescript }
    };
    members.map(describe).collect()
}

/// Appends the JavaScript name of a Rust field.
fn push_camel_case(json: &mut String, field: &str) {
    let mut is_start = false;
    for byte in field.bytes() {
        if byte != b'_' {
            json.push(char::from(if is_start { byte.to_ascii_uppercase() } else { byte }));
        }
        is_start = byte == b'_';
    }
}

/// Implements [`JsonValue`] for types that a function formats.
macro_rules! json_values {
    ($( $type:ty: $typescript:literal, $format:expr; )*) => { $(
        impl JsonValue for $type {
            fn typescript() -> String {
                $typescript.into()
            }
            fn write_json(&self, json: &mut String) {
                let format: fn(&$type) -> String = $format;
                json.push_str(&format(self));
            }
        }
    )* };
}

json_values! {
    bool: "boolean", |value| if *value { "true" } else { "false" }.into();
    u16: "number", |value| format_u64((*value).into());
    u32: "number", |value| format_u64((*value).into());
    u64: "number", |value| format_u64(*value);
    String: "string", |value| quote_json(value);
    &str: "string", |value| quote_json(value);
    i64: "number", |value| [if *value < 0 { "-" } else { "" }, &*format_u64(value.unsigned_abs())].concat();
}

impl<T: JsonValue> JsonValue for &T {
    fn typescript() -> String {
        T::typescript()
    }
    fn write_json(&self, json: &mut String) {
        T::write_json(self, json);
    }
}

impl<T: JsonValue> JsonValue for Option<T> {
    fn typescript() -> String {
        T::typescript() + " | null"
    }
    fn write_json(&self, json: &mut String) {
        match self {
            Some(value) => value.write_json(json),
            None => json.push_str("null"),
        }
    }
}

impl<T: JsonValue> JsonValue for Vec<T> {
    fn typescript() -> String {
        T::typescript() + "[]"
    }
    fn write_json(&self, json: &mut String) {
        // A shared function over a `dyn Iterator` would be larger, because of its vtable.
        json.push('[');
        for (index, value) in self.iter().enumerate() {
            json.push_str(if index == 0 { "" } else { "," });
            value.write_json(json);
        }
        json.push(']');
    }
}

/// Declares an enum that JavaScript sees as strings. Each entry has a doc comment, a variant and its string, and may have a sentence
/// for users. It can be the type of a member of an object, and has a TypeScript type of its name.
macro_rules! string_enum {
    ($(#[doc = $about:expr])* $enum:ident {
        $( $(#[doc = $doc:expr])* $name:ident = $string:literal $( => $sentence:literal )?, )*
    }) => {
        $(#[doc = $about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum $enum { $( $(#[doc = $doc])* $name, )* }

        impl $enum {
            /// Every string with its documentation, for the type declarations and the docs.
            #[doc(hidden)]
            pub const ALL: &'static [(&'static str, &'static str)] = &[$( ($string, concat!($($doc),*)), )*];

            /// The sentence for users of each string that has one.
            #[doc(hidden)]
            pub const SENTENCES: &'static [(&'static str, &'static str)] = &[$( $( ($string, $sentence), )? )*];

            /// The string of this variant.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $( Self::$name => $string, )* }
            }
        }

        impl $crate::object::JsonValue for $enum {
            fn typescript() -> String {
                stringify!($enum).into()
            }
            fn write_json(&self, json: &mut String) {
                $crate::object::JsonValue::write_json(&self.as_str(), json);
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
        #[non_exhaustive]
        pub struct $name $(<$lifetime>)? {
            $( $(#[doc = $member_doc])* pub $member: $type, )*
            $( $( $(#[doc = $internal_doc])* $visibility $internal: $internal_type, )* )?
        }

        impl $(<$lifetime>)? $name $(<$lifetime>)? {
            const FIELDS: &'static str =
                concat!($( stringify!($member), $crate::object::object!(@mark $($optional)?), " " ),*).trim_ascii_end();
        }

        impl $(<$lifetime>)? $crate::object::JsonValue for $name $(<$lifetime>)? {
            fn typescript() -> String {
                $interface.into()
            }
            fn write_json(&self, json: &mut String) {
                $crate::object::write_object(json, Self::FIELDS, &[$( &self.$member ),*]);
            }
        }

        impl $(<$lifetime>)? $crate::object::Object for $name $(<$lifetime>)? {
            fn spec() -> $crate::object::ObjectSpec {
                $crate::object::ObjectSpec {
                    interface: $interface,
                    doc: concat!($($doc, "\n"),*),
                    members: $crate::object::describe_members(
                        Self::FIELDS,
                        &[$( concat!($($member_doc, "\n"),*) ),*],
                        vec![$( <$type as $crate::object::JsonValue>::typescript() ),*],
                    ),
                }
            }
        }
    };
    (@mark) => { "" };
    (@mark optional) => { "?" };
}

pub(crate) use {object, string_enum};

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
                /// A number with a sign.
                change @optional: Option<i64>,
            } internal {
                /// Not visible.
                pub(super) secret: u32,
            }
        }
    }

    #[test]
    fn json_has_all_members_but_internal_and_missing_ones() {
        let mut sample =
            Sample { first_name: "a\"b", is_known: None, code: None, block_numbers: vec![], change: None, secret: 7 };
        assert_eq!(to_json(&sample), r#"{"firstName":"a\"b","isKnown":null,"blockNumbers":[]}"#);
        (sample.is_known, sample.code, sample.block_numbers) = (Some(true), Some(404), vec![1, u64::MAX]);
        let blocks = format!("[1,{}]", u64::MAX);
        assert_eq!(
            to_json(&sample),
            format!(r#"{{"firstName":"a\"b","isKnown":true,"code":404,"blockNumbers":{blocks}}}"#)
        );
        assert_eq!(sample.secret, 7);
        for (number, expected) in [(-40, "-40"), (0, "0"), (i64::MIN, "-9223372036854775808")] {
            assert_eq!(to_json(&number), expected);
        }
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
                ("blockNumbers", "number[]", false),
                ("change", "number | null", true)
            ]
        );
    }
}
