//! Everything that is wrong with a folder whose files are read at once.

use std::{error::Error, fmt};

/// What can be wrong with a file of a folder that is read at once.
pub trait Problem: Error + 'static {
    /// What the folder holds, in the plural: `skills`.
    const HOLDS: &'static str;
}

/// Everything that is wrong with the files of a folder, at once.
#[derive(Debug)]
pub struct FileFaults<P>(pub(crate) Vec<FileFault<P>>);

/// One fault: which file, folder or setting, and what is wrong with it.
#[derive(Debug)]
pub struct FileFault<P> {
    place: Box<str>,
    problem: P,
}

impl<P> FileFaults<P> {
    /// The faults, at least one, in the order of the files.
    pub fn iter(&self) -> impl Iterator<Item = &FileFault<P>> {
        self.0.iter()
    }
}

impl<P> FileFault<P> {
    pub(crate) fn new(place: impl Into<Box<str>>, problem: impl Into<P>) -> Self {
        Self { place: place.into(), problem: problem.into() }
    }

    /// The same problem told of another place.
    pub(crate) fn at(self, place: impl Into<Box<str>>) -> Self {
        Self { place: place.into(), ..self }
    }

    /// The file or folder, below the folder that is read; that folder itself as it was given; or the name of a
    /// setting.
    #[must_use]
    pub fn place(&self) -> &str {
        &self.place
    }

    /// What is wrong with it.
    #[must_use]
    pub fn problem(&self) -> &P {
        &self.problem
    }
}

impl<P: Problem> fmt::Display for FileFaults<P> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.as_slice() {
            [only] => write!(formatter, "the {} cannot be read: {only}", P::HOLDS),
            all => {
                write!(formatter, "the {} cannot be read, {} faults:", P::HOLDS, all.len())?;
                all.iter().try_for_each(|fault| write!(formatter, "\n  {fault}"))
            }
        }
    }
}

impl<P: Problem> fmt::Display for FileFault<P> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}", self.place, self.problem)?;
        let mut cause = self.problem.source();
        while let Some(error) = cause {
            write!(formatter, ": {error}")?;
            cause = error.source();
        }
        Ok(())
    }
}

impl<P: Problem> Error for FileFaults<P> {}
