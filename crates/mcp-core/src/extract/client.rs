//! The client as someone to ask.

use super::Extract;
use crate::{
    ask::{
        self, Ask, AskError, AskRequest, Detach, ToolSampling, read_elicitation, read_roots, read_sampling,
    },
    context::Context,
    handler::Request,
    protocol::{Elicitation, Form, Root, SamplingRequest, SamplingResult},
};
use schemars::JsonSchema;
use serde::{Serialize, de::DeserializeOwned};
use std::{convert::Infallible, future::Future, sync::Arc};

/// Asks the client: its user, its model, its file system.
///
/// The same code works over stdio, in an HTTP session and on 2026-07-28. Each ask has a **key**, 1 to 128 bytes, which
/// names it within the call and must be the same whenever the handler runs: on 2026-07-28 a call that asks ends, and
/// the handler runs again from its beginning when the client has answered. Code before an ask therefore has to bear
/// being run again; [`Client::remember`] keeps what should not be done twice.
///
/// What is asked has to be the same then, too: an answer counts for the very question that was put, so that no user
/// confirms something that changed meanwhile. A message with the time of day in it would be asked again and again;
/// remember the time, and it stays. Two questions of a call need two keys; the same question under the same key gives
/// the same answer.
///
/// ```
/// use mcp_core::{extract::Client, handler::ToolError};
/// use schemars::JsonSchema;
/// use serde::Deserialize;
///
/// #[derive(Deserialize, JsonSchema)]
/// struct Seat {
///     /// Row and letter, such as 12A.
///     seat: String,
/// }
///
/// async fn book(client: Client) -> Result<String, ToolError> {
///     match client.elicit::<Seat>("seat", "Which seat?").await?.accepted() {
///         Some(Seat { seat }) => Ok(format!("booked {seat}")),
///         None => Err(ToolError::new("the user chose no seat")),
///     }
/// }
/// ```
///
/// Where nothing can be done without an answer, [`Elicitation::require`] says so in one word. A client that cannot be
/// asked is [`AskError::MissingCapability`]; a handler that can do without goes on, for others `?` tells the model:
///
/// ```
/// # use mcp_core::{ask::AskError, extract::Client, handler::ToolError};
/// # #[derive(serde::Deserialize, schemars::JsonSchema)]
/// # struct Confirmation { sure: bool }
/// async fn delete(client: Client) -> Result<&'static str, ToolError> {
///     // A decision about this call must be an answer to this question, not one that was sent beforehand.
///     let sure = match client.elicit::<Confirmation>("sure", "Delete all 3 files?").issued_only().await {
///         Ok(decision) => decision.require()?.sure,
///         Err(AskError::MissingCapability(_)) => false,
///         Err(other) => return Err(other.into()),
///     };
///     Ok(if sure { "deleted" } else { "left as it is" })
/// }
/// ```
///
/// A blocking handler gets no `Client`, because it cannot wait:
///
/// ```compile_fail
/// # use mcp_core::{extract::Client, handler::blocking, registry::{McpRouter, tool}};
/// McpRouter::<()>::new().tool("ask", tool(blocking(|client: Client| "asked")));
/// ```
///
/// The same without `Client` compiles:
///
/// ```
/// # use mcp_core::{extract::Progress, handler::blocking, registry::{McpRouter, tool}};
/// McpRouter::<()>::new().tool("work", tool(blocking(|progress: Progress| "done")));
/// ```
///
/// Several asks at once, with `join!`, go out together. A `timeout` or `select!` around an ask does not fire on
/// 2026-07-28, where the round ends as soon as the handler waits. Only tools, prompts and resource reads may ask,
/// and only while they are polled: in a task of its own, or in a blocking function, an ask fails with
/// [`AskError::OutsideHandler`].
#[derive(Clone, Debug)]
pub struct Client(Context);

impl Client {
    /// Asks the user for what `T` says, as a form.
    ///
    /// `T` is a flat struct of text, numbers, truth values, choices and lists of choices; see [`Form::of`]. What
    /// the user decides is data: [`Elicitation`]. Secrets do not belong in forms: [`Client::elicit_url`].
    ///
    /// Spec: 2026-07-28, client/elicitation.
    pub fn elicit<T: DeserializeOwned + JsonSchema>(
        &self,
        key: impl Into<Box<str>>,
        message: impl Into<Box<str>>,
    ) -> Ask<Elicitation<T>> {
        let form = Form::of::<T>().map(Arc::new).map_err(AskError::Form);
        self.elicit_with(key, message, form)
    }

