//! `skills/list`, `skills/get` and `resources/directory/read`.

use super::params::{check_uri, cursor, member_text};
use crate::{
    context::Caller,
    exchange::Exchange,
    jsonrpc::IncomingRequest,
    lower::{self, Reply},
    protocol::Method,
    refusal::Refusal,
    server::Server,
    skill::SkillIndex,
};

pub(super) fn serve(server: &Server, request: &IncomingRequest, method: Method, caller: &Caller) -> Exchange {
    let reply = match server.skills() {
        None => Err(Refusal::MethodNotFound),
        Some(skills) => match method {
            Method::ListSkills => list(server, skills, request, caller),
            Method::GetSkill => get(server, skills, request, caller),
            _ => read_directory(server, skills, request, caller),
        },
    };
    match reply {
        Ok(reply) => super::answer(request, caller, reply),
        Err(refusal) => super::refuse(request, &refusal, caller),
    }
}

fn list(
    server: &Server,
    skills: &SkillIndex,
    request: &IncomingRequest,
    caller: &Caller,
) -> Result<Reply, Refusal> {
    let page = skills.list(cursor(request)?.as_deref()).ok_or(Refusal::InvalidCursor)?;
    Ok(lower::skills(server.frame(&request.id, caller.version), &page, server.discovery_cache(caller)))
}

fn get(
    server: &Server,
    skills: &SkillIndex,
    request: &IncomingRequest,
    caller: &Caller,
) -> Result<Reply, Refusal> {
    let entry = skills
        .entry(&uri(server, request)?)
        .ok_or_else(|| Refusal::InvalidParams("no skill has its `SKILL.md` at this URI".into()))?;
    Ok(lower::skill(server.frame(&request.id, caller.version), entry, server.discovery_cache(caller)))
}

fn read_directory(
    server: &Server,
    skills: &SkillIndex,
    request: &IncomingRequest,
    caller: &Caller,
) -> Result<Reply, Refusal> {
    let page = skills
        .folder(&uri(server, request)?, cursor(request)?.as_deref())
        .ok_or_else(|| Refusal::InvalidParams("no directory is served at this URI".into()))?
        .ok_or(Refusal::InvalidCursor)?;
    Ok(lower::directory(server.frame(&request.id, caller.version), &page))
}

fn uri(server: &Server, request: &IncomingRequest) -> Result<Box<str>, Refusal> {
    let uri = member_text(request.params(), "uri")?;
    check_uri(server.limits(), &uri)?;
    Ok(uri)
}
