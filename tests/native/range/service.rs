//! A simulated service with a history of token transfers, as a [`Runtime`]. It limits the rows of a request, and its
//! [`Behavior`] adds faults, changes of the chain and other deviations.

use std::cell::{Cell, RefCell};
use std::fmt;
use std::future::{Future, pending};
use std::pin::Pin;
use std::rc::Rc;

use address_query::client::{HttpRequest, NetworkError, Response, Runtime};

use super::rng::Rng;

/// A transfer. Two transfers may be equal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Row {
    pub block: u64,
    pub id: u64,
}

/// A row with this id fails validation.
pub const BAD_ROW_ID: u64 = u64::MAX;

/// How the service treats `page` without `offset`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeepPages {
    /// It returns every page.
    Unlimited,
    /// It ignores `page` and returns the first one.
    FirstPageOnly,
    /// It refuses all pages after the first.
    Refused,
}

/// Which requests fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    Never,
    /// Requests for more blocks than this.
    WiderThan(u64),
    /// This percentage of the requests.
    Percent(u64),
}

/// A limit below the page limit that is not the same for every response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VaryingLimit {
    None,
    /// A random number of rows within these bounds.
    Rows(u64, u64),
    /// This many bytes. Rows differ in length; see [`weight`]. A response has at least one row.
    Bytes(u64),
    /// The first number of rows, and less the older the rows are: a slow service stops after a time.
    Time(u64),
}

/// The bytes of a row. Older rows have another size.
const fn weight(row: Row) -> u64 {
    if row.block % 64 < 32 { 1 } else { 1 + row.id % 7 }
}

/// How the service behaves.
#[derive(Debug, Clone, Copy)]
pub struct Behavior {
    /// Rows that one request can reach, and the default page size.
    pub page_limit: u64,
    pub deep_pages: DeepPages,
    pub fault: Fault,
    /// The percentage of requests before which the head of the chain changes.
    pub change_percent: u64,
    /// Whether it ignores `startblock` and `endblock`.
    pub ignores_blocks: bool,
    /// Maximum number of rows per response, whatever the request.
    pub response_limit: u64,
    pub varying_limit: VaryingLimit,
    /// Maximum bytes of a body chunk. 0 means that a body is one chunk.
    pub max_chunk_bytes: u64,
    /// The percentage of bodies that break off.
    pub break_percent: u64,
    /// Whether some of these bodies stall instead of failing.
    pub stalls: bool,
    /// The reader's maximum number of attempts per request.
    pub max_attempts: u32,
    pub damage: Damage,
}

/// Which rows fail validation. All numbers are percentages.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Damage {
    /// Rows that are bad in every response.
    pub permanent: u64,
    /// Rows that are bad in a single response.
    pub transient: u64,
    /// Bad records whose block number is not readable.
    pub without_block: u64,
}

impl Behavior {
    pub const fn normal(page_limit: u64) -> Self {
        Self {
            page_limit,
            deep_pages: DeepPages::Unlimited,
            fault: Fault::Never,
            change_percent: 0,
            ignores_blocks: false,
            response_limit: u64::MAX,
            varying_limit: VaryingLimit::None,
            max_chunk_bytes: 0,
            break_percent: 0,
            stalls: true,
            max_attempts: 1,
            damage: Damage { permanent: 0, transient: 0, without_block: 0 },
        }
    }

    /// Adds bodies in chunks of a random maximum size.
    pub fn in_chunks(self, rng: &mut Rng) -> Self {
        Self { max_chunk_bytes: rng.between(1, 20) * rng.between(1, 200), ..self }
    }
}

/// The simulated service. Clones share its state.
#[derive(Clone)]
pub struct Service(pub Rc<ServiceState>);

impl fmt::Debug for Service {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Service")
    }
}

