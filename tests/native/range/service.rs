//! A service with a history of token transfers, as a network: it answers from the history as it is at that moment, reaches
//! only so many rows with one request, and has its moods.

use std::cell::{Cell, RefCell};
use std::fmt;
use std::future::pending;
use std::rc::Rc;

use address_query::client::{NoAnswer, Response, Runtime};

use super::dice::Dice;

/// A transfer. Equal ones are legal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Row {
    pub block: u64,
    pub id: u64,
}

/// A row with this id cannot be read.
pub const BAD: u64 = u64::MAX;

/// What the service does with `page` without `offset`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Deep {
    /// Pages without a limit.
    Pages,
    /// The first page, always.
    Ignored,
    Refused,
}

/// Which windows are not answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    Never,
    /// Those of more blocks than this.
    WiderThan(u64),
    /// So many of a hundred requests.
    Percent(u64),
}

/// What the service is like.
#[derive(Debug, Clone, Copy)]
pub struct Mood {
    pub window: u64,
    pub deep: Deep,
    pub fault: Fault,
    /// Changes at the head before so many of a hundred requests.
    pub changes: u64,
    pub ignores_blocks: bool,
    /// Rows that it gives at most, whatever it is asked for.
    pub cap: u64,
    /// Bodies come in pieces of up to so many bytes; 0: whole.
    pub piece: u64,
    /// So many of a hundred bodies break off.
    pub breaks: u64,
    /// Whether bodies that break off do so by not going on, too.
    pub stalls: bool,
    /// How often the reader sends a request at most.
    pub attempts: u32,
}

impl Mood {
    pub const fn calm(window: u64) -> Self {
        Self {
            window,
            deep: Deep::Pages,
            fault: Fault::Never,
            changes: 0,
            ignores_blocks: false,
            cap: u64::MAX,
            piece: 0,
            breaks: 0,
            stalls: true,
            attempts: 1,
        }
    }

    /// The same, with bodies in pieces.
    pub fn in_pieces(self, dice: &mut Dice) -> Self {
        Self { piece: dice.roll(1, 20) * dice.roll(1, 200), ..self }
    }
}

/// The network. Clones share it.
#[derive(Clone)]
pub struct Service(pub Rc<State>);

impl fmt::Debug for Service {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Service")
    }
}

pub struct State {
    pub mood: Mood,
    /// The rows, oldest first.
    pub rows: RefCell<Vec<Row>>,
    /// The rows that were there all the time.
    pub throughout: RefCell<Vec<Row>>,
    /// The rows that were there at any time.
    pub ever: RefCell<Vec<Row>>,
    /// The lowest block that a reorganisation changed.
    pub changed_from: Cell<u64>,
    pub requests: Cell<u32>,
    /// Windows of blocks that were answered to the end.
    pub windows: Cell<u32>,
    /// Bodies that broke off.
    pub broken: Cell<u32>,
    /// Bodies that somebody may still read.
    pub open: Cell<i32>,
    pub urls: RefCell<Vec<String>>,
    /// Windows that are too wide before those that the mood says.
    pub too_slow_once: Cell<u32>,
    stalled: Cell<bool>,
    dice: RefCell<Dice>,
    ids: Cell<u64>,
}

impl Service {
    /// `rows` are sorted by block.
    pub fn new(rows: Vec<Row>, mood: Mood, seed: u64) -> Self {
        let ids = rows.iter().map(|row| row.id.saturating_add(1)).max().unwrap_or_default();
        Self(Rc::new(State {
            mood,
            throughout: RefCell::new(rows.clone()),
            ever: RefCell::new(rows.clone()),
            rows: RefCell::new(rows),
            changed_from: Cell::new(u64::MAX),
            requests: Cell::new(0),
            windows: Cell::new(0),
            broken: Cell::new(0),
            open: Cell::new(0),
            urls: RefCell::default(),
            too_slow_once: Cell::new(0),
            stalled: Cell::new(false),
            dice: RefCell::new(Dice::new(seed)),
            ids: Cell::new(ids),
        }))
    }

    fn is_faulty(&self, blocks: u64, offset: Option<u64>) -> bool {
        match self.0.mood.fault {
            Fault::WiderThan(width) if offset != Some(1) => {
                let left = self.0.too_slow_once.get();
                self.0.too_slow_once.set(left.saturating_sub(1));
                blocks > width || left > 0
            }
            Fault::Never | Fault::WiderThan(_) => false,
            Fault::Percent(chance) => self.0.dice.borrow_mut().percent(chance),
        }
    }

    /// New blocks at the head, perhaps in the place of the last ones.
    fn change(&self) {
        let (mut dice, mut rows) = (self.0.dice.borrow_mut(), self.0.rows.borrow_mut());
        if !dice.percent(self.0.mood.changes) {
            return;
        }
        let head = rows.last().map_or(0, |row| row.block);
        let mut from = head + 1;
        if dice.percent(50) {
            from = head.saturating_sub(dice.roll(0, 3));
            rows.retain(|row| row.block < from);
            self.0.throughout.borrow_mut().retain(|row| row.block < from);
            self.0.changed_from.set(from.min(self.0.changed_from.get()));
        }
        let last = from + dice.roll(0, 3);
        let most = if dice.percent(10) { 3 * self.0.mood.window } else { 4 };
        for block in from..=last {
            for _ in 0..dice.roll(0, most) {
                let row = Row { block, id: self.0.ids.replace(self.0.ids.get() + 1) };
                rows.push(row);
                self.0.ever.borrow_mut().push(row);
            }
        }
    }

