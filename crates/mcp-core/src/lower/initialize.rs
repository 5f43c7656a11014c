//! How a server presents itself: `initialize` in the handshake, `server/discover` since.

use super::{Reply, ResultFrame, ServerCapabilities, identity::introduction, implementation};
use crate::{
    protocol::{CacheHints, Meta},
    version::{ProtocolVersion, ServedVersions},
};

/// The result of `initialize`; the frame's version is the negotiated one.
pub(crate) fn initialize(
    frame: ResultFrame<'_>,
    capabilities: &ServerCapabilities,
    instructions: Option<&str>,
) -> Reply {
    let body = frame.write(512, &Meta::new(), None, |result| {
        result.string("protocolVersion", frame.version.as_str());
        capabilities.write(result.member("capabilities"), frame.version);
        implementation(result.member("serverInfo"), frame.server, frame.version);
        result.optional_string("instructions", instructions);
    });
    frame.reply(body)
}

/// The result of `server/discover`, the only one of the modern era that names the server with title, icons and all.
pub(crate) fn discover(
    frame: ResultFrame<'_>,
    served: ServedVersions,
    capabilities: &ServerCapabilities,
    instructions: Option<&str>,
    cache: CacheHints,
) -> Reply {
    let introduction = introduction(frame.server, frame.version);
    let frame = ResultFrame { signature: &introduction, ..frame };
    let body = frame.write(512, &Meta::new(), Some(cache), |result| {
        result.array("supportedVersions", |list| {
            served.newest_first().map(ProtocolVersion::as_str).for_each(|version| list.string(version));
        });
        capabilities.write(result.member("capabilities"), frame.version);
        result.optional_string("instructions", instructions);
    });
    frame.cached_reply(body, cache)
}
