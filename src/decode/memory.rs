//! What was learned from the rows before: in which order members come, how they are spelt, and which values come again.

use super::quick::{Expected, Quick};
use super::words::{begins, place};
use crate::record::{Kind, MAX_NAMES, Slot, Table};

/// Nested records remembered per table: a page repeats the same few addresses and tokens.
const REMEMBERED: usize = 64;

/// Members remembered per table.
const MAX_STEPS: usize = 128;

/// Bytes of a record that say where to look for it.
const LOOKED_AT: usize = 64;

/// Half the bytes that a step may have.
const HALF: usize = 16;

/// What was learned from the rows before.
#[derive(Debug, Default)]
pub struct Memory {
    pub(super) tables: Vec<Learned>,
    /// Nested records that were read from the present input, by table.
    pub(super) records: Records,
}

/// Nested records by table, each where its beginning says.
pub(super) type Records = Vec<Vec<Earlier>>;

/// What was learned of one table.
#[derive(Debug)]
pub(super) struct Learned {
    table: &'static Table,
    /// From one member's value to the next one's, in the order they came in.
    pub(super) steps: Vec<Step>,
    /// Fields whose absence is not to be noted, or has been: one bit each.
    pub(super) missing: u64,
}

/// The bytes from the end of one value to the next one, as they came before: `,"name":`, or `{"name":` for the first.
#[derive(Debug)]
pub(super) struct Step {
    halves: [u128; 2],
    masks: [u128; 2],
    pub(super) length: usize,
    /// Whether it begins with the brace of its object, and not with a comma.
    pub(super) opens: bool,
    /// Which field it leads to; nothing where it is unknown.
    pub(super) name: Option<Name>,
    /// The same as index, bit and rank, worked out once for all rows; no bit where it is unknown.
    pub(super) field: usize,
    pub(super) bit: u64,
    pub(super) rank: u8,
    /// What stands there.
    pub(super) expected: Expected,
    /// The text that stood there last, and its first bytes.
    pub(super) last: Earlier,
    pub(super) beginning: u64,
}

/// A value that was read from the present input: where it stands, and its slot.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Earlier {
    pub(super) start: usize,
    pub(super) length: usize,
    pub(super) slot: u32,
}

/// A field by one of its names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Name {
    pub(super) field: usize,
    pub(super) rank: u8,
}

/// Which fields of a record were read, a bit each, and by which of their names.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Seen {
    fields: u64,
    /// The two digits of the name's rank.
    ranks: [u64; 2],
}
const _: () = assert!(MAX_NAMES <= 4, "two digits a rank");

impl Seen {
    /// The fields that were read.
    #[inline(always)]
    pub(super) const fn fields(self) -> u64 {
        self.fields
    }

    /// Which of its names a field was read by.
    pub(super) const fn rank(self, field: usize) -> u64 {
        let [ones, twos] = self.ranks;
        (ones >> field & 1) + 2 * (twos >> field & 1)
    }

    /// Whether a field was read.
    #[inline(always)]
    pub(super) const fn holds(self, field: usize) -> bool {
        self.fields >> field & 1 == 1
    }

    /// Notes that a field was read by this name, the last one to count.
    pub(super) fn note(&mut self, Name { field, rank }: Name) {
        let bit = 1 << field;
        self.ranks = self.ranks.map(|ranks| ranks & !bit);
        self.note_first(bit, rank);
    }

    /// The same, where it was not read before.
    #[inline(always)]
    pub(super) fn note_first(&mut self, bit: u64, rank: u8) {
        self.fields |= bit;
        if rank > 0 {
            let [ones, twos] = &mut self.ranks;
            *ones |= if rank & 1 == 0 { 0 } else { bit };
            *twos |= if rank & 2 == 0 { 0 } else { bit };
        }
    }
}

impl Memory {
    /// Which of the tables this is.
    pub(super) fn of(&mut self, table: &'static Table) -> usize {
        if let Some(known) = self.tables.iter().position(|learned| std::ptr::eq(learned.table, table)) {
            return known;
        }
        let fields = table.fields.iter().enumerate();
        let sometimes = fields.filter(|(_, field)| !field.always && field.slot.nullable);
        let missing = sometimes.fold(0, |bits, (index, _)| bits | 1 << index);
        self.tables.push(Learned { table, steps: Vec::new(), missing });
        self.records.push(Vec::new());
        self.tables.len() - 1
    }

