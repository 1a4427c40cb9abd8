//! The list of all records, for the generator and for code that is generic over records. `described!` declares it in
//! `mod.rs`.

use serde::Serialize;

use crate::record::{NaturalKey, Record, Table, Value};

/// A record with its documentation and TypeScript types, for the generator of the npm package.
#[derive(Debug, Clone, Copy)]
pub struct DescribedRecord {
    /// The declaration of the record, as data.
    pub table: &'static Table,
    /// Documentation of the record, and of each field.
    pub docs: (&'static str, &'static [&'static str]),
    /// The natural key. `None` for records that are only parts of others.
    pub key: Option<NaturalKey>,
    /// Returns the TypeScript type of each field.
    pub typescript: fn() -> Vec<String>,
}

/// Visits record types, for code that is generic over them. See `visit_records`.
pub trait RecordVisitor {
    /// Visits a record type.
    fn visit<T: Record + Value + Serialize>(&mut self);
}

/// Declares the list of all records, and numbers them in this order.
macro_rules! described {
    ($( $name:ident ),* $(,)?) => {
        /// The number of each record, which identifies it on the JavaScript side.
        enum Number { $( $name ),* }

        /// Every record, in the order of the documentation.
        pub(crate) const RECORDS: &[$crate::types::described::DescribedRecord] = &[$( $crate::types::described::DescribedRecord {
            table: <$name as $crate::record::Record>::TABLE,
            docs: <$name as $crate::record::Record>::DOCS,
            key: <$name as $crate::record::Record>::KEY,
            typescript: <$name as $crate::record::Record>::typescript_fields,
        } ),*];

        /// Visits every record type.
        pub(crate) fn visit_records(visitor: &mut impl $crate::types::described::RecordVisitor) {
            $( visitor.visit::<$name>(); )*
        }
    };
}

pub(crate) use described;
