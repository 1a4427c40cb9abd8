//! One record: bytes and its table in, slots of the frame out. What its fields hold is read in `value.rs`.

use super::drift::{DriftKind, DriftLog};
use super::frame::Frame;
use super::scan::{Fail, Scanner, Span, quoted, unescaped, well_formed};
use crate::record::format::Verdict;
use crate::record::read::{describe, expects, printable};
use crate::record::{Field, Kind, Mismatch, Slot, Table};

/// Fields a record may have.
const MAX_FIELDS: usize = 64;

/// Nested records remembered per table: a page repeats the same few addresses and tokens.
const REMEMBERED: usize = 8;

/// What was learned from the rows before.
#[derive(Debug, Default)]
pub struct Memory {
    tables: Vec<Learned>,
}

#[derive(Debug)]
struct Learned {
    table: &'static Table,
    /// Which field the n-th member was last time.
    order: Vec<Option<Name>>,
    /// Nested records that were read from the present input.
    records: Vec<Remembered>,
    next: usize,
    /// Fields whose absence is not to be noted, or has been: one bit each.
    missing: u64,
}

/// A nested record that was read: where it stands, how deep, and its slot.
#[derive(Debug, Clone, Copy)]
struct Remembered {
    start: usize,
    length: usize,
    depth: usize,
    slot: u32,
}

/// A field by one of its names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Name {
    field: usize,
    rank: u8,
}

impl Memory {
    fn of(&mut self, table: &'static Table) -> usize {
        if let Some(known) = self.tables.iter().position(|learned| std::ptr::eq(learned.table, table)) {
            return known;
        }
        let fields = table.fields.iter().enumerate();
        let sometimes = fields.filter(|(_, field)| !field.always && field.slot.nullable);
        let missing = sometimes.fold(0, |bits, (index, _)| bits | 1 << index);
        self.tables.push(Learned { table, order: Vec::new(), records: Vec::new(), next: 0, missing });
        self.tables.len() - 1
    }

    /// Forgets what is bound to the input or the frame: one of them is about to change.
    pub fn forget_records(&mut self) {
        for learned in &mut self.tables {
            learned.records.clear();
            learned.next = 0;
        }
    }
}

/// Reads values into a frame.
#[derive(Debug)]
pub struct Decoder<'a> {
    /// Where the input is read.
    pub scan: Scanner<'a>,
    /// Where the values go.
    pub frame: &'a mut Frame,
    /// What was learned before.
    pub memory: &'a mut Memory,
    /// Where drift is noted.
    pub drift: &'a mut DriftLog,
    /// Whether unknown fields are kept.
    pub keep_extra: bool,
}

/// An object that is being read: which fields have been seen, and what did not fit.
#[derive(Debug)]
pub struct Progress {
    /// Rank of the name each field was read by, plus one; 0 where it was not read.
    ranks: [u8; MAX_FIELDS],
    /// Fields that were read: one bit each.
    seen: u64,
    failures: Vec<(usize, Fail)>,
    /// The unknown members as a JSON object, its end left open.
    extra: Vec<u8>,
}

impl Default for Progress {
    fn default() -> Self {
        Self { ranks: [0; MAX_FIELDS], seen: 0, failures: Vec::new(), extra: Vec::new() }
    }
}

/// The field being read: who it belongs to, for drift.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) table: &'static Table,
    pub(super) name: &'static str,
}

