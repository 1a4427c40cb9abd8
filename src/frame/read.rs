//! Reads the values of a frame. A slot of another kind, or beyond the frame, reads as `None`, never as a panic.

use super::Frame;
use crate::json::escape::unescape;
use crate::strings::{from_utf8_lossy, parse_u64};

impl Frame {
    /// The content of a string slot, with its JSON escapes. `None` for null.
    #[must_use]
    pub fn raw_string(&self, slot: u32) -> Option<&[u8]> {
        if slot & 1 == 1 {
            let (start, length) = ((slot >> 5) as usize, (slot >> 1 & 15) as usize);
            return self.short.get(start..start + length);
        }
        let quoted = self.pooled_json(slot)?;
        quoted.get(1..quoted.len() - 1)
    }

    /// The string of a slot, with its escapes resolved. `None` for null.
    #[must_use]
    pub fn string(&self, slot: u32) -> Option<String> {
        self.raw_string(slot).map(|raw| from_utf8_lossy(&unescape(raw)))
    }

    /// The value of an integer slot. `None` for null, and for a negative number.
    #[must_use]
    pub fn integer(&self, slot: u32) -> Option<u64> {
        if slot & 1 == 1 {
            return Some((slot >> 1).into());
        }
        parse_u64(std::str::from_utf8(self.pooled_json(slot)?).ok()?)
    }

    /// The value of an integer slot, which may be negative. `None` for null.
    #[must_use]
    pub fn signed_integer(&self, slot: u32) -> Option<i64> {
        match self.integer(slot) {
            Some(value) => i64::try_from(value).ok(),
            None => std::str::from_utf8(self.pooled_json(slot)?).ok()?.parse().ok(),
        }
    }

    /// The value of a boolean slot. `None` for null.
    #[must_use]
    pub const fn boolean(slot: u32) -> Option<bool> {
        match slot {
            Self::FALSE => Some(false),
            Self::TRUE => Some(true),
            _ => None,
        }
    }

    /// The free JSON of a slot. `None` for null. The frame must be closed.
    #[must_use]
    pub fn json(&self, slot: u32) -> Option<String> {
        let index = (slot as usize).checked_sub(1)?;
        let start = *self.json_starts.get(index)? as usize;
        let next = self.json_starts.get(index + 1).map_or(self.json.len(), |next| *next as usize);
        // A comma or the end of the array follows.
        std::str::from_utf8(self.json.get(start..next - 1)?).ok().map(str::to_owned)
    }

    /// The slots of the elements of a list.
    #[must_use]
    pub fn list(&self, slot: u32) -> Option<&[u32]> {
        let Some(at) = (slot as usize).checked_sub(1) else { return Some(&[]) };
        let length = *self.slots.get(at)? as usize;
        self.slots.get(at + 1..)?.get(..length)
    }

    /// The slots of the fields of a record at a position.
    #[must_use]
    pub fn fields(&self, at: u32, count: usize) -> Option<&[u32]> {
        self.slots.get(at as usize..)?.get(..count)
    }

    /// The unknown fields of the record at a position, as a JSON object. `None` if there are none, or if they were not kept.
    /// `extras` must be sorted.
    #[must_use]
    pub fn extra(&self, at: u32) -> Option<String> {
        let index = self.extras.binary_search_by_key(&at, |[position, _]| *position).ok()?;
        self.json(self.extras.get(index)?[1])
    }

    /// The JSON of a string or an integer in the pool.
    fn pooled_json(&self, slot: u32) -> Option<&[u8]> {
        let pooled = self.pooled.get((slot as usize / 2).checked_sub(1)?)?;
        self.pool.get(pooled.start..)?.get(..pooled.length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::JsonSpan;

    #[test]
    fn integers_are_read_back() {
        let mut frame = Frame::new();
        for (value, expected) in [(0, Some(0)), (1 << 30, Some(1 << 30)), (1 << 40, Some(1 << 40)), (-3, None)] {
            let slot = frame.store_integer(value);
            assert_eq!(frame.integer(slot), expected);
            assert_eq!(frame.signed_integer(slot), Some(value));
        }
        assert_eq!((frame.integer(0), frame.signed_integer(0)), (None, None));
    }

    #[test]
    fn strings_are_read_back_without_escapes() {
        let mut frame = Frame::new();
        for (quoted, expected) in
            [("\"\"", ""), ("\"short\"", "short"), ("\"longer than 12 bytes\"", "longer than 12 bytes")]
        {
            let slot = frame.store_quoted_ascii(quoted.as_bytes());
            assert_eq!(frame.string(slot).as_deref(), Some(expected));
        }
        let slot = frame.store_shared(br#""a\n\u00e4""#);
        assert_eq!((frame.string(slot).as_deref(), frame.string(0)), (Some("a\nä"), None));
    }

    #[test]
    fn free_json_is_read_back_by_its_slot() {
        let mut frame = Frame::new();
        let slots = ["{\"a\":[1,2]}", "7", "\"x\""].map(|json| {
            let json = json.as_bytes();
            (frame.store_json(JsonSpan { json, ill_formed: false, too_deep: false }), json)
        });
        frame.close();
        for (slot, json) in slots {
            assert_eq!(frame.json(slot).as_deref().map(str::as_bytes), Some(json));
        }
        assert_eq!((frame.json(0), frame.json(4)), (None, None));
    }

    #[test]
    fn slots_beyond_the_frame_are_none() {
        let mut frame = Frame::new();
        let list = frame.store_list(&[5, 7]);
        assert_eq!(frame.list(list), Some([5, 7].as_slice()));
        assert_eq!(frame.list(0), Some([].as_slice()));
        for slot in [90, 91, u32::MAX - 1, u32::MAX] {
            assert_eq!((frame.string(slot), frame.list(slot), frame.fields(slot, 1)), (None, None, None));
        }
    }
}