pub struct ServiceState {
    pub behavior: Behavior,
    /// The rows, oldest first.
    pub rows: RefCell<Vec<Row>>,
    /// The rows that were never removed.
    pub permanent_rows: RefCell<Vec<Row>>,
    /// All rows that ever existed.
    pub rows_ever: RefCell<Vec<Row>>,
    /// The lowest block that a reorganisation changed.
    pub changed_from: Cell<u64>,
    pub requests: Cell<u32>,
    /// Number of window responses that were read to the end.
    pub windows: Cell<u32>,
    /// Number of bodies that broke off.
    pub broken_bodies: Cell<u32>,
    /// Number of bodies that are still open.
    pub open_bodies: Cell<i32>,
    pub urls: RefCell<Vec<String>>,
    /// Number of requests with a [`Fault::WiderThan`] that fail first, whatever their width.
    pub extra_slow_windows: Cell<u32>,
    stalled: Cell<bool>,
    rng: RefCell<Rng>,
    next_id: Cell<u64>,
}

impl Service {
    /// `rows` are sorted by block.
    pub fn new(rows: Vec<Row>, behavior: Behavior, seed: u64) -> Self {
        let next_id = rows.iter().map(|row| row.id.saturating_add(1)).max().unwrap_or_default();
        Self(Rc::new(ServiceState {
            behavior,
            permanent_rows: RefCell::new(rows.clone()),
            rows_ever: RefCell::new(rows.clone()),
            rows: RefCell::new(rows),
            changed_from: Cell::new(u64::MAX),
            requests: Cell::new(0),
            windows: Cell::new(0),
            broken_bodies: Cell::new(0),
            open_bodies: Cell::new(0),
            urls: RefCell::default(),
            extra_slow_windows: Cell::new(0),
            stalled: Cell::new(false),
            rng: RefCell::new(Rng::new(seed)),
            next_id: Cell::new(next_id),
        }))
    }

    /// Whether a request for this many blocks fails.
    fn should_fail(&self, blocks: u64, offset: Option<u64>) -> bool {
        match self.0.behavior.fault {
            Fault::WiderThan(width) if offset != Some(1) => {
                let left = self.0.extra_slow_windows.get();
                self.0.extra_slow_windows.set(left.saturating_sub(1));
                blocks > width || left > 0
            }
            Fault::Never | Fault::WiderThan(_) => false,
            Fault::Percent(percent) => self.0.rng.borrow_mut().chance(percent),
        }
    }

    /// Counts a request, and returns the status and the body of the response. `None` if there is no response.
    pub fn handle(&self, url: &str) -> Option<(u16, String)> {
        self.change_head();
        self.0.requests.set(self.0.requests.get() + 1);
        assert!(self.0.requests.get() < 2_000, "the reader does not stop sending requests");
        self.0.urls.borrow_mut().push(url.to_owned());
        match self.respond(url) {
            Ok(body) => Some((200, body)),
            Err(Failure::Status(status)) => Some((status, "Something went wrong.".into())),
            Err(Failure::Stall) => None,
        }
    }

    /// Sometimes adds blocks at the head. A reorganisation also replaces the last blocks.
    fn change_head(&self) {
        let (mut rng, mut rows) = (self.0.rng.borrow_mut(), self.0.rows.borrow_mut());
        if !rng.chance(self.0.behavior.change_percent) {
            return;
        }
        let head = rows.last().map_or(0, |row| row.block);
        let mut from = head + 1;
        if rng.chance(50) {
            from = head.saturating_sub(rng.between(0, 3));
            rows.retain(|row| row.block < from);
            self.0.permanent_rows.borrow_mut().retain(|row| row.block < from);
            self.0.changed_from.set(from.min(self.0.changed_from.get()));
        }
        let last = from + rng.between(0, 3);
        let max_rows = if rng.chance(10) { 3 * self.0.behavior.page_limit } else { 4 };
        for block in from..=last {
            for _ in 0..rng.between(0, max_rows) {
                let row = Row { block, id: self.0.next_id.replace(self.0.next_id.get() + 1) };
                rows.push(row);
                self.0.rows_ever.borrow_mut().push(row);
            }
        }
    }

