//! The types of fields: one per meaning, each with its format and its TypeScript type.
//!
//! Most types are strings in a format, such as [`AddressHash`]. The others are free JSON, `i64`, `u64`, `bool`, `Option` and
//! `Vec`.

use super::{Format, Kind, Value, ValueType, read, to_plain_decimal};
use crate::frame::Frame;
use crate::json::Mismatch;
use crate::object::JsonValue;

/// Declares the types of fields. Each is the string that the service sent, or the one that follows from it.
///
/// ```text
/// field_types! {
///     /// A date: `YYYY-MM-DD`.
///     Date: Format::Date, "string";                            // format, TypeScript type
///     /// Any JSON value. It is passed on unchanged, after a check of its syntax.
///     json Json: Kind::Json, "JsonValue", read::read_json;     // kind, TypeScript type, function that checks it
///     /// The status of a contract creation.
///     CreationStatus { "selfdestructed", "failed", "success" } // an open enum: newer service versions may send other values
/// }
/// ```
macro_rules! field_types {
    ($( $(#[doc = $doc:expr])* $name:ident: $format:expr, $typescript:expr; )+) => { $(
        $crate::record::field_types! {
            @value $(#[doc = $doc])* #[derive(PartialOrd, Ord, Hash, serde::Serialize)] #[serde(transparent)]
            $name: $crate::record::Kind::String($format), $typescript,
            $crate::frame::Frame::string, |json| $crate::record::read::read_string(json, Self::TYPE)
        }

        impl std::ops::Deref for $name {
            type Target = str;
            fn deref(&self) -> &str {
                &self.0
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl From<$name> for String {
            fn from(value: $name) -> Self {
                value.0
            }
        }
    )+ };
    ($( $(#[doc = $doc:expr])* json $name:ident: $kind:expr, $typescript:literal, $read:path; )+) => { $(
        $crate::record::field_types! { @value $(#[doc = $doc])* $name: $kind, $typescript, Frame::json, $read }

        impl $name {
            /// The JSON, as the service sent it.
            #[must_use]
            pub fn as_json(&self) -> &str {
                &self.0
            }

            /// Parses the value.
            ///
            /// # Errors
            /// If it is JSON that [`serde_json::Value`] cannot hold, such as the number `1e400`.
            pub fn to_value(&self) -> serde_json::Result<serde_json::Value> {
                serde_json::from_str(&self.0)
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serde_json::value::RawValue::from_string(self.0.clone())
                    .map_err(serde::ser::Error::custom)?
                    .serialize(serializer)
            }
        }
    )+ };
    ($( $(#[doc = $doc:expr])* $name:ident { $( $known:literal ),+ $(,)? } )+) => {
        $crate::record::field_types! { $(
            $(#[doc = $doc])*
            $name: $crate::record::Format::OpenEnum(&[$( $known ),+]), stringify!($name);
        )+ }
    };
    (@value $(#[$attribute:meta])* $name:ident: $kind:expr, $typescript:expr, $from_slot:expr, $read:expr) => {
        $(#[$attribute])*
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub struct $name(String);

        impl $crate::record::Value for $name {
            const TYPE: $crate::record::ValueType = $crate::record::ValueType { kind: $kind, nullable: false };
            fn typescript() -> String {
                $typescript.into()
            }
            fn from_slot(frame: &$crate::frame::Frame, slot: u32) -> Option<Self> {
                $from_slot(frame, slot).map(Self)
            }
            fn read(json: &str) -> Result<Self, $crate::record::Mismatch> {
                $read(json).map(Self)
            }
        }
    };
}

pub(crate) use field_types;

field_types! {
    /// An address hash: `0x` and 40 hex digits. The letter case is as sent, usually the EIP-55 checksum. The case
    /// differs by chain, so compare addresses case-insensitively.
    AddressHash: Format::Address, "Hex";
    /// A 32-byte hash of a transaction, block or topic: `0x` and 64 hex digits.
    Hash32: Format::Hash, "Hex";
    /// Bytes: `0x` and two hex digits per byte. An odd number of digits is passed on unchanged, and reported as drift. An empty string
    /// means "none".
    HexData: Format::HexData, "Hex";
    /// Bytes that are always known: like [`HexData`], but an empty string means `0x`.
    Bytes: Format::Bytes, "Hex";
    /// Bytes: `0x` and two hex digits per byte. Service versions before 12 may send it without `0x`. Any other string is passed on
    /// unchanged, and reported as drift.
    Bytecode: Format::Bytecode, "string";
    /// A 4-byte function or event selector: 8 hex digits, with or without `0x`. Any other string is passed on
    /// unchanged, and reported as drift.
    Selector: Format::Selector, "string";
    /// An integer in hex, as in JSON-RPC: `0x64`.
    Quantity: Format::Quantity, "Hex";
    /// An unsigned integer of up to 256 bits, in decimal digits. The service sends it in hex; `0x` alone is 0.
    HexUint: Format::HexUint, "string";
    /// An unsigned integer of any size, in decimal digits. A negative one is passed on unchanged, and reported as
    /// drift: the specification of the service allows it.
    Uint: Format::Uint, "string";
    /// The id of a chain, in decimal digits: an unsigned integer of any size. The service sends it as a number or as a string.
    ChainId: Format::ChainId, "string";
    /// A block number, in decimal digits. A negative one is an error: a list that is sorted by block would end there.
    BlockNumberString: Format::StrictUint, "string";
    /// An amount that was moved or paid, in base units: an unsigned integer of any size. A negative one is an error.
    BaseUnits: Format::StrictUint, "string";
    /// An integer of any size, in decimal digits. A negative one starts with `-`.
    Int: Format::Int, "string";
    /// A decimal number of any precision, as sent. It can be in scientific notation (`1.2E-8`).
    Decimal: Format::Decimal, "string";
    /// A UTC time `YYYY-MM-DDTHH:MM:SS.ffffffZ`, always with six fraction digits. A time with an offset instead of `Z`
    /// is passed on unchanged, and reported as drift.
    Timestamp: Format::Timestamp, "string";
    /// A date: `YYYY-MM-DD`.
    Date: Format::Date, "string";
    /// Untrusted text, such as the name of a token. Display it as text, never as HTML, and limit its length.
    Text: Format::Free, "string";
}

field_types! {
    /// Any JSON value.
    json Json: Kind::Json, "JsonValue", read::read_json;
    /// A JSON number that is not an integer, such as a percentage.
    json JsonNumber: Kind::Number, "number", read::read_json_number;
    /// A JSON object with any members.
    json JsonObject: Kind::JsonObject, "JsonObject", read::read_json_object;
    /// An item of an ABI. Only its syntax is checked: its type describes what compilers emit.
    json AbiItem: Kind::JsonObject, "AbiItem", read::read_json_object;
}

impl AddressHash {
    /// An address hash that was validated elsewhere.
    pub(crate) const fn from_valid(hash: String) -> Self {
        Self(hash)
    }
}

impl JsonObject {
    /// The unknown fields of the record at a position of a frame, if they were kept.
    pub(crate) fn extra(frame: &Frame, at: u32) -> Option<Self> {
        frame.extra(at).map(Self)
    }
}

impl JsonNumber {
    /// Converts a decimal string. `None` if it has too many digits.
    pub(crate) fn from_decimal(decimal: &str) -> Option<Self> {
        to_plain_decimal(decimal.as_bytes()).map(Self)
    }

    /// The nearest floating-point number.
    #[must_use]
    pub fn to_f64(&self) -> f64 {
        self.0.parse().unwrap_or(f64::NAN)
    }
}

impl JsonValue for JsonNumber {
    fn typescript() -> String {
        "number".into()
    }
    fn write_json(&self, json: &mut String) {
        json.push_str(&self.0);
    }
}

impl Value for i64 {
    const TYPE: ValueType = ValueType { kind: Kind::Integer, nullable: false };
    fn typescript() -> String {
        "number".into()
    }
    fn from_slot(frame: &Frame, slot: u32) -> Option<Self> {
        frame.signed_integer(slot)
    }
    fn read(json: &str) -> Result<Self, Mismatch> {
        read::read_integer(json, Self::TYPE)
    }
}

impl Value for u64 {
    const TYPE: ValueType = ValueType { kind: Kind::Unsigned, nullable: false };
    fn typescript() -> String {
        "number".into()
    }
    fn from_slot(frame: &Frame, slot: u32) -> Option<Self> {
        frame.integer(slot)
    }
    fn read(json: &str) -> Result<Self, Mismatch> {
        read::read_integer(json, Self::TYPE)
    }
}

impl Value for bool {
    const TYPE: ValueType = ValueType { kind: Kind::Boolean, nullable: false };
    fn typescript() -> String {
        "boolean".into()
    }
    fn from_slot(_: &Frame, slot: u32) -> Option<Self> {
        Frame::boolean(slot)
    }
    fn read(json: &str) -> Result<Self, Mismatch> {
        read::read_boolean(json)
    }
}

impl<T: Value> Value for Option<T> {
    const TYPE: ValueType = ValueType { kind: T::TYPE.kind, nullable: true };
    fn typescript() -> String {
        format!("{} | null", T::typescript())
    }
    fn from_slot(frame: &Frame, slot: u32) -> Option<Self> {
        if slot == 0 { Some(None) } else { T::from_slot(frame, slot).map(Some) }
    }
    fn read(json: &str) -> Result<Self, Mismatch> {
        read::read_option(json)
    }
}

impl<T: Value + 'static> Value for Vec<T> {
    const TYPE: ValueType = ValueType { kind: Kind::List(&T::TYPE), nullable: false };
    fn typescript() -> String {
        let element = T::typescript();
        if element.contains(' ') { format!("({element})[]") } else { format!("{element}[]") }
    }
    fn from_slot(frame: &Frame, slot: u32) -> Option<Self> {
        frame.list(slot)?.iter().map(|element| T::from_slot(frame, *element)).collect()
    }
    fn read(json: &str) -> Result<Self, Mismatch> {
        read::read_list(json)
    }
    fn read_ornament(json: &str) -> Result<Self, Mismatch> {
        Ok(read::read_ornaments(json))
    }
}
