//! Limits of the command line, for tests that reach them on purpose; what is not given has its default.

use crate::arguments::seconds;
use clap::Args;
use mcp_server::{
    Limits, ServerBuilder, SessionLimits, Sessions, TaskLimits, Tasks,
    http::{HttpOptions, LegacySse, ServeOptions},
    store::{MemoryEvents, MemorySessions, MemoryTasks},
};
use std::{sync::Arc, time::Duration};

/// Where sessions and tasks are kept, for whoever wants to count them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stores {
    pub(crate) sessions: Arc<MemorySessions>,
    pub(crate) tasks: Arc<MemoryTasks>,
}

/// The limits that can be chosen.
#[derive(Debug, Default, Args)]
pub(crate) struct Bounds {
    /// Keep at most this many sessions.
    #[arg(long, value_name = "COUNT", conflicts_with = "stateless")]
    max_sessions: Option<usize>,

    /// End a session that is idle for this long; with fractions of seconds, but not below one second.
    #[arg(long, value_name = "SECONDS", value_parser = seconds, conflicts_with = "stateless")]
    session_idle: Option<Duration>,

    /// End a session that has not gone beyond its handshake for this long.
    #[arg(long, value_name = "SECONDS", value_parser = seconds, conflicts_with = "stateless")]
    session_opening: Option<Duration>,

    /// Keep at most this many tasks.
    #[arg(long, value_name = "COUNT", conflicts_with = "stateless")]
    max_tasks: Option<usize>,

    /// Let nobody have more tasks than this.
    #[arg(long, value_name = "COUNT", conflicts_with = "stateless")]
    max_tasks_each: Option<usize>,

    /// Let no task last longer than this.
    #[arg(long, value_name = "SECONDS", value_parser = seconds, conflicts_with = "stateless")]
    longest_task: Option<Duration>,

    /// Tell at most this many clients of changes.
    #[arg(long, value_name = "COUNT")]
    max_subscriptions: Option<usize>,

    /// Serve at most this many requests of one client at once.
    #[arg(long, value_name = "COUNT")]
    max_requests: Option<usize>,

    /// Send at most this many event streams at once.
    #[arg(long, value_name = "COUNT", requires = "http")]
    max_streams: Option<usize>,

    /// Have at most this many connections open.
    #[arg(long, value_name = "COUNT", requires = "http")]
    max_connections: Option<usize>,

    /// Wait no longer than this for heads, bodies and clients that read.
    #[arg(long, value_name = "SECONDS", value_parser = seconds, requires = "http")]
    wire_timeout: Option<Duration>,

    /// Keep a connection without a request no longer than this.
    #[arg(long, value_name = "SECONDS", value_parser = seconds, requires = "http")]
    idle_timeout: Option<Duration>,
}

impl Bounds {
    /// The server with its limits and stores.
    pub(crate) fn on_server(
        &self,
        server: ServerBuilder,
        mut limits: Limits,
        stores: &Stores,
    ) -> ServerBuilder {
        set(&mut limits.subscriptions, self.max_subscriptions);
        set(&mut limits.requests_in_flight, self.max_requests);
        let mut sessions = SessionLimits::default();
        set(&mut sessions.total, self.max_sessions);
        set(&mut sessions.idle_ttl, self.session_idle);
        set(&mut sessions.opening_ttl, self.session_opening);
        let mut tasks = TaskLimits::default();
        set(&mut tasks.total, self.max_tasks);
        set(&mut tasks.per_owner, self.max_tasks_each);
        set(&mut tasks.longest_ttl, self.longest_task);
        tasks.default_ttl = tasks.default_ttl.min(tasks.longest_ttl);
        let events = Arc::new(MemoryEvents::new());
        server
            .limits(limits)
            .sessions(Sessions::new(Arc::clone(&stores.sessions) as _, events).limits(sessions))
            .tasks(Tasks::new(Arc::clone(&stores.tasks) as _).limits(tasks))
    }

    /// The endpoint's options with their limits.
    pub(crate) fn on_endpoint(&self, mut options: HttpOptions) -> HttpOptions {
        set(&mut options.max_streams, self.max_streams);
        set(&mut options.body_timeout, self.wire_timeout);
        if let Some(legacy) = &mut options.legacy_sse {
            self.on_legacy_sse(legacy);
        }
        options
    }

    fn on_legacy_sse(&self, legacy: &mut LegacySse) {
        // Below a second it would be refused.
        set(&mut legacy.stall_timeout, self.wire_timeout.map(|time| time.max(Duration::from_secs(1))));
    }

    /// How connections are served.
    pub(crate) fn serving(&self) -> ServeOptions {
        let mut options = ServeOptions::default();
        set(&mut options.max_connections, self.max_connections);
        set(&mut options.head_timeout, self.wire_timeout);
        set(&mut options.write_timeout, self.wire_timeout);
        if let Some(timeout) = self.wire_timeout {
            options.read_timeout = Some(timeout);
        }
        if let Some(timeout) = self.idle_timeout {
            options.idle_timeout = Some(timeout);
        }
        options
    }
}

fn set<T>(setting: &mut T, chosen: Option<T>) {
    if let Some(value) = chosen {
        *setting = value;
    }
}
