//! [`Operation`]: a path, its parameters, rules between them, and the response of the service. Every method of a client that sends
//! requests is an operation. [`declare`](super::declare) has the macro that declares operations.

use super::params::rule::{ParamRule, ParamValue};
use super::query::Query;
use super::response::ByRange;
use super::response::{List, RangeForm, Response, ResponseKind, Rows, Single, Value};
use super::version::Version;
use crate::decode::Layout;
use crate::error::Error;
use crate::record::{Record, Value as RecordValue, field_index};
use serde::Serialize;

/// The credits that the gateway charges for a request of most operations.
pub const DEFAULT_CREDITS: u32 = 20;

/// A rule between parameters. It returns an error that names the parameter at fault.
pub(crate) type CrossRule = fn(&QueryParams<'_>) -> Result<(), Error>;

/// The declaration of an operation, as data.
#[derive(Debug)]
pub struct Operation {
    /// Name of the JavaScript method, such as `addressLogs`. The name of a GraphQL operation has a prefix: `graphqlTxList`.
    pub name: &'static str,
    /// Path below the base URL, with constant query parameters. `{address_hash}` is the placeholder of that parameter.
    pub path: &'static str,
    /// The parameters, required ones first.
    pub params: &'static [ParamSpec],
    /// Default values of parameters that the service reads only together. When one is given, the others are sent too.
    pub paired_defaults: &'static [(&'static str, &'static str)],
    /// Rules between parameters.
    pub rules: &'static [CrossRule],
    /// The kind of the response.
    pub kind: ResponseKind,
    /// The layout of the response body.
    pub layout: Layout,
    /// The default order of a list, if pages can be requested from any position in it.
    pub keyset: Option<Keyset>,
    /// Whether a list is sorted by the blocks of its items, newest first.
    pub is_sorted_by_block: bool,
    /// Whether a request can choose the size of a page.
    pub page_sizing: PageSizing,
    /// Whether a proxy may cache responses (`maxAge`). False for balances, which must not be stale.
    pub is_cacheable: bool,
    /// The first backend version that has the operation. `None`: all supported versions have it.
    pub since: Option<Version>,
    /// The credits that the gateway charges for a request.
    pub credits: u32,
    /// The GraphQL queries of the operation, each for different parameters. Empty for the other interfaces.
    pub queries: &'static [Query],
    /// The method of JSON-RPC that is called. The request is then a POST, and its parameters are in the body.
    pub rpc_method: Option<&'static str>,
}

/// The order of a list whose cursor holds only the position of the last item in that order, newest first. The service
/// accepts any position, whether an item is there or not, so parts of the list can be read in parallel.
///
/// A list has no keyset if its order is different, or if the items of a page depend on where the page begins.
#[derive(Debug, Clone, Copy)]
pub struct Keyset {
    /// The index of an item's field with an integer that never increases from item to item, such as the block number.
    /// Null comes first.
    pub field: usize,
    /// The keys of the cursor for the order: the integer, and then the position among items with the same integer.
    pub keys: &'static [&'static str],
}

/// Whether a request can choose how many records a page has: with the query parameter `items_count`, since backend version 12.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PageSizing {
    /// Requests cannot choose a size.
    Fixed,
    /// Requests can choose a size, and cursors show whether the version accepts it: only older cursors have the key `items_count`.
    Detectable,
    /// Requests can choose a size, but cursors do not show whether the version accepts it.
    Undetectable,
}

impl PageSizing {
    /// The query parameter with the size, and a key in the cursors of old versions.
    pub(crate) const PARAMETER: &'static str = "items_count";

    /// The sizing of a list whose cursors have these keys.
    #[must_use]
    const fn from_cursor(keys: &[&str]) -> Self {
        let mut rest = keys;
        while let [key, others @ ..] = rest {
            if is_equal(key.as_bytes(), Self::PARAMETER.as_bytes()) {
                return Self::Detectable;
            }
            rest = others;
        }
        if keys.is_empty() { Self::Fixed } else { Self::Undetectable }
    }
}

/// Compares strings at compile time.
const fn is_equal(mut one: &[u8], mut other: &[u8]) -> bool {
    while let ([first, rest @ ..], [other_first, other_rest @ ..]) = (one, other) {
        if *first != *other_first {
            return false;
        }
        (one, other) = (rest, other_rest);
    }
    one.is_empty() && other.is_empty()
}

