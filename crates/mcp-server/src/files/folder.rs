//! Everything below a folder as resources.

use super::{
    MAX_FILE_BYTES,
    fault::FolderFault,
    listing::Bounds,
    media::{contents, media_type},
    read::{ReadFault, read_within},
    resolve::resolve,
};
use cap_std::{ambient_authority, fs::Dir};
use mcp_core::{
    context::Context,
    extract::{Typed, Vars},
    handler::{ProtocolError, blocking},
    protocol::{Completion, Resource, ResourceContents},
    registry::{McpRouter, resource},
    uri::{AbsoluteUri, UriTemplate, Value, Variables},
};
use std::{error::Error, path::PathBuf, sync::Arc};

/// Begins to serve everything below the folder `root` as resources whose URIs are `prefix` and the path.
///
/// ```no_run
/// use mcp_server::{McpRouter, files};
/// let router: McpRouter = McpRouter::new()
///     .merge(files::folder("docs", "docs://").describe("The manual").open()?);
/// # Ok::<(), files::FolderFault>(())
/// ```
///
/// With the prefix `docs://` the file `docs/guide/start.md` is `docs://guide/start.md`. Files are listed in the order
/// of their paths, their paths can be completed, and files beyond the bounds of the list can be read all the same.
pub fn folder(root: impl Into<PathBuf>, prefix: impl Into<String>) -> Folder {
    Folder {
        root: root.into(),
        prefix: prefix.into(),
        title: None,
        description: None,
        max_bytes: MAX_FILE_BYTES,
        bounds: Bounds { entries: 1_000, depth: 8 },
        hidden: HiddenFiles::Refused,
    }
}

/// A folder on its way into a router; made by [`folder`].
#[derive(Clone, Debug)]
#[must_use]
pub struct Folder {
    root: PathBuf,
    prefix: String,
    title: Option<Box<str>>,
    description: Option<Box<str>>,
    max_bytes: u64,
    bounds: Bounds,
    hidden: HiddenFiles,
}

/// What happens to files whose name, or a folder's name on the way to them, begins with a dot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "hidden files are served or they are not")]
pub enum HiddenFiles {
    /// They look as if they did not exist: `.env` and `.git` are seldom meant for others.
    #[default]
    Refused,
    /// They are like any other file.
    Served,
}

impl Folder {
    /// Sets the name shown to people.
    pub fn title(mut self, title: impl Into<Box<str>>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// Says what the folder holds.
    pub fn describe(mut self, description: impl Into<Box<str>>) -> Self {
        self.description = Some(description.into());
        self
    }

    /// Sets the largest file that is served, in bytes; [`MAX_FILE_BYTES`] by default.
    ///
    /// The bytes must also fit the server's `limits.output_bytes`, as escaped text or Base64.
    pub fn max_bytes(mut self, bytes: u64) -> Self {
        self.max_bytes = bytes;
        self
    }

    /// Sets how many files are listed at most; 1,000 by default.
    pub fn max_listed(mut self, files: usize) -> Self {
        self.bounds.entries = files;
        self
    }

    /// Sets how many folders deep files are listed; 8 by default, 1 for the folder's own files only.
    pub fn max_depth(mut self, folders: usize) -> Self {
        self.bounds.depth = folders;
        self
    }

    /// Chooses what happens to hidden files.
    pub fn hidden(mut self, hidden: HiddenFiles) -> Self {
        self.hidden = hidden;
        self
    }

    /// Opens the folder and makes its template, list and completion.
    ///
    /// # Errors
    /// [`FolderFault`] when the folder cannot be opened or the prefix begins no URI.
    pub fn open<S: Send + Sync + 'static>(self) -> Result<McpRouter<S>, FolderFault> {
        let text = format!("{}{{+path}}", self.prefix);
        let template = match template(&self.prefix, &text) {
            Ok(template) => template,
            Err(source) => return Err(FolderFault::Prefix { prefix: self.prefix, source }),
        };
        let root = match Dir::open_ambient_dir(&self.root, ambient_authority()) {
            Ok(root) => root,
            Err(source) => return Err(FolderFault::Unreadable { path: self.root, source }),
        };
        let open = Arc::new(OpenFolder {
            root,
            template,
            max_bytes: self.max_bytes,
            bounds: self.bounds,
            hidden: self.hidden,
        });
        Ok(open.router(text, self.title, self.description))
    }
}

/// The template of everything that begins with the prefix.
fn template(prefix: &str, text: &str) -> Result<UriTemplate, Box<dyn Error + Send + Sync>> {
    // The template alone would take any text; its URIs must be absolute, and have no other variable.
    AbsoluteUri::parse(&format!("{prefix}path"))?;
    Ok(UriTemplate::parse(text)?)
}

/// A folder that is served.
#[derive(Debug)]
pub(super) struct OpenFolder {
    root: Dir,
    template: UriTemplate,
    max_bytes: u64,
    bounds: Bounds,
    hidden: HiddenFiles,
}

impl OpenFolder {
    fn router<S: Send + Sync + 'static>(
        self: Arc<Self>,
        template: String,
        title: Option<Box<str>>,
        description: Option<Box<str>>,
    ) -> McpRouter<S> {
        let folder = Arc::clone(&self);
        let read =
            move |context: Context, Vars(path): Vars<String>| -> Result<ResourceContents, ProtocolError> {
                folder.read(&path).map_err(|fault| fault.told(context.target()))
            };
        let folder = Arc::clone(&self);
        let complete = move |Typed(typed): Typed| folder.complete(&typed);
        let list = move || self.list();
        let mut builder = resource(blocking(read)).complete("path", blocking(complete));
        if let Some(title) = title {
            builder = builder.title(title);
        }
        if let Some(description) = description {
            builder = builder.describe(description);
        }
        McpRouter::new().resource(template, builder).list_resources(blocking(list))
    }

    fn read(&self, path: &str) -> Result<ResourceContents, ReadFault> {
        let (target, _) = resolve(&self.root, path, self.hidden)?;
        let file = self.root.open(&target)?;
        let length = file.metadata()?.len();
        Ok(contents(path.as_ref(), read_within(file, length, self.max_bytes)?))
    }

    fn list(&self) -> Vec<Resource> {
        let found = self.bounds.walk(&self.root, self.hidden);
        let resources = found.into_iter().filter_map(|found| {
            let variables = Variables::from_iter([("path", Value::from(found.path.as_str()))]);
            let uri = self.template.expand(&variables).ok()?;
            let resource = Resource::new(uri, found.path.as_str()).size(found.bytes);
            Some(match media_type(found.path.as_ref()) {
                Some(media_type) => resource.mime_type(media_type),
                None => resource,
            })
        });
        resources.collect()
    }

    fn complete(&self, typed: &str) -> Completion {
        let found = self.bounds.walk(&self.root, self.hidden);
        Completion::new(found.into_iter().map(|found| found.path).filter(|path| path.starts_with(typed)))
    }
}
