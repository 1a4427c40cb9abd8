//! One record: bytes and its table in, slots of the frame out. What its fields hold is read in `value.rs`.

use super::drift::{DriftKind, DriftLog};
use super::escape::{quoted, unescaped, well_formed};
use super::fail::{Fail, Stopped};
use super::frame::Frame;
use super::memory::{Earlier, Memory, Name, Seen, Step, again};
use super::quick::{self, Expected, Reading, Stop};
use super::scan::{Scanner, Span};
use crate::record::format::Verdict;
use crate::record::read::{expects, printable};
use crate::record::{Field, Kind, Slot, Table};

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
#[derive(Debug, Default)]
pub struct Progress {
    seen: Seen,
    failures: Vec<(usize, Fail)>,
    /// The unknown members as a JSON object, its end left open.
    extra: Vec<u8>,
}

impl Progress {
    /// Whether a member is to be read; not where one of a better name was.
    fn admits(&mut self, name: Name) -> bool {
        if self.seen.holds(name.field) {
            if self.seen.rank(name.field) < u64::from(name.rank) {
                return false;
            }
            self.failures.retain(|(failed, _)| *failed != name.field);
        }
        self.seen.note(name);
        true
    }
}

/// The field being read: who it belongs to, for drift.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) table: &'static Table,
    pub(super) field: usize,
}