    /// Returns the body of the response to a request.
    fn respond(&self, url: &str) -> Result<String, Failure> {
        let query = url.split_once('?').unwrap().1;
        let param = |name: &str| query.split('&').find_map(|pair| pair.strip_prefix(name)?.strip_prefix('='));
        let number = |name: &str| param(name).map(|value| value.parse::<u64>().unwrap());
        let Behavior { page_limit, deep_pages, ignores_blocks, response_limit, .. } = self.0.behavior;
        let (low, high) = (number("startblock").unwrap_or(0), number("endblock").unwrap_or(0x7FFF_FFFF));
        let (page, offset) = (number("page").unwrap(), number("offset"));
        if self.should_fail(high - low + 1, offset) {
            return Err(match self.0.rng.borrow_mut().between(0, 4) {
                0 => Failure::Stall,
                other => Failure::Status([500, 502, 503, 504][usize::try_from(other).unwrap() - 1]),
            });
        }
        if offset.map_or(deep_pages == DeepPages::Refused && page > 1, |offset| page * offset > page_limit) {
            return Ok(r#"{"message":"Result window is too large","result":null,"status":"0"}"#.into());
        }
        let page = if offset.is_none() && deep_pages == DeepPages::FirstPageOnly { 1 } else { page };
        let offset = offset.unwrap_or(page_limit);
        let rows = self.0.rows.borrow();
        let is_in = |row: &&Row| ignores_blocks || (low <= row.block && row.block <= high);
        let mut found: Vec<&Row> = rows.iter().filter(is_in).collect();
        if param("sort") == Some("desc") {
            found.reverse();
        }
        let skipped = usize::try_from((page - 1) * offset).unwrap();
        let mut found: Vec<&Row> =
            found.into_iter().skip(skipped).take(usize::try_from(offset.min(response_limit)).unwrap()).collect();
        let limit = self.choose_limit(&found);
        found.truncate(limit);
        let found = found.into_iter();
        let rows: Vec<String> = found.map(|row| self.damage(*row, json(*row, self.0.requests.get()))).collect();
        Ok(if rows.is_empty() {
            r#"{"message":"No token transfers found","result":[],"status":"0"}"#.into()
        } else {
            format!(r#"{{"message":"OK","result":[{}],"status":"1"}}"#, rows.join(","))
        })
    }
}

impl Service {
    /// Returns how many of these rows a response has.
    fn choose_limit(&self, rows: &[&Row]) -> usize {
        let limit = match self.0.behavior.varying_limit {
            VaryingLimit::None => return rows.len(),
            VaryingLimit::Rows(low, high) => self.0.rng.borrow_mut().between(low, high),
            VaryingLimit::Bytes(bytes) => {
                let mut left = bytes;
                let fits = |row: &&&Row| {
                    left = left.saturating_sub(weight(***row));
                    left > 0
                };
                rows.iter().take_while(fits).count().max(1) as u64
            }
            VaryingLimit::Time(limit) => {
                let age = rows.first().map_or(0, |row| row.block % 50);
                (limit * (50 + age)).div_ceil(100).max(1)
            }
        };
        rows.len().min(usize::try_from(limit).unwrap())
    }

    /// Damages the JSON of a row if it is to be bad. [`read_bad_record`](super::omitted::read_bad_record) can still
    /// read it.
    fn damage(&self, row: Row, json: String) -> String {
        let Damage { permanent, transient, without_block } = self.0.behavior.damage;
        if permanent + transient == 0 {
            return json;
        }
        let mut of_row = Rng::new(row.block << 32 | row.id);
        let is_permanent = of_row.chance(permanent);
        let mut of_response = self.0.rng.borrow_mut();
        if !is_permanent && !of_response.chance(transient) {
            return json;
        }
        let lacks_block = if is_permanent { of_row.chance(without_block) } else { of_response.chance(without_block) };
        if lacks_block {
            json.replace("\"blockNumber\":\"", "\"blockNumber\":\"?")
        } else {
            json.replace("\"from\":\"0x", "\"from\":\"?")
        }
    }
}

enum Failure {
    Stall,
    Status(u16),
}

/// A row of `tokentx` with its required fields, and `confirmations`, which change from request to request.
fn json(row: Row, confirmations: u32) -> String {
    let digits = if row.id == BAD_ROW_ID { 60 } else { 64 };
    format!(
        r#"{{"blockNumber":"{}","hash":"0x{:0digits$x}","from":"0x00000000219ab540356cbb839cbe05303d7705fa","confirmations":"{confirmations}"}}"#,
        row.block, row.id
    )
}

/// A response body.
#[derive(Debug)]
pub struct ServiceBody {
    service: Service,
    /// Bytes that were not read yet.
    rest: Vec<u8>,
    is_window: bool,
    /// How it breaks off, if it does.
    broken: Option<Break>,
}

#[derive(Debug)]
enum Break {
    Lost,
    Truncated,
    Stall,
}

impl Drop for ServiceBody {
    fn drop(&mut self) {
        self.service.0.open_bodies.set(self.service.0.open_bodies.get() - 1);
    }
}

impl Runtime for Service {
    type Body = ServiceBody;

    async fn send(&self, HttpRequest { url, .. }: HttpRequest<'_>) -> Result<Response<Self::Body>, NetworkError> {
        self.0.stalled.set(false);
        let Some((status, body)) = self.handle(url) else {
            self.0.stalled.set(true);
            return pending().await;
        };
        let mut rest = body.into_bytes();
        let mut rng = self.0.rng.borrow_mut();
        let broken = (status == 200 && rng.chance(self.0.behavior.break_percent)).then(|| {
            self.0.broken_bodies.set(self.0.broken_bodies.get() + 1);
            rest.truncate(usize::try_from(rng.between(0, rest.len() as u64 - 1)).unwrap());
            match rng.between(0, 1 + u64::from(self.0.behavior.stalls)) {
                0 => Break::Lost,
                1 => Break::Truncated,
                _ => Break::Stall,
            }
        });
        let is_window = status == 200 && url.ends_with(&format!("&offset={}", self.0.behavior.page_limit));
        self.0.open_bodies.set(self.0.open_bodies.get() + 1);
        Ok(Response {
            status,
            headers: Vec::new(),
            body: ServiceBody { service: self.clone(), rest, is_window, broken },
        })
    }

    async fn chunk(&self, body: &mut Self::Body) -> Result<Option<Vec<u8>>, NetworkError> {
        if !body.rest.is_empty() {
            let max_bytes = match self.0.behavior.max_chunk_bytes {
                0 => body.rest.len(),
                max_chunk_bytes => usize::try_from(self.0.rng.borrow_mut().between(1, max_chunk_bytes)).unwrap(),
            };
            return Ok(Some(body.rest.drain(..max_bytes.min(body.rest.len())).collect()));
        }
        match body.broken {
            None => {
                self.0.windows.set(self.0.windows.get() + u32::from(body.is_window));
                Ok(None)
            }
            Some(Break::Truncated) => Ok(None),
            Some(Break::Lost) => Err(NetworkError("the body broke off".into())),
            Some(Break::Stall) => {
                self.0.stalled.set(true);
                pending().await
            }
        }
    }

    /// Returns at once for a backoff, and for a timeout if the response has stalled. All other timers never fire.
    async fn sleep(&self, ms: u64) {
        const MAX_BACKOFF_MS: u64 = 10_000;
        if ms > MAX_BACKOFF_MS && !self.0.stalled.replace(false) {
            pending::<()>().await;
        }
    }

    /// Does nothing: no time passes between calls.
    fn spawn(&self, _: Pin<Box<dyn Future<Output = ()>>>) {}

    fn random(&self) -> f64 {
        0.5
    }

    fn now_ms(&self) -> u64 {
        0
    }
}