    /// Asks the user to fill in a form that was made before, such as one from a schema known at run time only.
    ///
    /// A form that is asked often is best made once and kept in an `Arc`: it is shared then, not copied.
    pub fn elicit_form<T: DeserializeOwned>(
        &self,
        key: impl Into<Box<str>>,
        message: impl Into<Box<str>>,
        form: impl Into<Arc<Form>>,
    ) -> Ask<Elicitation<T>> {
        self.elicit_with(key, message, Ok(form.into()))
    }

    fn elicit_with<T: DeserializeOwned>(
        &self,
        key: impl Into<Box<str>>,
        message: impl Into<Box<str>>,
        form: Result<Arc<Form>, AskError>,
    ) -> Ask<Elicitation<T>> {
        let message = message.into();
        let request = form.map(|form| AskRequest::Form { message, form });
        Ask::new(&self.0, &key.into(), request, read_elicitation::<T>)
    }

    /// Asks the user to open a page, where what is said stays between the user and that page.
    ///
    /// [`Elicitation::Accepted`] means that the user agreed to open it, not that the user is done there.
    /// The page has to make sure that who opens it is who was asked. On 2025-11-25 the client is told that the
    /// user is done with [`Server::complete_elicitation`](crate::server::Server::complete_elicitation).
    ///
    /// Spec: 2026-07-28, client/elicitation#url-mode-elicitation-requests.
    pub fn elicit_url(
        &self,
        key: impl Into<Box<str>>,
        message: impl Into<Box<str>>,
        url: &str,
    ) -> Ask<Elicitation<()>> {
        let key = key.into();
        let id = self.elicitation_id(&key);
        let request = AskRequest::page(message, url, id)
            .map_err(|fault| AskError::InvalidRequest(format!("the page's address: {fault}").into()));
        Ask::new(&self.0, &key, request, read_elicitation::<()>)
    }

    /// The id that the URL elicitation of a key has unless it is given another; unguessable, and the same in every
    /// round.
    #[must_use]
    pub fn elicitation_id(&self, key: &str) -> String {
        format!("{}.{key}", self.operation_id())
    }

    /// Asks the client's model.
    ///
    /// A model that is offered tools may want several turns; each is an ask with a key of its own. A client that
    /// refuses is [`AskError::ClientError`] where it waits; on 2026-07-28 it simply does not come back.
    ///
    /// ```
    /// # use mcp_core::{extract::Client, handler::ToolError, protocol::{SamplingMessage, SamplingRequest}};
    /// async fn summary(client: Client) -> Result<String, ToolError> {
    ///     let request = SamplingRequest::new(200).message(SamplingMessage::user("Summarise: ..."));
    ///     Ok(client.sample("summary", request).await?.text())
    /// }
    /// ```
    ///
    /// Spec: 2026-07-28, client/sampling.
    pub fn sample(&self, key: impl Into<Box<str>>, request: SamplingRequest) -> Ask<SamplingResult> {
        let request =
            AskRequest::sample(request).map_err(|fault| AskError::InvalidRequest(fault.to_string().into()));
        Ask::new(&self.0, &key.into(), request, read_sampling)
    }

    /// Asks the client's model, and calls the tools of this server that it asks for, until it has an answer.
    ///
    /// `tools` names what the model may use; a name that this server does not have is
    /// [`AskError::UnknownTool`] at once. The tools run within this call, with its caller's rights, their arguments
    /// checked and their time bounded as in a direct call. What fails, or is none of the run's, the model reads as an
    /// error and can correct. After `limits.sampling_rounds` rounds it is asked once more, without tools.
    ///
    /// Each turn is an ask with the key and its number, `plan/1`, `plan/2` and so on, and what a tool asks the client
    /// has a key below its turn, such as `plan/1/2/sure`; other asks of the call have other keys. On 2026-07-28 results
    /// are remembered, so that no tool runs again when the handler does; one that asks the client itself runs again
    /// from its beginning, like any handler.
    ///
    /// Needs the capability `sampling.tools`, and 2025-11-25 or later; [`AskError::MissingCapability`] otherwise.
    ///
    /// ```
    /// # use mcp_core::{extract::Client, handler::ToolError, protocol::{SamplingMessage, SamplingRequest}};
    /// async fn answer(client: Client) -> Result<String, ToolError> {
    ///     let question = SamplingMessage::user("Where is order 17?");
    ///     let run = client
    ///         .sample_with_tools("answer", SamplingRequest::new(500).message(question), ["order"])
    ///         .max_rounds(3)
    ///         .await?;
    ///     Ok(run.text())
    /// }
    /// ```
    ///
    /// Spec: 2026-07-28, client/sampling#sampling-with-tools.
    pub fn sample_with_tools<T: Into<Box<str>>>(
        &self,
        key: impl Into<Box<str>>,
        request: SamplingRequest,
        tools: impl IntoIterator<Item = T>,
    ) -> ToolSampling {
        ToolSampling::new(&self.0, key.into(), request, tools.into_iter().map(Into::into).collect())
    }

