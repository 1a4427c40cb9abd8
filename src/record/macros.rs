//! The macro `record!`, which declares a record.

/// Declares a record.
///
/// ```text
/// record! {
///     /// Documentation of the record.
///     Token {
///         /// Documentation of the field: meaning, unit, meaning of null.
///         holders_count | "holders": Option<Uint>,     // documented name | older names: type
///         address_hash @essential: AddressHash,        // if it cannot be read, the record fails
///         is_bridged @sometimes: Option<bool>,         // not always sent: its absence is not drift
///         block_number = "blockNumber": Uint,          // the name in JSON, where it differs from the one in Rust
///     } flattened list of Element {                    // optional, see `Flattened`
///         field = member_of_the_first_element
///     } key "token:{address_hash}", "Limits of its uniqueness."  // for items of lists, see `NaturalKey`; `none` without one
///     except "emission_reward" => "a block reward"     // optional: a row with this member is not such a record, but this
///     variants r#type {                                // optional, see `Variants`: kinds, and the fields that are not null
///         "address", "contract" => [address_hash]
///     }
/// }
/// ```
///
/// Records that share fields are declared together: `shared before { … } after { … } end { … }`, and then each record with the fields
/// between them. `end` is what follows the fields.
macro_rules! record {
    (shared before $before:tt after $after:tt end $end:tt $( $(#[doc = $doc:expr])* $name:ident $own:tt )*) => {
        $( $crate::record::record! { @shared $(#[doc = $doc])* $name $before $own $after $end } )*
    };
    (
        @shared $(#[doc = $doc:expr])*
        $name:ident { $( $before:tt )* } { $( $own:tt )* } { $( $after:tt )* } { $( $end:tt )* }
    ) => {
        $crate::record::record! { $(#[doc = $doc])* $name { $( $before )* $( $own )* $( $after )* } $( $end )* }
    };
    ($(#[doc = $doc:expr])* $name:ident {
        $( $(#[doc = $field_doc:expr])* $field:ident $(= $json:literal)? $(| $alias:literal)* $(@ $mark:ident)* : $type:ty ),* $(,)?
    } $(flattened $list:ident of $element:ident {
        $( $own:ident = $member:ident ),* $(,)?
    })? $(key $key:tt $(, $remarks:literal)?)? $(except $foreign:literal => $other:literal)? $(variants $kind:ident {
        $( $( $value:literal ),+ => [$( $needed:ident ),+] ),* $(,)?
    })?) => {
        $(#[doc = $doc])*
        #[derive(Debug, Clone, PartialEq, serde::Serialize)]
        #[non_exhaustive]
        pub struct $name {
            $( $(#[doc = $field_doc])* $(#[serde(rename = $json)])? pub $field: $type, )*
            /// The fields that are not documented. `None` if there are none, without
            /// [`keep_extra`](crate::client::DecodeOptions::keep_extra), and after deserialization.
            #[serde(skip_serializing_if = "Option::is_none")]
            pub extra: Option<$crate::record::JsonObject>,
        }

        impl $crate::record::Record for $name {
            const TABLE: &'static $crate::record::Table = {
                const NAMES: &str = $crate::record::check_names(
                    concat!($( $crate::record::name!($field $($json)?) $(, "|", $alias)*, " " ),*).trim_ascii_end(),
                );
                static TABLE: $crate::record::Table = $crate::record::Table {
                    name: stringify!($name),
                    number: super::Number::$name as u32,
                    names: NAMES,
                    fields: &$crate::record::check_fields([
                        $( $crate::record::Field::new(<$type as $crate::record::Value>::TYPE)$(.$mark())*, )*
                    ]),
                    derived_field: $crate::record::find_derived_field(NAMES),
                    flattened: $crate::record::record!(@optional $($crate::record::Flattened {
                        list: $crate::record::find_name(<$name as $crate::record::Record>::RUST_NAMES, stringify!($list)),
                        pairs: &[$( (
                            $crate::record::find_name(<$name as $crate::record::Record>::RUST_NAMES, stringify!($own)),
                            $crate::record::find_name(<$element as $crate::record::Record>::RUST_NAMES, stringify!($member)),
                        ), )*],
                    })?),
                    except: [$(($foreign, $other))?].as_slice(),
                    variants: $crate::record::record!(@optional $($crate::record::Variants {
                        field: $crate::record::find_name(<$name as $crate::record::Record>::RUST_NAMES, stringify!($kind)),
                        cases: &[$( (
                            &[$( $value ),+],
                            &[$( $crate::record::find_name(
                                <$name as $crate::record::Record>::RUST_NAMES,
                                stringify!($needed),
                            ) ),+],
                        ) ),*],
                    })?),
                };
                &TABLE
            };
            const RUST_NAMES: &'static [&'static str] = &[$( stringify!($field) ),*];
            const DOCS: (&'static str, &'static [&'static str]) =
                (concat!($($doc, "\n"),*), &[$( concat!($($field_doc, "\n"),*) ),*]);

            const KEY: Option<$crate::record::NaturalKey> = $crate::record::record!(@optional $($crate::record::NaturalKey {
                template: $crate::record::record!(@key $key),
                remarks: concat!($($remarks)?),
            })?);

            fn typescript_fields() -> Vec<String> {
                vec![$( <$type as $crate::record::Value>::typescript() ),*]
            }

            #[allow(unused_mut, unused_variables, reason = "a record without fields")]
            fn from_frame(frame: &$crate::frame::Frame, at: u32) -> Option<Self> {
                let mut slots = frame.fields(at, Self::RUST_NAMES.len())?.iter();
                Some(Self {
                    $( $field: $crate::record::Value::from_slot(frame, *slots.next()?)?, )*
                    extra: $crate::record::JsonObject::extra(frame, at),
                })
            }

            #[allow(unused_variables, unused_mut, reason = "a record without fields")]
            fn from_members(
                members: &$crate::record::Members<'_>,
            ) -> Result<Self, $crate::record::Mismatch> {
                let mut fields = 0..;
                #[allow(unused_mut, reason = "only records with flattened fields change it")]
                let mut record = Self {
                    $( $field: $crate::record::read::read_member(members, Self::TABLE, fields.next())?, )*
                    extra: None,
                };
                // Flattened fields that are null are filled from the first element of the list, or an empty list from the fields.
                $( if let Some(first) = record.$list.first() {
                    $( if record.$own.is_none() {
                        record.$own = $crate::record::FlattenedMember::into_field(first.$member.clone());
                    } )*
                } else if $( record.$own.is_some() )||* {
                    let element = || {
                        Some($element {
                            $( $member: $crate::record::FlattenedMember::from_field(record.$own.clone())?, )*
                            extra: None,
                        })
                    };
                    record.$list.extend(element());
                } )?
                $( let missing = [$( $( (stringify!($needed), record.$needed.is_none()) ),+ ),*];
                $crate::record::read::check_variants::<Self>(record.$kind.as_deref(), &missing)?; )?
                Ok(record)
            }
        }

        impl $crate::record::Value for $name {
            const TYPE: $crate::record::ValueType = $crate::record::ValueType {
                kind: $crate::record::Kind::Record(<Self as $crate::record::Record>::TABLE),
                nullable: false,
            };
            fn typescript() -> String {
                stringify!($name).into()
            }
            fn from_slot(frame: &$crate::frame::Frame, slot: u32) -> Option<Self> {
                <Self as $crate::record::Record>::from_frame(frame, slot.checked_sub(1)?)
            }
            fn read(json: &str) -> Result<Self, $crate::record::Mismatch> {
                $crate::record::read::read_record(json)
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let json = Box::<serde_json::value::RawValue>::deserialize(deserializer)?;
                <Self as $crate::record::Value>::read(json.get()).map_err(serde::de::Error::custom)
            }
        }
    };    (@optional) => { None };
    (@optional $value:expr) => { Some($value) };
    (@key none) => { None };
    (@key $template:literal) => { Some($template) };
}

/// Reads a single field of the record at a position of a frame: `read_field!(frame, at, Balance.stale)`.
///
/// The npm module reads its few fields this way, so that it contains no [`from_frame`](crate::record::Record::from_frame).
macro_rules! read_field {
    ($frame:expr, $at:expr, $record:ident . $field:ident) => {{
        const FIELD: usize =
            $crate::record::find_name(<$record as $crate::record::Record>::RUST_NAMES, stringify!($field));
        $crate::record::read_slot($frame, $at, FIELD, |record: $record| record.$field)
    }};
}

/// The documented name of a field.
macro_rules! name {
    (r#type) => {
        "type"
    };
    ($field:ident) => {
        stringify!($field)
    };
    ($field:ident $json:literal) => {
        $json
    };
}

pub(crate) use {name, read_field, record};
