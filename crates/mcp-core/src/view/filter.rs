//! Policies that decide, list by list, who sees what.

use super::Listed;
use crate::{context::Context, ports::BoxFuture};
use std::{error::Error, fmt, future::Future, sync::Arc};

/// What a policy decides about one entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "an entry is listed or it is not")]
pub enum Verdict {
    /// It is listed.
    Show,
    /// It is not.
    Hide,
}

impl From<bool> for Verdict {
    fn from(shown: bool) -> Self {
        if shown { Self::Show } else { Self::Hide }
    }
}

/// What a policy may answer: `bool` (`true` shows), [`Verdict`], or a `Result` of one.
///
/// An error says that the policy cannot tell, which is not the same as `Hide`: then nothing is listed.
pub trait IntoVerdict {
    /// The decision.
    ///
    /// # Errors
    /// Why there is none; it goes to the log.
    fn into_verdict(self) -> Result<Verdict, Box<dyn Error + Send + Sync>>;
}

impl IntoVerdict for Verdict {
    fn into_verdict(self) -> Result<Verdict, Box<dyn Error + Send + Sync>> {
        Ok(self)
    }
}

impl IntoVerdict for bool {
    fn into_verdict(self) -> Result<Verdict, Box<dyn Error + Send + Sync>> {
        Ok(self.into())
    }
}

impl<T: IntoVerdict, E: Into<Box<dyn Error + Send + Sync>>> IntoVerdict for Result<T, E> {
    fn into_verdict(self) -> Result<Verdict, Box<dyn Error + Send + Sync>> {
        self.map_err(Into::into)?.into_verdict()
    }
}

type Decision = Result<Verdict, Box<dyn Error + Send + Sync>>;

/// A policy.
#[derive(Clone)]
pub(crate) struct Filter(Arc<dyn Fn(Context, Listed) -> BoxFuture<Decision> + Send + Sync>);

/// Erases the type of a policy.
pub(crate) fn filter<F, A>(policy: F) -> Filter
where
    F: Fn(Context, Listed) -> A + Send + Sync + 'static,
    A: Future<Output: IntoVerdict> + Send + 'static,
{
    Filter(Arc::new(move |context, listed| {
        let deciding = policy(context, listed);
        Box::pin(async move { deciding.await.into_verdict() })
    }))
}

impl Filter {
    pub(crate) async fn decide(&self, context: &Context, listed: Listed) -> Decision {
        (self.0)(context.clone(), listed).await
    }
}

impl fmt::Debug for Filter {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Filter")
    }
}
