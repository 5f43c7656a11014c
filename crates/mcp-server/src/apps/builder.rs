//! Cards on their way: where they come from, and what is asked of their hosts.

use super::{
    CardFileFault, CardFileFaults, CardFileProblem, Cards,
    icon::{Icons, is_public_url},
    make::{make, wanted},
};
use crate::files::{FileFaults, FileProblem, Gathered, Gathering, HiddenFiles, MAX_FILE_BYTES};
use cap_std::{ambient_authority, fs::Dir};
use mcp_core::card::CardSettings;
use std::{collections::BTreeMap, path::PathBuf};

/// Begins to read the cards below a folder: every `*.html` is one.
///
/// The card in `cards/bookings/card.html` is `bookings/card.html` to tools and `ui://bookings/card.html` to hosts. What
/// it asks of its host may be in `cards/bookings/card.meta.json`. Files of other names, and those whose names or
/// folders begin with a dot, are left alone; icons may be among them.
pub fn folder(root: impl Into<PathBuf>) -> CardsBuilder {
    CardsBuilder::new(Origin::Folder(root.into()))
}

/// Begins to read cards that are in the program: paths, and what the files hold.
///
/// ```
/// use mcp_server::apps;
/// let cards = apps::in_program([
///     ("bookings/card.html", "<!DOCTYPE html><title>Booking</title>"),
///     ("bookings/card.meta.json", r#"{ "prefersBorder": true }"#),
/// ])
/// .read()?;
/// # Ok::<(), apps::CardFileFaults>(())
/// ```
///
/// They are held to what files of a folder are held to; icons may be among them.
pub fn in_program(files: impl IntoIterator<Item = (impl Into<String>, impl Into<Vec<u8>>)>) -> CardsBuilder {
    let files = files.into_iter().map(|(path, bytes)| (path.into(), bytes.into()));
    CardsBuilder::new(Origin::Program(files.collect()))
}

/// Where cards come from.
#[derive(Clone, Debug)]
enum Origin {
    Folder(PathBuf),
    Program(Vec<(String, Vec<u8>)>),
}

/// Cards on their way; made by [`folder`] and [`in_program`].
#[derive(Clone, Debug)]
#[must_use]
pub struct CardsBuilder {
    origin: Origin,
    settings: CardSettings,
    public_url: String,
    max_files: usize,
    max_bytes: u64,
    max_file_bytes: u64,
    max_depth: usize,
}

impl CardsBuilder {
    fn new(origin: Origin) -> Self {
        Self {
            origin,
            settings: CardSettings::new(),
            public_url: String::new(),
            max_files: 1_000,
            max_bytes: 64 * 1024 * 1024,
            max_file_bytes: MAX_FILE_BYTES,
            max_depth: 8,
        }
    }

    /// Sets what every card asks of its host; nothing by default.
    ///
    /// A file `<card>.meta.json` beside a card, written as the extension writes it, replaces the members that it has:
    /// `{"csp": {"resourceDomains": ["https://cdn.example.com"]}, "prefersBorder": false}`.
    pub fn settings(mut self, settings: CardSettings) -> Self {
        self.settings = settings;
        self
    }

    /// Sets the URL under which this application is reached, such as `https://example.com/app`: it begins the URLs of
    /// icons that are no files here.
    pub fn public_url(mut self, url: impl Into<String>) -> Self {
        self.public_url = url.into();
        self
    }

    /// Sets the largest card and the largest file of settings, in bytes, 1 to 1 GiB; [`MAX_FILE_BYTES`] by default.
    ///
    /// A card must also fit the server's `limits.output_bytes`, as escaped text.
    pub fn max_file_bytes(mut self, bytes: u64) -> Self {
        self.max_file_bytes = bytes;
        self
    }

    /// Sets the most bytes of all cards and settings together, which are kept in memory, 1 to 4 GiB; 64 MiB
    /// by default.
    pub fn max_bytes(mut self, bytes: u64) -> Self {
        self.max_bytes = bytes;
        self
    }

    /// Sets the most cards and files of settings together, 1 to 1,000,000; 1,000 by default. Twice as many names are
    /// looked at.
    pub fn max_files(mut self, files: usize) -> Self {
        self.max_files = files;
        self
    }

    /// Sets how many folders deep a card may be, 0 to 64; 8 by default.
    pub fn max_depth(mut self, folders: usize) -> Self {
        self.max_depth = folders;
        self
    }

    /// Reads every card.
    ///
    /// # Errors
    /// [`CardFileFaults`] with every file that cannot be served, and why. Whether the cards that tools name are there
    /// is checked when the server is built.
    pub fn read(self) -> Result<Cards, CardFileFaults> {
        let mut faults = Vec::new();
        if !self.public_url.is_empty() && !is_public_url(&self.public_url) {
            faults.push(CardFileFault::new("public_url", CardFileProblem::PublicUrl));
        }
        if let Err(problem) = self.settings.check() {
            faults.push(CardFileFault::new("settings", CardFileProblem::Settings(problem)));
        }
        let gathering = Gathering {
            files: self.max_files,
            bytes: self.max_bytes,
            file_bytes: self.max_file_bytes,
            depth: self.max_depth,
            hidden: HiddenFiles::Refused,
            wanted,
        };
        faults.extend(gathering.out_of_range());
        let (files, icons) = match self.origin {
            Origin::Folder(path) => match Dir::open_ambient_dir(&path, ambient_authority()) {
                Ok(root) => {
                    let Gathered { files, faults: unread, .. } = gathering.gather(&root);
                    let unread = unread.into_iter().map(|(path, problem)| CardFileFault::new(path, problem));
                    faults.extend(unread);
                    (files, Icons::Folder(root))
                }
                Err(error) => {
                    let problem = FileProblem::Unreadable(error);
                    faults.push(CardFileFault::new(path.to_string_lossy(), problem));
                    return Err(FileFaults(faults));
                }
            },
            Origin::Program(files) => {
                let (cards, others) = sort(files, gathering, &mut faults);
                (cards, Icons::Program(others))
            }
        };
        let cards = make(files, &self.settings, &mut faults);
        if faults.is_empty() {
            Ok(Cards::new(cards, icons, self.public_url))
        } else {
            Err(FileFaults(faults))
        }
    }
}

type Files = BTreeMap<String, Vec<u8>>;

/// Files of the program, held to the bounds of a folder: those that are wanted, and the others.
fn sort(files: Vec<(String, Vec<u8>)>, bounds: Gathering, faults: &mut Vec<CardFileFault>) -> (Files, Files) {
    let (mut cards, mut others) = (Files::new(), Files::new());
    let mut total = 0;
    for (path, bytes) in files {
        let name = path.rsplit('/').next().unwrap_or(&path);
        let (length, is_wanted) = (bytes.len() as u64, wanted(name));
        let problem = if cards.contains_key(&path) || others.contains_key(&path) {
            Some(CardFileProblem::Twice)
        } else if !is_wanted {
            None
        } else if length > bounds.file_bytes {
            Some(FileProblem::FileTooLarge { most: bounds.file_bytes }.into())
        } else if cards.len() >= bounds.files {
            Some(FileProblem::TooManyFiles { most: bounds.files }.into())
        } else {
            total += length;
            (total > bounds.bytes).then_some(FileProblem::TooManyBytes { most: bounds.bytes }.into())
        };
        match problem {
            Some(problem) => faults.push(CardFileFault::new(path, problem)),
            None => drop(if is_wanted { &mut cards } else { &mut others }.insert(path, bytes)),
        }
    }
    (cards, others)
}
