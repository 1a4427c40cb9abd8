//! The macro `record!`, which declares a record.

/// Declares a record.
///
/// ```text
/// record! {
///     /// Documentation of the record.
///     Token {
///         /// Documentation of the field: meaning, unit, meaning of null.
///         holders_count | "holders": Option<Uint>,     // documented name | older names: type
///         is_bridged @sometimes: Option<bool>,         // not always sent: its absence is not drift
///         block_number = "blockNumber": Uint,          // the name in JSON, where it differs from the one in Rust
///     } flattened list of Element {                    // optional, see `Flattened`
///         field = member_of_the_first_element
///     } key "token:{address_hash}", "Limits of its uniqueness."  // for items of lists, see `NaturalKey`; `none` without one
/// }
/// ```
macro_rules! record {
    ($(#[doc = $doc:expr])* $name:ident {
        $( $(#[doc = $field_doc:expr])* $field:ident $(= $json:literal)? $(| $alias:literal)* $(@ $sometimes:ident)? : $type:ty ),* $(,)?
    } $(flattened $list:ident of $element:ident {
        $( $own:ident = $member:ident ),* $(,)?
    })? $(key $key:tt $(, $remarks:literal)?)?) => {
        $(#[doc = $doc])*
        #[derive(Debug, Clone, PartialEq, serde::Serialize)]
        pub struct $name {
            $( $(#[doc = $field_doc])* $(#[serde(rename = $json)])? pub $field: $type, )*
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
                    fields: &[$( $crate::record::Field {
                        value_type: <$type as $crate::record::Value>::TYPE,
                        always_sent: $crate::record::always!($($sometimes)?),
                    }, )*],
                    derived_field: $crate::record::find_derived_field(NAMES),
                    flattened: {
                        #[allow(unused_mut, unused_assignments, reason = "only records with flattened fields assign it")]
                        let mut flattened = None;
                        $( flattened = Some($crate::record::Flattened {
                            list: $crate::record::find_name(<$name as $crate::record::Record>::RUST_NAMES, stringify!($list)),
                            pairs: &[$( (
                                $crate::record::find_name(<$name as $crate::record::Record>::RUST_NAMES, stringify!($own)),
                                $crate::record::find_name(
                                    <$element as $crate::record::Record>::RUST_NAMES,
                                    stringify!($member),
                                ),
                            ), )*],
                        }); )?
                        flattened
                    },
                };
                &TABLE
            };
            const RUST_NAMES: &'static [&'static str] = &[$( stringify!($field) ),*];
            const DOCS: (&'static str, &'static [&'static str]) =
                (concat!($($doc, "\n"),*), &[$( concat!($($field_doc, "\n"),*) ),*]);

            const KEY: Option<$crate::record::NaturalKey> = $crate::record::natural_key!($($key $($remarks)?)?);

            fn typescript_fields() -> Vec<String> {
                vec![$( <$type as $crate::record::Value>::typescript() ),*]
            }

            #[allow(unused_variables, reason = "a record without fields")]
            fn from_members(
                members: &$crate::record::Members<'_>,
            ) -> Result<Self, $crate::record::Mismatch> {
                #[allow(unused_mut, reason = "only records with flattened fields change it")]
                let mut record = Self {
                    $( $field: $crate::record::read::read_member(
                        members,
                        &[$crate::record::name!($field $($json)?) $(, $alias)*],
                    )?, )*
                };
                $( $crate::record::fill_flattened!(record $list $element { $( $own = $member ),* }); )?
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
    };
}

/// Fills flattened fields that are null from the first element of the list, or an empty list from the fields.
macro_rules! fill_flattened {
    ($record:ident $list:ident $element:ident { $( $own:ident = $member:ident ),* }) => {
        if let Some(first) = $record.$list.first() {
            $( if $record.$own.is_none() {
                $record.$own = $crate::record::FlattenedMember::into_field(first.$member.clone());
            } )*
        } else if $( $record.$own.is_some() )||* {
            let element = || {
                Some($element { $( $member: $crate::record::FlattenedMember::from_field($record.$own.clone())?, )* })
            };
            $record.$list.extend(element());
        }
    };
}

/// The natural key of a record.
macro_rules! natural_key {
    () => {
        None
    };
    (none $remarks:literal) => {
        Some($crate::record::NaturalKey { template: None, remarks: $remarks })
    };
    ($template:literal $($remarks:literal)?) => {
        Some($crate::record::NaturalKey { template: Some($template), remarks: concat!($($remarks)?) })
    };
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

/// Whether the service always sends a field.
macro_rules! always {
    () => {
        true
    };
    (sometimes) => {
        false
    };
}

pub(crate) use {always, fill_flattened, name, natural_key, record};
