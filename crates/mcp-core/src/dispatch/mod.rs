//! From an admitted request to its exchange: one method table for every era and transport.

mod complete;
mod discover;
mod listen;
mod lists;
mod params;
mod prompt;
mod read;
mod skills;
mod start;
mod task;
mod tool;

pub(crate) use discover::discover;
pub(crate) use tool::call_within;

use start::{scope, scope_with, start};

pub(crate) use params::{InitializeParams, as_error, check_uri, log_level, member_text};

use crate::{
    context::{Caller, Transport},
    exchange::{Asked, Exchange, Outcome},
    jsonrpc::IncomingRequest,
    lower::{self, Reply},
    protocol::Method,
    refusal::Refusal,
    server::Server,
    version::ProtocolVersion,
};
use std::time::Duration;

/// Serves a request; a refusal is an exchange like any other.
pub(crate) fn dispatch(
    server: &Server,
    request: IncomingRequest,
    method: Method,
    caller: Caller,
) -> Exchange {
    if server.is_shutting_down() {
        return refuse(&request, &Refusal::ShuttingDown, &caller);
    }
    if caller.token_too_long {
        return refuse(&request, &Refusal::progress_token_too_long(), &caller);
    }
    match method {
        Method::CallTool => tool::call(server, request, caller),
        Method::ReadResource => read::read(server, request, caller),
        Method::GetPrompt => prompt::get(server, request, caller),
        Method::Complete => complete::complete(server, request, caller),
        Method::ListTools | Method::ListResources | Method::ListResourceTemplates | Method::ListPrompts => {
            lists::list(server, request, method, caller)
        }
        Method::ListSkills | Method::GetSkill | Method::ReadDirectory => {
            skills::serve(server, &request, method, &caller)
        }
        Method::Listen => listen::listen(server, &request, &caller),
        Method::GetTask
        | Method::TaskResult
        | Method::ListTasks
        | Method::UpdateTask
        | Method::CancelTask => task::task(server, request, method, caller),
        Method::Discover => discover(server, &request, &caller, server.instructions()),
        Method::Ping => {
            let reply = lower::empty(server.frame(&request.id, caller.version));
            answer(&request, &caller, reply)
        }
        // The connection keeps what these change; where there is no connection they do not exist.
        Method::Initialize | Method::SetLevel | Method::Subscribe | Method::Unsubscribe => {
            refuse(&request, &Refusal::MethodNotFound, &caller)
        }
    }
}

/// Refuses a request by the one table.
pub(crate) fn refuse(request: &IncomingRequest, refusal: &Refusal, caller: &Caller) -> Exchange {
    refuse_as(request, refusal, Some(caller.version), caller.transport)
}

/// Refuses a request whose caller may not be known yet.
pub(crate) fn refuse_as(
    request: &IncomingRequest,
    refusal: &Refusal,
    version: Option<ProtocolVersion>,
    transport: Transport,
) -> Exchange {
    refusal.log();
    Asked { request, version, transport }.report(Outcome::Refused, Duration::ZERO);
    Exchange::ready(lower::refusal(Some(&request.id), refusal, version))
}

/// Answers a request at once.
pub(crate) fn answer(request: &IncomingRequest, caller: &Caller, reply: Reply) -> Exchange {
    answer_as(request, caller.version, caller.transport, reply)
}

/// Answers a request at once, by the rules of a version.
pub(crate) fn answer_as(
    request: &IncomingRequest,
    version: ProtocolVersion,
    transport: Transport,
    reply: Reply,
) -> Exchange {
    Asked { request, version: Some(version), transport }.report(Outcome::Completed, Duration::ZERO);
    Exchange::ready(reply)
}
