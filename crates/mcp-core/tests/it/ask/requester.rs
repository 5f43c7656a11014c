//! requester
