//! The smallest picture and the shortest sound that decode.

/// A red picture of one pixel.
pub(super) const PIXEL: &[u8] = include_bytes!("pixel.png");

/// Ten milliseconds of silence.
pub(super) const SILENCE: &[u8] = include_bytes!("silence.wav");
