//! Encoded bodies.

use bytes::Bytes;
use http::{HeaderMap, header};
use std::io::Read;

/// How many codings one upon the other are undone.
const MOST_CODINGS: usize = 4;

/// Why a body is not what it was before it was encoded.
#[derive(Debug, thiserror::Error)]
pub(crate) enum DecodeFault {
    #[error("its response is encoded as `{0}`, which is not decoded")]
    Unknown(Box<str>),
    #[error("its encoded response is damaged")]
    Damaged(#[source] std::io::Error),
    #[error("its response is encoded more than {MOST_CODINGS} times over")]
    TooMany,
    #[error("its response is larger than {0} bytes once decoded (setting: response_bytes)")]
    TooLarge(usize),
}

/// How a body is encoded, the outermost coding first.
pub(crate) fn codings(headers: &HeaderMap) -> Vec<Box<str>> {
    let mut all: Vec<Box<str>> = headers
        .get_all(header::CONTENT_ENCODING)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .map(|coding| coding.trim().to_ascii_lowercase().into_boxed_str())
        .filter(|coding| !coding.is_empty() && **coding != *"identity")
        .collect();
    all.reverse();
    all
}

/// Undoes the encoding of a body, to at most `limit` bytes at each step.
///
/// RFC 9110, section 8.4.
pub(crate) fn decode(body: Bytes, codings: &[Box<str>], limit: usize) -> Result<Bytes, DecodeFault> {
    if codings.len() > MOST_CODINGS {
        return Err(DecodeFault::TooMany);
    }
    codings.iter().try_fold(body, |body, coding| match &**coding {
        "gzip" | "x-gzip" => read(flate2::read::MultiGzDecoder::new(&*body), limit),
        // Some senders leave the zlib frame out.
        "deflate" => match read(flate2::read::ZlibDecoder::new(&*body), limit) {
            Err(DecodeFault::Damaged(_)) => read(flate2::read::DeflateDecoder::new(&*body), limit),
            read => read,
        },
        "br" => read(brotli_decompressor::Decompressor::new(&*body, 4096), limit),
        other => Err(DecodeFault::Unknown(other.chars().take(32).collect::<String>().into())),
    })
}

fn read(decoder: impl Read, limit: usize) -> Result<Bytes, DecodeFault> {
    let mut decoded = Vec::new();
    let most = u64::try_from(limit).unwrap_or(u64::MAX).saturating_add(1);
    decoder.take(most).read_to_end(&mut decoded).map_err(DecodeFault::Damaged)?;
    if decoded.len() > limit { Err(DecodeFault::TooLarge(limit)) } else { Ok(decoded.into()) }
}