impl Decoder<'_> {
    /// Reads a record that stands alone or in a list of rows: the position of its slots.
    ///
    /// # Errors
    /// As [`Fail`] says; after [`Fail::Shape`] the scanner stands behind the record.
    pub fn row(&mut self, table: &'static Table) -> Result<usize, Fail> {
        if self.scan.peek()? != b'{' {
            return Err(self.scan.mismatch(expects(Kind::Record(table))));
        }
        let at = self.frame.reserve(table.fields.len());
        self.members(table, at)?;
        Ok(at)
    }

    /// Reads a member of an object that is read piece by piece into a record reserved at `at`.
    ///
    /// # Errors
    /// As [`Fail`] says, but for [`Fail::Shape`], which is kept until the end: a better member may follow.
    pub fn member(
        &mut self,
        table: &'static Table,
        at: usize,
        key: &[u8],
        progress: &mut Progress,
    ) -> Result<(), Fail> {
        self.named(table, at, name_of(table, key), key, progress)
    }

    /// Ends an object that was read piece by piece.
    ///
    /// # Errors
    /// [`Fail::Shape`] for the first field that does not fit.
    pub fn end(&mut self, table: &'static Table, at: usize, progress: Progress) -> Result<(), Fail> {
        let Progress { mut seen, mut failures, mut extra, .. } = progress;
        if let Some((from, to)) = table.respelt
            && seen & 1 << to == 0
            && seen & 1 << from != 0
        {
            seen |= 1 << to;
            match self.respelt(table, at + from, to) {
                Ok(slot) => self.frame.set(at + to, slot),
                Err(fail) => failures.push((to, fail)),
            }
        }
        self.absent(table, seen, &mut failures);
        if let Some((index, fail)) = failures.into_iter().min_by_key(|(index, _)| *index) {
            let name = table.fields.get(index).map_or("", documented);
            return Err(fail.outward(|mismatch| mismatch.in_field(name)));
        }
        if !extra.is_empty() {
            extra.push(b'}');
            let slot = self.frame.json(Span { json: &extra, lone: false });
            self.frame.extras.push((u32::try_from(at).unwrap_or(u32::MAX), slot));
        }
        self.mirror(table, at);
        Ok(())
    }

    /// The text at a position in the spelling that a field asks for.
    fn respelt(&mut self, table: &'static Table, from: usize, to: usize) -> Result<u32, Fail> {
        let slot = self.frame.get(from);
        let (Some(raw), Some(Slot { kind: Kind::Text(format), nullable })) =
            (self.frame.content(slot), table.fields.get(to).map(|field| field.slot))
        else {
            return Ok(0);
        };
        match format.judge(&unescaped(raw)) {
            Verdict::AsIs => Ok(slot),
            Verdict::Rewritten(text) => Ok(self.frame.plain(text.as_bytes())),
            Verdict::Unknown if nullable => Ok(0),
            Verdict::Unknown | Verdict::Wrong => {
                let found = describe(&[b"\"", raw, b"\""].concat());
                Err(Fail::Shape(Box::new(Mismatch::new(format.expects(), found))))
            }
        }
    }

    pub(super) fn nested(&mut self, table: &'static Table) -> Result<u32, Fail> {
        let learned = self.memory.of(table);
        let (start, depth) = (self.scan.position(), self.scan.depth());
        if let Some(learned) = self.memory.tables.get(learned) {
            for known in &learned.records {
                // What it holds was found to nest not too deep where it stood, and no deeper.
                if depth <= known.depth && self.scan.repeats(known.start, known.length) {
                    self.scan.advance(known.length);
                    return Ok(known.slot);
                }
            }
        }
        let slot = Frame::reference(self.row(table)?);
        let length = self.scan.position() - start;
        if let Some(learned) = self.memory.tables.get_mut(learned) {
            let read = Remembered { start, length, depth, slot };
            match learned.records.get_mut(learned.next) {
                Some(oldest) => *oldest = read,
                None => learned.records.push(read),
            }
            learned.next = (learned.next + 1) % REMEMBERED;
        }
        Ok(slot)
    }

    fn members(&mut self, table: &'static Table, at: usize) -> Result<(), Fail> {
        let learned = self.memory.of(table);
        let mut progress = Progress::default();
        self.scan.enter()?;
        let mut nth = 0;
        while self.scan.next_member(b'}', nth == 0)? {
            let (name, key) = self.key(table, learned, nth)?;
            nth += 1;
            self.scan.expect(b':', "a colon")?;
            self.named(table, at, name, &key, &mut progress)?;
        }
        self.end(table, at, progress)
    }

    /// Reads the value of a member.
    #[inline]
    fn named(
        &mut self,
        table: &'static Table,
        at: usize,
        name: Option<Name>,
        key: &[u8],
        progress: &mut Progress,
    ) -> Result<(), Fail> {
        let first = self.scan.peek()?;
        let known = name.and_then(|name| {
            let field = table.fields.get(name.field)?;
            Some((name, field, progress.ranks.get_mut(name.field)?))
        });
        let Some((name, field, rank)) = known else {
            return self.unknown(table, key, &mut progress.extra);
        };
        // One name, two meanings: a log's `address_hash` is the emitter's object here and a plain hash elsewhere.
        if first == b'"' && field.names.len() > 1 && matches!(field.slot.kind, Kind::Record(_)) {
            let key = field.names.get(usize::from(name.rank)).copied().unwrap_or_default();
            return self.unknown(table, key.as_bytes(), &mut progress.extra);
        }
        if *rank != 0 && *rank < name.rank + 1 {
            return self.scan.skip().map(drop);
        }
        *rank = name.rank + 1;
        progress.seen |= 1 << name.field;
        if !progress.failures.is_empty() {
            progress.failures.retain(|(failed, _)| *failed != name.field);
        }
        match self.value(field.slot, Place { table, name: documented(field) }) {
            Ok(slot) => self.frame.set(at + name.field, slot),
            // A better name, or the same again, may follow; if not, this is what is wrong.
            Err(fail @ Fail::Shape(_)) => progress.failures.push((name.field, fail)),
            Err(fail) => return Err(fail.outward(|mismatch| mismatch.in_field(documented(field)))),
        }
        Ok(())
    }

    /// The next member's name; the key itself where it is none of the record's.
    #[inline]
    fn key(&mut self, table: &'static Table, learned: usize, nth: usize) -> Result<(Option<Name>, Vec<u8>), Fail> {
        let guess = self.memory.tables.get(learned).and_then(|learned| *learned.order.get(nth)?);
        if let Some(guess) = guess
            && let Some(name) = table.fields.get(guess.field).and_then(|field| field.names.get(usize::from(guess.rank)))
            && let Some(rest) = self.scan.rest().strip_prefix(b"\"")
            && let Some(rest) = rest.strip_prefix(name.as_bytes())
            && rest.first() == Some(&b'"')
        {
            self.scan.advance(name.len() + 2);
            return Ok((Some(guess), Vec::new()));
        }
        let text = self.scan.string()?;
        let key = text.plain();
        let found = name_of(table, &key);
        if let Some(learned) = self.memory.tables.get_mut(learned) {
            if learned.order.len() <= nth && nth < 2 * MAX_FIELDS {
                learned.order.resize(nth + 1, None);
            }
            if let Some(place) = learned.order.get_mut(nth) {
                *place = found;
            }
        }
        Ok((found, if found.is_none() { key.into_owned() } else { Vec::new() }))
    }

    #[cold]
    fn unknown(&mut self, table: &'static Table, key: &[u8], extra: &mut Vec<u8>) -> Result<(), Fail> {
        let found = self.scan.skip()?;
        self.drift.note(DriftKind::UnknownField, table, &printable(key), || describe(found.json));
        if self.keep_extra {
            extra.push(if extra.is_empty() { b'{' } else { b',' });
            extra.extend_from_slice(quoted(&String::from_utf8_lossy(key)).as_bytes());
            extra.push(b':');
            extra.extend_from_slice(&well_formed(found.json));
        }
        Ok(())
    }

    /// Notes the fields that were not read: those that may be missing as drift, the others as failures.
    fn absent(&mut self, table: &'static Table, seen: u64, failures: &mut Vec<(usize, Fail)>) {
        let learned = self.memory.of(table);
        let noted = self.memory.tables.get(learned).map_or(0, |learned| learned.missing);
        if (seen | noted).count_ones() as usize == table.fields.len() {
            return;
        }
        for (index, field) in table.fields.iter().enumerate().filter(|(index, _)| (seen | noted) & 1 << index == 0) {
            if field.slot.nullable || matches!(field.slot.kind, Kind::List(_)) {
                self.drift.note(DriftKind::MissingField, table, documented(field), || "nothing".into());
                if let Some(learned) = self.memory.tables.get_mut(learned) {
                    learned.missing |= 1 << index;
                }
            } else {
                let mismatch = Mismatch::new(expects(field.slot.kind), "nothing");
                failures.push((index, Fail::Shape(Box::new(mismatch))));
            }
        }
    }

    /// Fills a list's first element and the own fields that repeat it from one another.
    fn mirror(&mut self, table: &'static Table, at: usize) {
        let Some(mirror) = &table.mirror else { return };
        let list = self.frame.get(at + mirror.list) as usize;
        if list > 0 && self.frame.get(list - 1) > 0 {
            let first = self.frame.get(list) as usize - 1;
            for &(own, member) in mirror.pairs {
                if self.frame.get(at + own) == 0 {
                    self.frame.set(at + own, self.frame.get(first + member));
                }
            }
            return;
        }
        let Some(Field { slot: Slot { kind: Kind::List(Slot { kind: Kind::Record(element), .. }), .. }, .. }) =
            table.fields.get(mirror.list)
        else {
            return;
        };
        let filled = |decoder: &Self, own: usize| decoder.frame.get(at + own) != 0;
        let any = mirror.pairs.iter().any(|&(own, _)| filled(self, own));
        let complete = mirror.pairs.iter().all(|&(own, member)| {
            filled(self, own) || element.fields.get(member).is_some_and(|field| field.slot.nullable)
        });
        if any && complete {
            let first = self.frame.reserve(element.fields.len());
            for &(own, member) in mirror.pairs {
                self.frame.set(first + member, self.frame.get(at + own));
            }
            let list = self.frame.list(&[Frame::reference(first)]);
            self.frame.set(at + mirror.list, list);
        }
    }
}

fn documented(field: &Field) -> &'static str {
    field.names.first().copied().unwrap_or_default()
}

fn name_of(table: &Table, key: &[u8]) -> Option<Name> {
    table.fields.iter().enumerate().find_map(|(field, declared)| {
        let rank = declared.names.iter().position(|name| name.as_bytes() == key)?;
        Some(Name { field, rank: u8::try_from(rank).ok()? })
    })
}
