//! What a client learned from answers, for all its calls: the first row of a small page is a tenth of the work of reading it.

use std::cell::RefCell;
use std::rc::Rc;

use crate::decode::{Experience, Layout, Leniency};
use crate::record::Table;

/// What was learned, by the layout of the answers. At most one lesson for each layout, with and without unknown fields.
#[derive(Debug, Clone, Default)]
pub(super) struct Lessons(Rc<RefCell<Vec<Lesson>>>);

type Lesson = (Subject, Box<Experience>);

/// What is kept of one kind of answer helps with no other: where unknown fields are kept, they are read.
#[derive(Debug, Clone, Copy)]
struct Subject {
    row: &'static Table,
    envelope: &'static Table,
    keep_extra: bool,
}

impl Subject {
    fn of(layout: Layout, leniency: Leniency) -> Self {
        Self { row: layout.row, envelope: layout.envelope, keep_extra: leniency.keep_extra }
    }

    fn is(&self, other: &Self) -> bool {
        let tables = std::ptr::eq(self.row, other.row) && std::ptr::eq(self.envelope, other.envelope);
        tables && self.keep_extra == other.keep_extra
    }
}

impl Lessons {
    /// Takes what is there. Who reads such an answer at the same time learns anew.
    pub(super) fn take(&self, layout: Layout, leniency: Leniency) -> Experience {
        let subject = Subject::of(layout, leniency);
        let mut lessons = self.0.borrow_mut();
        let known = lessons.iter().position(|(known, _)| known.is(&subject));
        known.map(|known| *lessons.swap_remove(known).1).unwrap_or_default()
    }

    /// Puts it back, in the place of what others have put there meanwhile.
    pub(super) fn put(&self, layout: Layout, leniency: Leniency, experience: Experience) {
        let subject = Subject::of(layout, leniency);
        let mut lessons = self.0.borrow_mut();
        lessons.retain(|(known, _)| !known.is(&subject));
        lessons.push((subject, Box::new(experience)));
    }
}