    /// Which of the tables a slot's record has, or those in its list.
    pub(super) fn child(&mut self, slot: Slot) -> usize {
        match slot.kind {
            Kind::Record(table) | Kind::List(&Slot { kind: Kind::Record(table), .. }) => self.of(table),
            _ => 0,
        }
    }

    pub(super) fn get(&self, learned: usize) -> Option<&Learned> {
        self.tables.get(learned)
    }

    pub(super) fn get_mut(&mut self, learned: usize) -> Option<&mut Learned> {
        self.tables.get_mut(learned)
    }

    /// Keeps a step that was found to come as the `nth`; which one it is now.
    pub(super) fn learn(
        &mut self,
        learned: usize,
        nth: usize,
        spelling: &[u8],
        name: Option<Name>,
        slot: Slot,
    ) -> Option<usize> {
        let expected = Expected { slot, quick: Quick::of(slot), child: self.child(slot) };
        let steps = &mut self.tables.get_mut(learned)?.steps;
        let known = steps.iter().position(|step| name.is_some() && step.name == name);
        let Some(step) = Step::new(spelling, name, expected) else { return known };
        match known {
            Some(at) => *steps.get_mut(at)? = step,
            None if nth <= steps.len() && steps.len() < MAX_STEPS => steps.insert(nth, step),
            None => return None,
        }
        Some(known.unwrap_or(nth))
    }

    /// Keeps a record that was read.
    pub(super) fn remember(&mut self, learned: usize, bytes: &[u8], record: Earlier) {
        if let Some(bucket) = bytes.get(record.start..).and_then(bucket)
            && let Some(records) = self.records.get_mut(learned)
        {
            records.resize(REMEMBERED, Earlier::default());
            if let Some(place) = records.get_mut(bucket) {
                *place = record;
            }
        }
    }

    /// Forgets what is bound to the input or the frame: one of them is about to change.
    pub fn forget_records(&mut self) {
        for records in &mut self.records {
            records.clear();
        }
        for learned in &mut self.tables {
            for step in &mut learned.steps {
                step.last.length = 0;
            }
        }
    }
}

impl Learned {
    /// The step that comes next though another was guessed: members were left out, or come in another order.
    pub(super) fn look_for(&self, rest: &[u8], nth: usize) -> Option<usize> {
        let next = rest.first_chunk()?;
        let (before, after) = self.steps.split_at_checked(nth)?;
        let of = |steps: &[Step]| steps.iter().position(|step| step.is(next));
        of(after).map(|at| nth + at).or_else(|| of(before))
    }
}

/// The record that was read before, if the text that comes next is the same.
pub(super) fn again(records: &[Earlier], bytes: &[u8], rest: &[u8]) -> Option<Earlier> {
    let known = *records.get(bucket(rest)?)?;
    let text = bytes.get(known.start..known.start + known.length)?;
    (known.length > 0 && begins(rest, text)).then_some(known)
}

/// Where a record is kept that begins like this.
#[inline(always)]
fn bucket(text: &[u8]) -> Option<usize> {
    Some(place(text.first_chunk::<LOOKED_AT>()?) % REMEMBERED)
}

impl Step {
    /// Nothing where the spelling is too long.
    fn new(spelling: &[u8], name: Option<Name>, expected: Expected) -> Option<Self> {
        let (mut text, mut mask) = ([0; 2 * HALF], [0; 2 * HALF]);
        text.get_mut(..spelling.len())?.copy_from_slice(spelling);
        mask.get_mut(..spelling.len())?.fill(0xFF);
        Some(Self {
            halves: halves(&text),
            masks: halves(&mask),
            length: spelling.len(),
            opens: spelling.first() == Some(&b'{'),
            name,
            field: name.map_or(0, |name| name.field),
            bit: name.map_or(0, |name| 1 << name.field),
            rank: name.map_or(0, |name| name.rank),
            expected,
            last: Earlier::default(),
            beginning: 0,
        })
    }

    /// Whether it comes next.
    #[inline(always)]
    pub(super) fn is(&self, next: &[u8; 2 * HALF]) -> bool {
        let [first, second] = self.halves;
        let [first_mask, second_mask] = self.masks;
        let [first_bytes, second_bytes] = halves(next);
        (first_bytes ^ first) & first_mask == 0 && (self.length <= HALF || (second_bytes ^ second) & second_mask == 0)
    }
}

#[inline(always)]
fn halves(bytes: &[u8; 2 * HALF]) -> [u128; 2] {
    [bytes.first_chunk(), bytes.last_chunk()].map(|half| half.map_or(0, |half| u128::from_le_bytes(*half)))
}