impl Decoder<'_> {
    /// Reads a record that stands in a list of rows: the position of its slots. `learned` is what the memory has of its table.
    ///
    /// # Errors
    /// As [`Fail`] says; after [`Fail::Shape`] the scanner stands behind the record.
    pub fn row(&mut self, table: &'static Table, learned: usize) -> Result<usize, Stopped> {
        if self.scan.peek()? != b'{' {
            return Err(self.scan.mismatch(expects(Kind::Record(table))));
        }
        let at = self.frame.reserve(table.fields.len());
        self.members(table, learned, at)?;
        Ok(at)
    }

    /// Reads the value of a member of an object that is read piece by piece into a record reserved at `at`.
    ///
    /// # Errors
    /// As [`Fail`] says, but for [`Fail::Shape`], which is kept until the end: a better member may follow.
    pub fn member_beside(
        &mut self,
        table: &'static Table,
        at: usize,
        key: &[u8],
        progress: &mut Progress,
    ) -> Result<(), Stopped> {
        self.member_value(table, at, name_of(table, key), key, progress)
    }

    /// Ends an object that was read piece by piece.
    ///
    /// # Errors
    /// [`Fail::Shape`] for the first field that does not fit.
    pub fn end(&mut self, table: &'static Table, at: usize, progress: &mut Progress) -> Result<(), Stopped> {
        let learned = self.memory.of(table);
        self.ended(table, learned, at, progress)
    }

    fn ended(
        &mut self,
        table: &'static Table,
        learned: usize,
        at: usize,
        progress: &mut Progress,
    ) -> Result<(), Stopped> {
        let Progress { seen, failures, extra } = progress;
        if let Some((from, to)) = table.respelt
            && !seen.holds(to)
            && seen.holds(from)
        {
            seen.note(Name { field: to, rank: 0 });
            match self.respelt(table, at + from, to) {
                Ok(slot) => self.frame.set(at + to, slot),
                Err(fail) => failures.push((to, fail)),
            }
        }
        self.absent(table, learned, seen.fields(), failures);
        if let Some(first) = (0..failures.len()).min_by_key(|nth| failures.get(*nth).map(|(field, _)| *field)) {
            let (field, fail) = failures.swap_remove(first);
            return Err(self.scan.stop(fail.in_field(table.name_of(field))));
        }
        if !extra.is_empty() {
            extra.push(b'}');
            let slot = self.frame.json(Span::plain(extra));
            self.frame.extras.push([u32::try_from(at).unwrap_or(u32::MAX), slot]);
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
            Verdict::AsIs | Verdict::Unexpected => Ok(slot),
            Verdict::Rewritten(text) => Ok(self.frame.plain(text.as_bytes())),
            Verdict::Unknown if nullable => Ok(0),
            Verdict::Unknown | Verdict::Wrong => Err(Fail::shape(format.expects(), &[b"\"", raw, b"\""].concat())),
        }
    }

    /// Reads a record that stands in a field or list.
    pub(super) fn nested(&mut self, table: &'static Table, learned: usize) -> Result<u32, Stopped> {
        let known = self.memory.records.get(learned);
        let known = known.and_then(|known| again(known, self.scan.bytes(), self.scan.rest()));
        if let Some(known) = known {
            self.scan.advance(known.length);
            return Ok(known.slot);
        }
        self.unlike_others(table, learned)
    }

    /// Reads a record that is none of those that are remembered.
    fn unlike_others(&mut self, table: &'static Table, learned: usize) -> Result<u32, Stopped> {
        let start = self.scan.position();
        let at = self.frame.reserve(table.fields.len());
        self.members(table, learned, at)?;
        let slot = Frame::reference(at);
        let read = Earlier { start, length: self.scan.position() - start, slot };
        self.memory.remember(learned, self.scan.bytes(), read);
        Ok(slot)
    }

    /// Reads an object; the scanner stands on its opening brace.
    fn members(&mut self, table: &'static Table, learned: usize, at: usize) -> Result<(), Stopped> {
        let mut progress = Progress::default();
        let (mut nth, mut first) = (0, true);
        loop {
            // A brace opens the object; another one where a comma belongs is no JSON.
            let begins = first == (self.scan.rest().first() == Some(&b'{'));
            if begins
                && let Some(steps) = self.memory.tables.get_mut(learned).and_then(|known| known.steps.get_mut(nth..))
            {
                let (bytes, rest) = (self.scan.bytes(), self.scan.rest());
                let mut reading = Reading { bytes, rest, at, seen: progress.seen };
                let (taken, stop) = quick::members(&mut reading, self.frame, steps, &self.memory.records);
                self.scan.go_on(reading.rest);
                progress.seen = reading.seen;
                first &= taken == 0;
                nth += taken;
                match stop {
                    Stop::Member => {}
                    Stop::Nested => {
                        self.new_nested(table, learned, at, nth - 1, &mut progress)?;
                        continue;
                    }
                    Stop::Value => {
                        self.closer(table, learned, at, nth - 1, &mut progress)?;
                        continue;
                    }
                }
            }
            if self.scan.rest().first() == Some(&b'}') && !first {
                self.scan.advance(1);
                break;
            }
            let other = self.memory.get(learned).and_then(|known| known.look_for(self.scan.rest(), nth));
            if begins && let Some(other) = other {
                nth = other;
                continue;
            }
            if !self.spelt_anew(table, learned, at, &mut nth, first, &mut progress)? {
                break;
            }
            first = false;
        }
        self.ended(table, learned, at, &mut progress)
    }

    /// Reads a record that was not read before, or a list.
    fn new_nested(
        &mut self,
        table: &'static Table,
        learned: usize,
        at: usize,
        step: usize,
        progress: &mut Progress,
    ) -> Result<(), Stopped> {
        let step = self.memory.get(learned).and_then(|known| known.steps.get(step));
        let Some(&Step { name: Some(name), expected: Expected { slot, child, .. }, .. }) = step else { return Ok(()) };
        let read = match slot.kind {
            Kind::Record(nested) => self.unlike_others(nested, child),
            Kind::List(&element) => self.list(element, child, Place { table, field: name.field }),
            _ => return Ok(()),
        };
        progress.seen.note(name);
        self.store(read, table, at, name.field, progress)
    }

    /// Reads a value that takes a closer look.
    #[inline(never)]
    fn closer(
        &mut self,
        table: &'static Table,
        learned: usize,
        at: usize,
        step: usize,
        progress: &mut Progress,
    ) -> Result<(), Stopped> {
        match self.memory.get(learned).and_then(|known| known.steps.get(step)?.name) {
            Some(name) => self.named(table, at, name, progress),
            // It was noted when it was learned.
            None => self.scan.skip().map(drop),
        }
    }

    /// Reads a member that comes in an unexpected place or spelling; false at the end of the object.
    #[inline(never)]
    fn spelt_anew(
        &mut self,
        table: &'static Table,
        learned: usize,
        at: usize,
        nth: &mut usize,
        first: bool,
        progress: &mut Progress,
    ) -> Result<bool, Stopped> {
        let start = self.scan.position();
        if first {
            self.scan.advance(1);
        }
        if !self.scan.next_member(b'}', first)? {
            return Ok(false);
        }
        let key = self.scan.key()?;
        self.scan.peek()?;
        let spelling = self.scan.since(start);
        let name = name_of(table, &key);
        let field = name.and_then(|name| table.fields.get(name.field));
        self.member_value(table, at, name, &key, progress)?;
        // What is unknown and may be kept is looked at each time.
        if field.is_some() || !self.keep_extra {
            let slot = field.map_or(Slot { kind: Kind::Json, nullable: true }, |field| field.slot);
            if let Some(step) = self.memory.learn(learned, *nth, spelling, name, slot) {
                *nth = step + 1;
            }
        }
        Ok(true)
    }

    /// Reads the value of a member.
    fn member_value(
        &mut self,
        table: &'static Table,
        at: usize,
        name: Option<Name>,
        key: &[u8],
        progress: &mut Progress,
    ) -> Result<(), Stopped> {
        self.scan.peek()?;
        match name {
            Some(name) => self.named(table, at, name, progress),
            None => self.unknown(table, key, &mut progress.extra),
        }
    }

    #[inline(never)]
    fn named(&mut self, table: &'static Table, at: usize, name: Name, progress: &mut Progress) -> Result<(), Stopped> {
        let first = self.scan.peek()?;
        let Some(field) = table.fields.get(name.field) else { return Ok(()) };
        // One name, two meanings: a log's `address_hash` is the emitter's object here, and a plain hash or null elsewhere.
        let is_other = first == b'"' || first == b'n' && !field.slot.nullable;
        if is_other && matches!(field.slot.kind, Kind::Record(_)) && table.names_of(name.field).count() > 1 {
            let key = table.names_of(name.field).nth(usize::from(name.rank)).unwrap_or_default();
            return self.unknown(table, key.as_bytes(), &mut progress.extra);
        }
        if !progress.admits(name) {
            return self.scan.skip().map(drop);
        }
        let read = self.value(field.slot, Place { table, field: name.field });
        self.store(read, table, at, name.field, progress)
    }

    /// Stores what was read of a field.
    fn store(
        &mut self,
        read: Result<u32, Stopped>,
        table: &'static Table,
        at: usize,
        field: usize,
        progress: &mut Progress,
    ) -> Result<(), Stopped> {
        match read {
            Ok(slot) => self.frame.set(at + field, slot),
            Err(Stopped) => match self.scan.why() {
                // A better name, or the same again, may follow; if not, this is what is wrong.
                fail @ Fail::Shape(_) => progress.failures.push((field, fail)),
                fail => return Err(self.scan.stop(fail.in_field(table.name_of(field)))),
            },
        }
        Ok(())
    }

    #[cold]
    fn unknown(&mut self, table: &'static Table, key: &[u8], extra: &mut Vec<u8>) -> Result<(), Stopped> {
        let found = self.scan.skip()?;
        self.drift.note(DriftKind::UnknownField, table, &printable(key), found.json);
        // What nests too deep is no value to be given out.
        if self.keep_extra && !found.deep {
            extra.push(if extra.is_empty() { b'{' } else { b',' });
            extra.extend_from_slice(quoted(&crate::text::lossy(key)).as_bytes());
            extra.push(b':');
            extra.extend_from_slice(&well_formed(found.json));
        }
        Ok(())
    }

    /// Notes the fields that were not read: those that may be missing as drift, the others as failures.
    fn absent(&mut self, table: &'static Table, learned: usize, seen: u64, failures: &mut Vec<(usize, Fail)>) {
        let noted = self.memory.get(learned).map_or(0, |learned| learned.missing);
        if (seen | noted).count_ones() as usize == table.fields.len() {
            return;
        }
        for (index, field) in table.fields.iter().enumerate().filter(|(index, _)| (seen | noted) & 1 << index == 0) {
            if field.slot.nullable || matches!(field.slot.kind, Kind::List(_)) {
                self.drift.note(DriftKind::MissingField, table, table.name_of(index), b"");
                if let Some(learned) = self.memory.get_mut(learned) {
                    learned.missing |= 1 << index;
                }
            } else {
                failures.push((index, Fail::shape(expects(field.slot.kind), b"")));
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
        let (mut any, mut complete) = (false, true);
        for &(own, member) in mirror.pairs {
            let filled = self.frame.get(at + own) != 0;
            any |= filled;
            complete &= filled || element.fields.get(member).is_some_and(|field| field.slot.nullable);
        }
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

fn name_of(table: &Table, key: &[u8]) -> Option<Name> {
    let (field, rank) = table.field_named(key)?;
    Some(Name { field, rank: u8::try_from(rank).ok()? })
}
