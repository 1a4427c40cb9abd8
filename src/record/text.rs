//! The value types that fields are declared with: one per meaning, each with its format and its TypeScript type.

use super::read::{self, Mismatch};
use super::{Format, Kind, Slot, Value};

/// Declares text types: meaning, format, TypeScript type.
macro_rules! texts {
    ($( $(#[doc = $doc:expr])* $name:ident: $format:expr, $typescript:expr; )*) => { $(
        $(#[doc = $doc])*
        #[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize)]
        #[serde(transparent)]
        pub struct $name(String);

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

        impl $crate::record::Value for $name {
            const SLOT: $crate::record::Slot = $crate::record::Slot {
                kind: $crate::record::Kind::Text($format),
                nullable: false,
            };
            fn typescript() -> String {
                $typescript.into()
            }
            fn read(json: &str) -> Result<Self, $crate::record::Mismatch> {
                $crate::record::read::text(json, $format).map(Self)
            }
        }
    )* };
}

/// Declares labels of open sets: meaning and the known members.
macro_rules! labels {
    ($( $(#[doc = $doc:expr])* $name:ident { $( $known:literal ),* $(,)? } )*) => {
        $crate::record::texts! { $(
            $(#[doc = $doc])*
            $name: $crate::record::Format::Label(&[$( $known ),*]), stringify!($name);
        )* }
    };
}

pub(crate) use {labels, texts};

texts! {
    /// An address hash: `0x` and 40 hex digits. The letter case is the service's (EIP-55 in most records, which differs
    /// by chain); compare without regard to case.
    AddressHash: Format::Address, "Hex";
    /// A 32-byte hash of a transaction, block or topic: `0x` and 64 hex digits.
    Hash32: Format::Hash, "Hex";
    /// Bytes: `0x` and two hex digits each. An odd number of digits is passed on as sent, and reported as drift.
    HexData: Format::HexData, "Hex";
    /// A 4-byte function or event selector: 8 hex digits, `0x` in front or not, as the service sends it. Any other string
    /// is passed on as sent, and reported as drift.
    Selector: Format::Selector, "string";
    /// An integer in hex, as nodes spell it: `0x64`.
    Quantity: Format::Quantity, "Hex";
    /// An integer of any size in decimal digits. The service's specification allows negative ones: they are passed on as
    /// sent, and reported as drift.
    Uint: Format::Uint, "string";
    /// An integer of any size in decimal digits, with `-` in front when negative.
    Int: Format::Int, "string";
    /// A decimal number of any precision, as the service spells it; scientific notation (`1.2E-8`) occurs.
    Decimal: Format::Decimal, "string";
    /// A UTC time `YYYY-MM-DDTHH:MM:SS.ffffffZ`, always with six fraction digits. A time with an offset in
    /// place of `Z` is passed on as sent, and reported as drift.
    Timestamp: Format::Timestamp, "string";
    /// Text that anybody may have written: show it as text, never as HTML, and bound its length.
    Text: Format::Free, "string";
}

/// Declares types for JSON that is checked as JSON and passed on as it is.
macro_rules! free_json {
    ($( $(#[doc = $doc:expr])* $name:ident: $kind:ident, $typescript:literal, $read:path; )*) => { $(
        $(#[doc = $doc])*
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub struct $name(String);

        impl $name {
            /// The JSON text, as the service sent it.
            #[must_use]
            pub fn as_json(&self) -> &str {
                &self.0
            }

            /// The value.
            ///
            /// # Errors
            /// When it is JSON that [`serde_json::Value`] cannot hold, such as the number `1e400`.
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

        impl Value for $name {
            const SLOT: Slot = Slot { kind: Kind::$kind, nullable: false };
            fn typescript() -> String {
                $typescript.into()
            }
            fn read(json: &str) -> Result<Self, Mismatch> {
                $read(json).map(Self)
            }
        }
    )* };
}

free_json! {
    /// Any JSON value.
    Json: Json, "JsonValue", read::json;
    /// A JSON object with any members.
    JsonObject: JsonObject, "JsonObject", read::json_object;
}

impl Value for i64 {
    const SLOT: Slot = Slot { kind: Kind::Integer, nullable: false };
    fn typescript() -> String {
        "number".into()
    }
    fn read(json: &str) -> Result<Self, Mismatch> {
        read::integer(json)
    }
}

impl Value for bool {
    const SLOT: Slot = Slot { kind: Kind::Boolean, nullable: false };
    fn typescript() -> String {
        "boolean".into()
    }
    fn read(json: &str) -> Result<Self, Mismatch> {
        read::boolean(json)
    }
}

impl<T: Value> Value for Option<T> {
    const SLOT: Slot = Slot { kind: T::SLOT.kind, nullable: true };
    fn typescript() -> String {
        format!("{} | null", T::typescript())
    }
    fn read(json: &str) -> Result<Self, Mismatch> {
        if json == "null" || read::is_unknown(json, T::SLOT.kind) { Ok(None) } else { T::read(json).map(Some) }
    }
    fn absent() -> Option<Self> {
        Some(None)
    }
}

impl<T: Value + 'static> Value for Vec<T> {
    const SLOT: Slot = Slot { kind: Kind::List(&T::SLOT), nullable: false };
    fn typescript() -> String {
        let element = T::typescript();
        if element.contains(' ') { format!("({element})[]") } else { format!("{element}[]") }
    }
    fn read(json: &str) -> Result<Self, Mismatch> {
        read::list(json)
    }
    fn absent() -> Option<Self> {
        Some(Self::new())
    }
}