/// The attributes of declarations. Each is a constant function, so that the compiler checks its arguments and reports
/// misspelt names.
impl Operation {
    /// An operation without attributes.
    pub(crate) const fn new(
        name: &'static str,
        path: &'static str,
        params: &'static [ParamSpec],
        kind: ResponseKind,
        layout: Layout,
    ) -> Self {
        Self {
            name,
            path,
            params,
            paired_defaults: &[],
            rules: &[],
            kind,
            layout,
            keyset: None,
            is_sorted_by_block: false,
            page_sizing: PageSizing::Fixed,
            is_cacheable: true,
            since: None,
            credits: DEFAULT_CREDITS,
            queries: &[],
            rpc_method: None,
        }
    }

    /// Sets [`since`](Self::since).
    pub(crate) const fn since(mut self, version: &str) -> Self {
        self.since = Some(Version::declared(version));
        self
    }

    /// Sets [`credits`](Self::credits).
    pub(crate) const fn costs(mut self, credits: u32) -> Self {
        self.credits = credits;
        self
    }

    /// Clears [`is_cacheable`](Self::is_cacheable).
    pub(crate) const fn uncached(mut self) -> Self {
        self.is_cacheable = false;
        self
    }

    /// Sets [`rules`](Self::rules).
    pub(crate) const fn rules(mut self, rules: &'static [CrossRule]) -> Self {
        self.rules = rules;
        self
    }

    /// Sets [`paired_defaults`](Self::paired_defaults).
    pub(crate) const fn paired_defaults(mut self, defaults: &'static [(&'static str, &'static str)]) -> Self {
        self.paired_defaults = defaults;
        self
    }

    /// Declares the cursor keys of a list, which determine its [`PageSizing`].
    pub(crate) const fn cursor(mut self, keys: &[&str]) -> Self {
        self.page_sizing = PageSizing::from_cursor(keys);
        self
    }

    /// Declares that no request can choose the size of a page, whatever the cursor contains.
    pub(crate) const fn fixed_pages(mut self) -> Self {
        self.page_sizing = PageSizing::Fixed;
        self
    }

    /// Declares that a page may be only an array of items; see [`Layout::accepts_array`].
    pub(crate) const fn accepts_array(mut self) -> Self {
        self.layout.accepts_array = true;
        self
    }

    /// Sets the [`Keyset`]: a field of an item, and the keys of the cursor.
    pub(crate) const fn keyset(mut self, field: &str, keys: &'static [&'static str]) -> Self {
        self.keyset = Some(Keyset { field: field_index(self.layout.row.names, field), keys });
        self.sorted_by_block()
    }

    /// Sets [`is_sorted_by_block`](Self::is_sorted_by_block). Lists with a [`Keyset`] always are.
    pub(crate) const fn sorted_by_block(mut self) -> Self {
        self.is_sorted_by_block = true;
        self
    }

    /// Sets how an action selects a range of blocks, if it differs from the account module.
    pub(crate) const fn range(mut self, form: &'static RangeForm) -> Self {
        self.kind = ResponseKind::Ranged(form);
        self
    }

    /// Sets [`queries`](Self::queries).
    pub(crate) const fn queries(mut self, queries: &'static [Query]) -> Self {
        self.queries = queries;
        self
    }

    /// Sets [`rpc_method`](Self::rpc_method).
    pub(crate) const fn calls(mut self, rpc_method: &'static str) -> Self {
        self.rpc_method = Some(rpc_method);
        self
    }
}

impl Operation {
    /// Returns the name in kebab-case, such as `address-logs`: the folder of its fixtures and recorded responses.
    #[must_use]
    pub fn folder_name(&self) -> String {
        let mut folder = String::new();
        for character in self.name.chars() {
            if character.is_ascii_uppercase() {
                folder.push('-');
            }
            folder.push(character.to_ascii_lowercase());
        }
        folder
    }

    /// The HTTP method of a request.
    #[must_use]
    pub const fn http_method(&self) -> &'static str {
        if self.queries.is_empty() && self.rpc_method.is_none() { "GET" } else { "POST" }
    }

    /// How the operation selects a range of blocks. `None` if its rows are not in blocks.
    #[must_use]
    pub const fn range_form(&self) -> Option<&'static RangeForm> {
        if let ResponseKind::Ranged(form) = self.kind { Some(form) } else { None }
    }

    /// The module of an action, such as `account`. In JavaScript, `client.account` has its methods. `None` for the REST
    /// API.
    #[must_use]
    pub fn module(&self) -> Option<&'static str> {
        match self.path.split_once("module=") {
            Some((_, after)) => after.split('&').next(),
            None if self.rpc_method.is_some() => Some("rpc"),
            None => (!self.queries.is_empty()).then_some("graphql"),
        }
    }

    /// The service's name of an action, such as `txlist`.
    #[must_use]
    pub fn service_name(&self) -> &'static str {
        self.rpc_method.or_else(|| self.path.rsplit('=').next()).unwrap_or_default()
    }

    /// Whether this is the name or the path of the operation. GraphQL operations share one path, so only their names identify them.
    #[must_use]
    pub(crate) fn is_called(&self, name_or_path: &str) -> bool {
        self.name == name_or_path || self.path == name_or_path && self.queries.is_empty()
    }
}

