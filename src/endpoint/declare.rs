//! The macro `operations!`, which declares operations. The declarations are in [`declarations`](super::declarations).

/// Declares operations: for each, the struct of its parameters and an [`Operation`](super::Operation).
///
/// ```text
/// operations! {
///     /// Contents and order of the list.
///     AddressesParams "addresses" "/api/v2/addresses" since "6.0.0"            // struct, JavaScript method, path, first backend version
///     => List<AddressListItem, Addresses>, costs(30), keyset("height", &["block_number"]) {   // response, attributes
///         required { /** Documentation. */ from_block = "fromBlock": BlockNumber }   // name in Rust = name, where they differ
///         optional { /** Documentation. */ order since "9.0.0": Order }
///         cursor { hash: "string" }                                            // key: TypeScript type
///     }
/// }
/// ```
///
/// The response is a type of [`response`](super::response). The attributes are functions of
/// [`Operation`](super::Operation). `since`, both blocks of parameters and `cursor` are optional. A list of one page
/// has no `cursor`. The JavaScript method of a GraphQL operation lacks the prefix `graphql`.
macro_rules! operations {
    ($(
        $(#[doc = $doc:expr])*
        $name:ident $method:literal $path:literal $(since $since:literal)?
        => $response:ty $(, $word:ident($( $argument:expr ),* $(,)?))* {
            $( required { $( $(#[doc = $required_doc:expr])* $required:ident $(= $required_name:literal)?: $required_type:ty ),* $(,)? } )?
            $( optional { $( $(#[doc = $optional_doc:expr])* $optional:ident $(since $optional_since:literal)?: $optional_type:ty ),* $(,)? } )?
            $( cursor { $( $key:ident: $key_type:literal ),* $(,)? } )?
        }
    )*) => {
        $(
            #[doc = concat!("Parameters of `", $method, "`.\n")]
            $(#[doc = $doc])*
            $(#[doc = concat!("\nSince backend version ", $since, ".")])?
            #[derive(Debug, Clone, PartialEq)]
            #[non_exhaustive]
            pub struct $name {
                $( $( $(#[doc = $required_doc])* pub $required: $required_type, )* )?
                $( $(
                    $(#[doc = $optional_doc])*
                    $(#[doc = concat!("\nSince backend version ", $optional_since, ".")])?
                    pub $optional: Option<$optional_type>,
                )* )?
            }

            operations! {
                @constructor $name { $( $( $required: $required_type, )* )? } { $( $( $optional, )* )? }
            }

            impl $name {
                $( $crate::builder::builder_methods! { $(
                    $(#[doc = $optional_doc])*
                    $(#[doc = concat!("\nSince backend version ", $optional_since, ".")])?
                    $optional: $optional_type,
                )* } )?
            }

            impl $crate::endpoint::Params for $name {
                type Response = $response;
                const OPERATION: &'static $crate::endpoint::Operation = {
                    static OPERATION: $crate::endpoint::Operation = $crate::endpoint::Operation::new(
                        $method,
                        $path,
                        &[
                            $( $( $crate::endpoint::ParamSpec::new(
                                $crate::record::name!($required $($required_name)?),
                                true,
                                <$required_type as $crate::endpoint::ParamType>::RULE,
                            ), )* )?
                            $( $( $crate::endpoint::ParamSpec::new(
                                $crate::record::name!($optional),
                                false,
                                <$optional_type as $crate::endpoint::ParamType>::RULE,
                            )$(.since($optional_since))?, )* )?
                        ],
                        <$response as $crate::endpoint::response::Response>::KIND,
                        <$response as $crate::endpoint::response::Response>::LAYOUT,
                    )$(.since($since))?$(.cursor(&[$( stringify!($key) ),*]))?$(.$word($( $argument ),*))*;
                    &OPERATION
                };
                const DESCRIBED: $crate::endpoint::DescribedOperation = $crate::endpoint::DescribedOperation {
                    params_name: stringify!($name),
                    operation: Self::OPERATION,
                    docs: (concat!($($doc, "\n"),*), &[
                        $( $( concat!($($required_doc, "\n"),*), )* )?
                        $( $( concat!($($optional_doc, "\n"),*), )* )?
                    ]),
                    types: &[
                        $( $( <$required_type as $crate::endpoint::ParamType>::TYPESCRIPT, )* )?
                        $( $( <$optional_type as $crate::endpoint::ParamType>::TYPESCRIPT, )* )?
                    ],
                    cursor: &[$( $( (stringify!($key), $key_type) ),* )?],
                    value: <$response as $crate::endpoint::response::Response>::VALUE,
                };
                fn to_values(&self) -> Vec<(&'static str, $crate::endpoint::ParamValue)> {
                    #[allow(unused_mut, reason = "operations without optional parameters")]
                    let mut values = vec![$( $( (
                        $crate::record::name!($required $($required_name)?),
                        $crate::endpoint::ParamType::to_value(&self.$required),
                    ) ),* )?];
                    $( $( if let Some(value) = &self.$optional {
                        values.push(($crate::record::name!($optional), $crate::endpoint::ParamType::to_value(value)));
                    } )* )?
                    values
                }
            }
        )*

        /// The operations of this file.
        pub(super) static OPERATIONS: &[&$crate::endpoint::Operation] =
            &[$( <$name as $crate::endpoint::Params>::OPERATION ),*];

        /// Visits the parameter type of each operation of this file.
        pub(super) fn visit_operations(visitor: &mut impl $crate::endpoint::OperationVisitor) {
            $( visitor.visit::<$name>(); )*
        }
    };
    (@constructor $name:ident {} { $( $optional:ident, )* }) => {
        impl Default for $name {
            /// Creates parameters that are all `None`.
            fn default() -> Self {
                Self { $( $optional: None, )* }
            }
        }
    };
    (@constructor $name:ident { $( $required:ident: $type:ty, )* } { $( $optional:ident, )* }) => {
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

pub(crate) use operations;
