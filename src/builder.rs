//! Builder style: methods that set a field and return the struct. Parameters, options and policies have them.
//!
//! These structs are `#[non_exhaustive]`, so that a new field is not a breaking change. Their fields remain public.
//!
//! ```compile_fail,E0639
//! use address_query::client::RetryPolicy;
//!
//! let policy = RetryPolicy { max_attempts: 2, ..RetryPolicy::default() };
//! ```

/// Declares a method for each field, with its name. `type` is the argument's type: the type of the field, or one that
/// converts into it. Documentation, if any, follows the first sentence, which links to the field.
///
/// ```text
/// impl RetryPolicy {
///     builder_methods! { timeout_ms: u64, max_attempts: u32, }
/// }
/// ```
macro_rules! builder_methods {
    ($( $(#[doc = $doc:expr])* $field:ident: $type:ty, )*) => { $(
        #[doc = concat!("Sets [`", $crate::record::name!($field), "`](field@Self::", $crate::record::name!($field), ").\n")]
        $(#[doc = $doc])*
        #[must_use]
        pub fn $field(mut self, $field: $type) -> Self {
            self.$field = $field.into();
            self
        }
    )* };
}

pub(crate) use builder_methods;
