//! Splitting a byte stream into lines.

use bytes::{Buf, Bytes, BytesMut};

/// What the buffer has room for at first; idle connections stay this small.
const FIRST: usize = 8 * 1024;
/// What the buffer has room for once a read has filled it.
const USUAL: usize = 64 * 1024;
/// An empty buffer with more room than this is given back.
pub(super) const KEPT: usize = 4 * USUAL;
/// Shorter lines are copied out of the buffer, so that none of them pins it.
pub(super) const COPIED: usize = 16 * 1024;
pub(super) const BOM: &[u8] = b"\xEF\xBB\xBF";

/// Splits a byte stream at each line feed, and at nothing else.
///
/// A byte-order mark at the very start, a carriage return before the line feed, and blank lines are no part of
/// any message. Each byte is looked at once, however the stream is cut into reads.
#[derive(Debug)]
pub(crate) struct LineSplitter {
    pub(super) buffer: BytesMut,
    /// How many bytes of the buffer are known to hold no line feed.
    scanned: usize,
    most: usize,
    room: usize,
    place: Place,
    ended: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// At the start of the stream, where a byte-order mark may stand.
    Start,
    Within,
    /// In a line that is too long, up to its end.
    Skipping,
}

/// A line of the stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Line {
    /// A line that is not blank, without its end.
    Message(Bytes),
    /// A line beyond the limit; told once, before its end is reached.
    TooLong,
}

impl LineSplitter {
    /// A splitter for lines of at most `most` bytes, their ends not counted.
    pub(crate) fn new(most: usize) -> Self {
        Self { buffer: BytesMut::new(), scanned: 0, most, room: FIRST, place: Place::Start, ended: false }
    }

    /// The buffer to read into, with room at its end.
    pub(crate) fn space(&mut self) -> &mut BytesMut {
        let held = self.buffer.len();
        if self.buffer.capacity() - held < self.room / 2 {
            self.buffer.reserve(self.room.saturating_sub(held).max(self.room / 2));
        }
        if held == 0 && self.buffer.capacity() > KEPT {
            self.buffer = BytesMut::with_capacity(self.room);
        }
        &mut self.buffer
    }

    /// Notes that a read came back; one that filled the room asks for more of it next time.
    pub(crate) fn filled(&mut self) {
        if self.buffer.len() == self.buffer.capacity() {
            self.room = USUAL;
        }
    }

    /// Notes the end of the stream: a last line without an end counts too.
    pub(crate) fn finish(&mut self) {
        self.ended = true;
    }

    /// How many bytes wait to be split.
    pub(crate) fn held(&self) -> usize {
        self.buffer.len()
    }

    /// The next line; `None` when more bytes are needed, or when the stream is over.
    pub(crate) fn next_line(&mut self) -> Option<Line> {
        loop {
            if self.place == Place::Start && !self.pass_mark() {
                return None;
            }
            let fresh = self.buffer.get(self.scanned..).unwrap_or_default();
            match memchr::memchr(b'\n', fresh) {
                Some(offset) => {
                    let length = self.scanned + offset;
                    self.scanned = 0;
                    if self.place == Place::Skipping {
                        self.place = Place::Within;
                        self.buffer.advance(length + 1);
                    } else if let Some(line) = self.take(length, 1) {
                        return Some(line);
                    }
                }
                None if self.place == Place::Skipping => {
                    self.buffer.clear();
                    self.scanned = 0;
                    return None;
                }
                // One byte more may be a carriage return, which does not count.
                None if self.buffer.len() > self.most + 1 => {
                    self.buffer.clear();
                    self.scanned = 0;
                    self.place = Place::Skipping;
                    return Some(Line::TooLong);
                }
                None if self.ended && !self.buffer.is_empty() => {
                    self.scanned = 0;
                    return self.take(self.buffer.len(), 0);
                }
                None => {
                    self.scanned = self.buffer.len();
                    return None;
                }
            }
        }
    }

    /// Passes the byte-order mark; `false` while it cannot be told whether there is one.
    fn pass_mark(&mut self) -> bool {
        if self.buffer.len() < BOM.len() && BOM.starts_with(&self.buffer) && !self.ended {
            return false;
        }
        if self.buffer.starts_with(BOM) {
            self.buffer.advance(BOM.len());
        }
        self.place = Place::Within;
        true
    }

    /// Takes `length` bytes and the `end` bytes after them; `None` for a blank line.
    fn take(&mut self, length: usize, end: usize) -> Option<Line> {
        let whole = self.buffer.get(..length).unwrap_or_default();
        let line = whole.strip_suffix(b"\r").unwrap_or(whole);
        if line.len() > self.most {
            self.buffer.advance(length + end);
            return Some(Line::TooLong);
        }
        if line.iter().all(|byte| matches!(byte, b' ' | b'\t' | b'\r')) {
            self.buffer.advance(length + end);
            return None;
        }
        let kept = line.len();
        // Copying costs less than what follows it. A line that fills most of a large buffer takes the buffer
        // with it, and the rest moves on: never more bytes than the line has.
        if kept < COPIED || kept < self.buffer.len() / 2 {
            let message = Bytes::copy_from_slice(line);
            self.buffer.advance(length + end);
            return Some(Line::Message(message));
        }
        let mut rest = BytesMut::with_capacity(self.room);
        rest.extend_from_slice(self.buffer.get(length + end..).unwrap_or_default());
        let mut message = std::mem::replace(&mut self.buffer, rest);
        message.truncate(kept);
        Some(Line::Message(message.freeze()))
    }
}