    /// Asks which folders the client lets the server work in.
    ///
    /// Spec: 2026-07-28, client/roots.
    pub fn roots(&self, key: impl Into<Box<str>>) -> Ask<Vec<Root>> {
        Ask::new(&self.0, &key.into(), Ok(AskRequest::Roots), read_roots)
    }

    /// The result of a future, which is run once and remembered when the handler runs again.
    ///
    /// It remembers, it does not claim: a client that repeats a round runs the future twice. What must happen
    /// once needs the [operation id](Client::operation_id) and a store that knows it. What is remembered travels
    /// with the client, sealed, within `limits.ask_state_bytes`.
    ///
    /// # Errors
    /// [`AskError::Value`] when the value does not serialise, or what was remembered is no `T`; [`AskError::Limit`]
    /// when it alone is larger than `limits.ask_state_bytes`.
    ///
    /// ```
    /// # use mcp_core::{extract::Client, handler::ToolError};
    /// # #[derive(serde::Deserialize, schemars::JsonSchema)]
    /// # struct Confirmation { sure: bool }
    /// # async fn price_of_the_day() -> u32 { 7 }
    /// async fn order(client: Client) -> Result<String, ToolError> {
    ///     // What the user confirms is what is paid, however often the handler runs.
    ///     let price = client.remember("price", price_of_the_day()).await?;
    ///     let decision = client.elicit::<Confirmation>("sure", format!("Pay {price}?")).issued_only().await?;
    ///     Ok(if decision.require()?.sure { format!("paid {price}") } else { "not paid".to_owned() })
    /// }
    /// ```
    pub async fn remember<T: Serialize + DeserializeOwned>(
        &self,
        key: &str,
        future: impl Future<Output = T>,
    ) -> Result<T, AskError> {
        ask::remember(&self.0, key, async { Ok::<T, AskError>(future.await) }).await
    }

    /// The same for a future that may fail; a failure is not remembered.
    ///
    /// # Errors
    /// The future's error, or a converted [`AskError`] as in [`Client::remember`].
    pub async fn try_remember<T, E>(
        &self,
        key: &str,
        future: impl Future<Output = Result<T, E>>,
    ) -> Result<T, E>
    where
        T: Serialize + DeserializeOwned,
        E: From<AskError>,
    {
        ask::remember(&self.0, key, future).await
    }

    /// Lets the call go on as a task, whose client does not wait for it any more and looks at it later.
    ///
    /// `true` when the call is a task, also if it was one from the start. `false` when it cannot become one: the tool
    /// does not [support](crate::registry::ToolBuilder::task_support) it, the client cannot have tasks, or, on
    /// 2025-11-25, did not ask for one; the call then goes on as ever. Questions before it are put the way other calls
    /// put them, questions after it are those of the task. Cancel-safe.
    ///
    /// # Errors
    /// [`AskError::Limit`] when there are too many tasks, [`AskError::OutsideHandler`].
    ///
    /// ```
    /// # use mcp_core::{extract::Client, handler::ToolError};
    /// # #[derive(serde::Deserialize, schemars::JsonSchema)]
    /// # struct Confirmation { sure: bool }
    /// # async fn rebuild() {}
    /// async fn reindex(client: Client) -> Result<&'static str, ToolError> {
    ///     client.elicit::<Confirmation>("sure", "Rebuild the index?").await?.require()?;
    ///     client.detach().await?;
    ///     rebuild().await;
    ///     Ok("rebuilt")
    /// }
    /// ```
    pub fn detach(&self) -> Detach {
        Detach::new(self.0.clone())
    }

    /// Names this call through all its rounds: 22 letters, digits, `-` and `_`, unguessable.
    ///
    /// A downstream service that is given it can tell a repetition from another call.
    #[must_use]
    pub fn operation_id(&self) -> Arc<str> {
        ask::operation_id(&self.0)
    }

    /// Tells whether the client declared a capability, by path such as `sampling` or `elicitation.url`.
    #[must_use]
    pub fn supports(&self, path: &str) -> bool {
        self.0.client_supports(path)
    }
}

impl Context {
    /// The client as someone to ask; also what the extractor [`Client`] gives.
    #[must_use]
    pub fn client(&self) -> Client {
        Client(self.clone())
    }
}

impl From<&Context> for Client {
    /// That of the call: for what serves a call in another way than as a handler, such as a route of an application.
    fn from(context: &Context) -> Self {
        Self(context.clone())
    }
}

impl<R: Request, S: Sync> Extract<R, S> for Client {
    type Rejection = Infallible;

    const WAITS: bool = true;

    async fn extract(request: &R, _: &S) -> Result<Self, Infallible> {
        Ok(request.context().client())
    }
}
