//! What a handshake agrees on.

use super::Server;
use crate::{
    admit, dispatch::InitializeParams, jsonrpc::IncomingRequest, lower, lower::Offer, lower::Reply,
    refusal::Refusal, version::ProtocolVersion,
};

impl Server {
    /// Negotiates a handshake.
    pub(crate) fn handshake(
        &self,
        request: &IncomingRequest,
    ) -> Result<(ProtocolVersion, InitializeParams), Refusal> {
        if self.is_shutting_down() {
            return Err(Refusal::ShuttingDown);
        }
        let params = InitializeParams::read(request)?;
        match self.versions().negotiate(&params.version) {
            Some(version) => Ok((version, params)),
            None => Err(Refusal::UnsupportedVersion {
                requested: admit::echo(&params.version),
                supported: self.versions().newest_first().collect(),
            }),
        }
    }

    /// The reply that a handshake is answered with; `channel` is one for changes, `logging` one for log messages.
    pub(crate) fn welcome(
        &self,
        request: &IncomingRequest,
        version: ProtocolVersion,
        channel: Offer,
        logging: Offer,
        instructions: Option<&str>,
    ) -> Reply {
        let mut capabilities = self.capabilities(channel, logging);
        // Only a client with a connection can have lists of its own; `server/discover` speaks to the others.
        if channel.is_made() {
            capabilities.list_changed = self.lists_of_connections();
        }
        lower::initialize(self.frame(&request.id, version), &capabilities, instructions)
    }
}