/// The declaration of a parameter, as data.
#[derive(Debug)]
pub struct ParamSpec {
    /// Name of the parameter, the same in Rust, in JavaScript and in the URL.
    pub name: &'static str,
    /// Whether the parameter must be given.
    pub required: bool,
    /// The values that the parameter accepts.
    pub rule: &'static ParamRule,
    /// The first backend version that has the parameter. `None`: all versions that have the operation.
    pub since: Option<Version>,
}

impl ParamSpec {
    /// A parameter that all versions have.
    pub(crate) const fn new(name: &'static str, required: bool, rule: &'static ParamRule) -> Self {
        Self { name, required, rule, since: None }
    }

    /// Sets the first version that has it.
    pub(crate) const fn since(mut self, version: &str) -> Self {
        self.since = Some(Version::declared(version));
        self
    }
}

/// A struct with the parameters of an operation.
pub trait Params: 'static {
    /// The response of the service.
    type Response: Response;
    /// The operation that takes these parameters.
    const OPERATION: &'static Operation;
    /// The operation with its documentation and TypeScript types. It is a separate constant, so that it is not compiled into the
    /// WebAssembly module.
    const DESCRIBED: DescribedOperation;
    /// Returns the parameters that are set, as pairs of name and value.
    fn to_values(&self) -> Vec<(&'static str, ParamValue)>;
}

/// An operation with its documentation and TypeScript types, for the generator of the npm package.
#[derive(Debug, Clone, Copy)]
pub struct DescribedOperation {
    /// Name of the parameter struct in Rust.
    pub params_name: &'static str,
    /// The operation.
    pub operation: &'static Operation,
    /// Documentation of the operation, and of each parameter.
    pub docs: (&'static str, &'static [&'static str]),
    /// TypeScript type of each parameter.
    pub types: &'static [&'static str],
    /// The documented keys of the cursor with their TypeScript types. Empty for all but lists of several pages.
    pub cursor: &'static [(&'static str, &'static str)],
    /// TypeScript type of the value, if the operation returns one.
    pub value: Option<fn() -> String>,
}

/// Visits the parameter types of operations, for code that is generic over their records.
pub trait OperationVisitor {
    /// Visits the parameters of an operation.
    fn visit<P: Params>(&mut self);
}

/// The parameters of a list.
pub trait ListParams: Params {
    /// One item.
    type Item: Record + RecordValue;
    /// The other members of a page.
    type Envelope: Record;
}

/// The parameters of an operation that returns a single record.
pub trait LookupParams: Params {
    /// The record.
    type Record: Record + RecordValue;
}

/// The parameters of an action that returns rows.
pub trait RowsAction: Params {
    /// One row of the result.
    type Row: Record + RecordValue;
}

/// The parameters of an action whose rows can be read by block range.
pub trait RangedAction: RowsAction {}

/// The parameters of an action that returns a single value.
pub trait ValueAction: Params {
    /// The record with the value in its field `result`.
    type ValueRecord: Record;
}

impl<T, E, P: Params<Response = List<T, E>>> ListParams for P
where
    List<T, E>: Response<Item = T, Envelope = E>,
    T: Record + RecordValue,
    E: Record,
{
    type Item = T;
    type Envelope = E;
}

impl<T: Record + RecordValue + Serialize, P: Params<Response = Single<T>>> LookupParams for P {
    type Record = T;
}

impl<T: Record + RecordValue + Serialize, K, P: Params<Response = Rows<T, K>>> RowsAction for P {
    type Row = T;
}

impl<T: Record + RecordValue + Serialize, P: Params<Response = Rows<T, ByRange>>> RangedAction for P {}

impl<V: Record, T, P: Params<Response = Value<V, T>>> ValueAction for P {
    type ValueRecord = V;
}

/// The checked parameters in the query of a request. The rules between parameters read them.
#[derive(Debug)]
pub struct QueryParams<'a>(pub &'a [(&'static str, String)]);

impl QueryParams<'_> {
    /// Returns the value of a parameter. `None` where it is not given.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(known, _)| *known == name).map(|(_, value)| value.as_str())
    }

    /// Returns the value of an integer parameter. `None` where it is not given.
    #[must_use]
    pub fn get_number(&self, name: &str) -> Option<u64> {
        crate::strings::parse_u64(self.get(name)?)
    }
}