    /// The answer to a query, in the ways of the service.
    fn answer(&self, url: &str) -> Result<String, Failure> {
        let query = url.split_once('?').unwrap().1;
        let given = |name: &str| query.split('&').find_map(|pair| pair.strip_prefix(name)?.strip_prefix('='));
        let number = |name: &str| given(name).map(|text| text.parse::<u64>().unwrap());
        let Mood { window, deep, ignores_blocks, cap, .. } = self.0.mood;
        let (low, high) = (number("startblock").unwrap_or(0), number("endblock").unwrap_or(0x7FFF_FFFF));
        let (page, offset) = (number("page").unwrap(), number("offset"));
        if self.is_faulty(high - low + 1, offset) {
            return Err(match self.0.dice.borrow_mut().roll(0, 4) {
                0 => Failure::Stall,
                other => Failure::Status([500, 502, 503, 504][usize::try_from(other).unwrap() - 1]),
            });
        }
        if offset.map_or(deep == Deep::Refused && page > 1, |offset| page * offset > window) {
            return Ok(r#"{"message":"Result window is too large","result":null,"status":"0"}"#.into());
        }
        let page = if offset.is_none() && deep == Deep::Ignored { 1 } else { page };
        let offset = offset.unwrap_or(window);
        let rows = self.0.rows.borrow();
        let is_in = |row: &&Row| ignores_blocks || (low <= row.block && row.block <= high);
        let mut found: Vec<&Row> = rows.iter().filter(is_in).collect();
        if given("sort") == Some("desc") {
            found.reverse();
        }
        let skipped = usize::try_from((page - 1) * offset).unwrap();
        let found = found.into_iter().skip(skipped).take(usize::try_from(offset.min(cap)).unwrap());
        let rows: Vec<String> = found.map(|row| json(*row, self.0.requests.get())).collect();
        Ok(if rows.is_empty() {
            r#"{"message":"No token transfers found","result":[],"status":"0"}"#.into()
        } else {
            format!(r#"{{"message":"OK","result":[{}],"status":"1"}}"#, rows.join(","))
        })
    }
}

enum Failure {
    Stall,
    Status(u16),
}

/// A row of `tokentx` with what is required; confirmations change from request to request.
fn json(row: Row, confirmations: u32) -> String {
    let digits = if row.id == BAD { 60 } else { 64 };
    format!(
        r#"{{"blockNumber":"{}","hash":"0x{:0digits$x}","from":"0x00000000219ab540356cbb839cbe05303d7705fa","confirmations":"{confirmations}"}}"#,
        row.block, row.id
    )
}

/// What is left of a body.
#[derive(Debug)]
pub struct Body {
    service: Service,
    rest: Vec<u8>,
    is_window: bool,
    /// How it ends, if not well.
    broken: Option<Break>,
}

#[derive(Debug)]
enum Break {
    Lost,
    Truncated,
    Stall,
}

impl Drop for Body {
    fn drop(&mut self) {
        self.service.0.open.set(self.service.0.open.get() - 1);
    }
}

impl Runtime for Service {
    type Body = Body;

    async fn send(&self, url: &str, _: bool) -> Result<Response<Self::Body>, NoAnswer> {
        self.change();
        self.0.requests.set(self.0.requests.get() + 1);
        assert!(self.0.requests.get() < 2_000, "reads without an end");
        self.0.urls.borrow_mut().push(url.to_owned());
        self.0.stalled.set(false);
        let (status, body) = match self.answer(url) {
            Ok(body) => (200, body),
            Err(Failure::Status(status)) => (status, "Something went wrong.".into()),
            Err(Failure::Stall) => {
                self.0.stalled.set(true);
                return pending().await;
            }
        };
        let mut rest = body.into_bytes();
        let mut dice = self.0.dice.borrow_mut();
        let broken = (status == 200 && dice.percent(self.0.mood.breaks)).then(|| {
            self.0.broken.set(self.0.broken.get() + 1);
            rest.truncate(usize::try_from(dice.roll(0, rest.len() as u64 - 1)).unwrap());
            match dice.roll(0, 1 + u64::from(self.0.mood.stalls)) {
                0 => Break::Lost,
                1 => Break::Truncated,
                _ => Break::Stall,
            }
        });
        let is_window = status == 200 && url.ends_with(&format!("&offset={}", self.0.mood.window));
        self.0.open.set(self.0.open.get() + 1);
        Ok(Response { status, headers: Vec::new(), body: Body { service: self.clone(), rest, is_window, broken } })
    }

    async fn chunk(&self, body: &mut Self::Body) -> Result<Option<Vec<u8>>, NoAnswer> {
        if !body.rest.is_empty() {
            let most = match self.0.mood.piece {
                0 => body.rest.len(),
                piece => usize::try_from(self.0.dice.borrow_mut().roll(1, piece)).unwrap(),
            };
            return Ok(Some(body.rest.drain(..most.min(body.rest.len())).collect()));
        }
        match body.broken {
            None => {
                self.0.windows.set(self.0.windows.get() + u32::from(body.is_window));
                Ok(None)
            }
            Some(Break::Truncated) => Ok(None),
            Some(Break::Lost) => Err(NoAnswer("the body broke off".into())),
            Some(Break::Stall) => {
                self.0.stalled.set(true);
                pending().await
            }
        }
    }

    /// Time passes only where nothing else comes, and between attempts.
    async fn sleep(&self, ms: u64) {
        const PAUSE_MS: u64 = 10_000;
        if ms > PAUSE_MS && !self.0.stalled.replace(false) {
            pending::<()>().await;
        }
    }

    fn random(&self) -> f64 {
        0.5
    }

    fn now_ms(&self) -> u64 {
        0
    }
}
