//! Icons: files beside the cards, URLs of elsewhere, and paths of the application itself.

use crate::files::{HiddenFiles, MAX_ICON_BYTES, ReadFault, read_within, resolve};
use cap_std::fs::Dir;
use mcp_core::{protocol::Icon, uri::AbsoluteUri};
use std::collections::BTreeMap;

/// A kind of image that becomes an icon: the end of a file's name, the media type, and whether a file looks like one.
type Kind = (&'static str, &'static str, fn(&[u8]) -> bool);

const KINDS: [Kind; 5] = [
    (".png", "image/png", |bytes| bytes.starts_with(b"\x89PNG\r\n\x1a\n")),
    (".svg", "image/svg+xml", is_svg),
    (".webp", "image/webp", |bytes| bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP")),
    (".jpg", "image/jpeg", is_jpeg),
    (".jpeg", "image/jpeg", is_jpeg),
];

/// Where files of icons are.
#[derive(Debug)]
pub(super) enum Icons {
    Folder(Dir),
    Program(BTreeMap<String, Vec<u8>>),
}

impl Icons {
    /// Makes an icon; what is wrong with one is told when the server is built.
    pub(super) fn icon(&self, src: &str, public_url: &str) -> Icon {
        let begins_with =
            |scheme: &str| src.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme));
        if begins_with("https:") || begins_with("data:") {
            return Icon::new(src);
        }
        if src.contains(':') {
            return Icon::unusable(src, "is neither a path, nor an https: or data: URI");
        }
        match self.read(src) {
            Ok(Some(bytes)) => embedded(src, &bytes),
            Ok(None) if public_url.is_empty() => Icon::unusable(
                src,
                "is no file in the folder of cards; put it there, or set `public_url` for paths of the application",
            ),
            Ok(None) => match public(public_url, src) {
                Some(url) => Icon::new(url),
                None => Icon::unusable(src, "is no path that a URL can be made of"),
            },
            Err(problem) => Icon::unusable(src, problem),
        }
    }

    /// What a file holds; `None` where there is none that may be read.
    fn read(&self, path: &str) -> Result<Option<Vec<u8>>, String> {
        let too_large =
            || format!("is a file of more than {MAX_ICON_BYTES} bytes, which every list would carry");
        match self {
            Self::Program(files) => match files.get(path) {
                Some(bytes) if bytes.len() as u64 > MAX_ICON_BYTES => Err(too_large()),
                found => Ok(found.cloned()),
            },
            Self::Folder(root) => {
                let read = || -> Result<Vec<u8>, ReadFault> {
                    let (target, _) = resolve(root, path, HiddenFiles::Refused)?;
                    let file = root.open(&target)?;
                    let length = file.metadata()?.len();
                    read_within(file, length, MAX_ICON_BYTES)
                };
                match read() {
                    Ok(bytes) => Ok(Some(bytes)),
                    Err(ReadFault::TooLarge { .. }) => Err(too_large()),
                    Err(ReadFault::Missing(cause)) => {
                        tracing::debug!(path, %cause, "an icon is no file in the folder of cards");
                        Ok(None)
                    }
                }
            }
        }
    }
}

fn embedded(path: &str, bytes: &[u8]) -> Icon {
    match KINDS.iter().find(|(end, _, _)| path.ends_with(end)) {
        Some((_, media_type, is_one)) if is_one(bytes) => Icon::embedded(media_type, bytes),
        Some((end, _, _)) => Icon::unusable(path, format!("is no image of the kind that `{end}` stands for")),
        None => {
            Icon::unusable(path, "is no image: the name of one ends with .png, .svg, .webp, .jpg or .jpeg")
        }
    }
}

fn is_jpeg(bytes: &[u8]) -> bool {
    bytes.starts_with(b"\xff\xd8\xff")
}

fn is_svg(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).is_ok_and(|text| text.contains("<svg"))
}

/// Tells whether URLs can begin with this one.
pub(super) fn is_public_url(url: &str) -> bool {
    let rest = url.strip_prefix("https://").unwrap_or_default();
    let host = rest.split('/').next().unwrap_or_default();
    !host.is_empty() && !host.contains('@') && !url.contains(['?', '#']) && AbsoluteUri::parse(url).is_ok()
}

/// The URL of a path: below the public URL, or, where it begins with `/`, on its host.
fn public(public_url: &str, path: &str) -> Option<String> {
    let steers = |part: &str| matches!(part, "." | "..") || part.contains(['\\', '%']);
    let relative = path.strip_prefix('/');
    if path.is_empty() || relative.unwrap_or(path).split('/').any(|part| part.is_empty() || steers(part)) {
        return None;
    }
    let base = match relative {
        Some(_) => {
            let host = public_url.strip_prefix("https://")?.split('/').next()?;
            format!("https://{host}")
        }
        None => public_url.trim_end_matches('/').to_owned(),
    };
    let url = AbsoluteUri::normalize_lookup(&format!("{base}/{}", relative.unwrap_or(path))).into_owned();
    AbsoluteUri::parse(&url).is_ok().then_some(url)
}
