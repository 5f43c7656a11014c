//! The loop of one connection: lines in, exchanges, whole lines out.

use crate::{
    batch::Batch,
    carry::{Queued, carry},
    framing::{Line, LineSplitter},
    options::StdioOptions,
};
use mcp_core::{
    connection::Connection,
    exchange::{Exchange, Outgoing},
    json::{JsonFault, JsonFaultKind},
    refusal::Refusal,
    server::{Peer, Server},
};
use std::{
    convert::Infallible,
    io,
    pin::{Pin, pin},
    task::{Context, Poll, Waker, ready},
    time::Duration,
};
use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWrite},
    sync::mpsc,
    task::AbortHandle,
    time::{Sleep, sleep},
};

/// Messages of tasks that wait for the writer; a task whose message finds no room waits with it.
const QUEUE: usize = 64;
/// Lines handled before other tasks get their turn.
const TURN: usize = 128;
/// Messages of one exchange that are taken in place before it gets a task of its own.
const IN_PLACE: usize = 16;
/// What is read ahead while the writer is stuck, so that the end of the input is seen all the same.
const AHEAD: usize = 64 * 1024;
/// How long cancelled requests may take to let go, and what was answered to leave.
const LEAVE: Duration = Duration::from_millis(500);

/// What the end of the input means for the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AtEnd {
    /// The connection is the server's only one: the server shuts down with it.
    ShutDown,
    /// Other connections go on: only this one's listen streams are dropped.
    GoOn,
}

/// One connection on its way from the first line to the last.
///
/// Dropping it closes the queue, by which every task sees that it has to drop its exchange.
pub(crate) struct Driver<'a, R, W> {
    server: Server,
    connection: Connection,
    at_end: AtEnd,
    grace: Duration,
    reader: Pin<&'a mut R>,
    input: Input,
    lines: LineSplitter,
    writer: Pin<&'a mut W>,
    batch: Batch,
    /// Where tasks send their messages; gone once no task is started any more.
    sender: Option<mpsc::Sender<Queued>>,
    receiver: mpsc::Receiver<Queued>,
    /// Held by each task until it is gone; the driver's own one goes with its `sender`.
    running: Option<mpsc::Sender<Infallible>>,
    /// Ends when nothing is running. The queue does not tell: once it is closed it ends, whoever still sends.
    all_gone: mpsc::Receiver<Infallible>,
    /// Everything that tasks sent was taken, and nothing more can come.
    queue_over: bool,
    /// The same, and every task is gone.
    tasks_gone: bool,
    listens: Vec<AbortHandle>,
    phase: Phase,
}

#[derive(Debug)]
enum Input {
    Open,
    Ended,
    Failed(io::Error),
}

#[derive(Debug)]
enum Phase {
    Serving,
    /// No new requests; those in flight may finish until the deadline.
    Draining(Pin<Box<Sleep>>),
    /// Everything was cancelled; what was answered before may still leave.
    Leaving(Pin<Box<Sleep>>),
    /// The same, but nobody reads the output.
    Abandoned(Pin<Box<Sleep>>),
}

impl<'a, R: AsyncRead, W: AsyncWrite> Driver<'a, R, W> {
    pub(crate) fn new(
        server: Server,
        peer: Peer,
        streams: (Pin<&'a mut R>, Pin<&'a mut W>),
        options: &StdioOptions,
        at_end: AtEnd,
    ) -> Self {
        let (sender, receiver) = mpsc::channel(QUEUE);
        let (running, all_gone) = mpsc::channel(1);
        let (reader, writer) = streams;
        Self {
            connection: Connection::new(server.clone(), peer),
            server,
            at_end,
            grace: options.grace,
            reader,
            input: Input::Open,
            lines: LineSplitter::new(options.line_bytes),
            writer,
            batch: Batch::default(),
            sender: Some(sender),
            receiver,
            running: Some(running),
            all_gone,
            queue_over: false,
            tasks_gone: false,
            listens: Vec::new(),
            phase: Phase::Serving,
        }
    }

    /// Why reading failed, when it did not just end.
    pub(crate) fn into_read_error(self) -> Option<io::Error> {
        match self.input {
            Input::Failed(error) => Some(error),
            Input::Open | Input::Ended => None,
        }
    }

    /// Begins the end from outside: requests in flight may finish, new ones are refused.
    pub(crate) fn shut_down(&mut self) {
        self.server.shut_down();
        self.drain("the server is shutting down");
    }

    /// Drives the connection as far as it goes; ready when it is over.
    pub(crate) fn poll_drive(&mut self, context: &mut Context<'_>) -> Poll<()> {
        let mut handled = 0;
        loop {
            let phase = std::mem::discriminant(&self.phase);
            if self.poll_deadline(context).is_ready() {
                return Poll::Ready(());
            }
            let mut moved = self.collect(context);
            let taken = self.handle_lines(TURN.saturating_sub(handled));
            handled += taken;
            moved |= taken > 0;
            moved |= self.poll_write(context);
            if self.tasks_gone && (self.batch.is_done() || matches!(self.phase, Phase::Abandoned(_))) {
                return Poll::Ready(());
            }
            moved |= self.poll_read(context, TURN.saturating_sub(handled));
            moved |= phase != std::mem::discriminant(&self.phase);
            if handled >= TURN {
                context.waker().wake_by_ref();
                return Poll::Pending;
            }
            if !moved {
                return Poll::Pending;
            }
        }
    }

    /// Takes what tasks sent and what changed, as long as the writer keeps up.
    fn collect(&mut self, context: &mut Context<'_>) -> bool {
        let mut moved = false;
        let unread = matches!(self.phase, Phase::Abandoned(_));
        while !self.queue_over && !self.batch.is_full() {
            match self.receiver.poll_recv(context) {
                Poll::Ready(Some(queued)) => {
                    moved = true;
                    if let Some(message) = queued.into_message().filter(|_| !unread) {
                        self.batch.push(message);
                    }
                }
                Poll::Ready(None) => {
                    moved = true;
                    self.queue_over = true;
                }
                Poll::Pending => break,
            }
        }
        if self.queue_over && !self.tasks_gone && self.all_gone.poll_recv(context).is_ready() {
            moved = true;
            self.tasks_gone = true;
        }
        while matches!(self.phase, Phase::Serving) && !self.batch.is_full() {
            let Poll::Ready(message) = self.connection.poll_change(context) else { break };
            moved = true;
            self.batch.push(message);
        }
        moved
    }

    /// Handles complete lines, as long as the writer keeps up; gives how many.
    fn handle_lines(&mut self, most: usize) -> usize {
        let mut handled = 0;
        while handled < most && matches!(self.phase, Phase::Serving | Phase::Draining(_)) {
            if self.batch.is_full() {
                return handled;
            }
            let Some(line) = self.lines.next_line() else {
                if !matches!(self.input, Input::Open) {
                    self.end_of_input();
                }
                return handled;
            };
            handled += 1;
            match line {
                Line::Message(message) => {
                    if let Some(exchange) = self.connection.receive(message) {
                        self.begin(exchange);
                    }
                }
                Line::TooLong => {
                    tracing::warn!("an incoming line was skipped: it is longer than `line_bytes`");
                    let fault = JsonFault { position: 0, kind: JsonFaultKind::TooLarge };
                    let exchange = self.connection.refuse_unreadable(&Refusal::Parse(fault));
                    self.begin(exchange);
                }
            }
        }
        handled
    }

    /// Takes what an exchange has at once; what is left of it becomes a task.
    fn begin(&mut self, mut exchange: Exchange) {
        // The task polls the exchange again before anything else, so this waker is never needed.
        let mut context = Context::from_waker(Waker::noop());
        for _ in 0..IN_PLACE {
            match exchange.poll_message(&mut context) {
                Poll::Ready(Some(Outgoing::Notification(message) | Outgoing::Request(message))) => {
                    self.batch.push(message);
                }
                // The one stream there is carries every call.
                Poll::Ready(Some(Outgoing::Stream(_))) => {}
                Poll::Ready(Some(Outgoing::Reply(reply))) => return self.batch.push(reply.body),
                Poll::Ready(None) => return,
                Poll::Pending => break,
            }
        }
        let (Some(sender), Some(running)) = (self.sender.clone(), self.running.clone()) else { return };
        let listens = exchange.is_listen();
        let task = tokio::spawn(carry(running, sender, exchange));
        if listens {
            self.listens.retain(|listen| !listen.is_finished());
            self.listens.push(task.abort_handle());
        }
    }

    /// Writes what waits; `true` when everything went out or the phase changed.
    fn poll_write(&mut self, context: &mut Context<'_>) -> bool {
        if self.batch.is_done() || matches!(self.phase, Phase::Abandoned(_)) {
            return false;
        }
        match self.batch.poll_write(self.writer.as_mut(), context) {
            Poll::Pending => false,
            Poll::Ready(Ok(())) => true,
            Poll::Ready(Err(error)) => {
                tracing::debug!(%error, "nobody reads the output any more");
                self.cancel_all();
                self.batch = Batch::default();
                self.phase = Phase::Abandoned(Box::pin(sleep(LEAVE)));
                true
            }
        }
    }

    /// Reads; `true` when something came or the input ended. `lines_left` may still be handled in this turn.
    fn poll_read(&mut self, context: &mut Context<'_>, lines_left: usize) -> bool {
        let stuck = self.batch.is_full() || lines_left == 0;
        let wanted = matches!(self.input, Input::Open)
            && matches!(self.phase, Phase::Serving | Phase::Draining(_))
            && !(stuck && self.lines.held() >= AHEAD);
        if !wanted {
            return false;
        }
        let read = pin!(self.reader.read_buf(self.lines.space()));
        let Poll::Ready(outcome) = read.poll(context) else { return false };
        match outcome {
            Ok(0) => {
                self.lines.finish();
                self.input = Input::Ended;
            }
            Ok(_) => self.lines.filled(),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => {
                self.lines.finish();
                tracing::debug!(%error, "the input ends with an error");
                self.input = match error.kind() {
                    io::ErrorKind::ConnectionReset
                    | io::ErrorKind::ConnectionAborted
                    | io::ErrorKind::BrokenPipe
                    | io::ErrorKind::UnexpectedEof => Input::Ended,
                    _ => Input::Failed(error),
                };
            }
        }
        true
    }

    /// Every line was handled and no other comes.
    fn end_of_input(&mut self) {
        if !matches!(self.phase, Phase::Serving) {
            return;
        }
        self.connection.end_of_input();
        match self.at_end {
            AtEnd::ShutDown => self.server.shut_down(),
            AtEnd::GoOn => self.drop_listens(),
        }
        self.drain("the input ended");
    }

    fn drain(&mut self, reason: &'static str) {
        if !matches!(self.phase, Phase::Serving) {
            return;
        }
        let in_flight = self.connection.in_flight();
        tracing::info!(in_flight, grace = ?self.grace, "{reason}: requests in flight may finish");
        (self.sender, self.running) = (None, None);
        self.phase = Phase::Draining(Box::pin(sleep(self.grace)));
    }

    /// Goes on to the next phase when the time for this one is over; ready after the last.
    fn poll_deadline(&mut self, context: &mut Context<'_>) -> Poll<()> {
        match &mut self.phase {
            Phase::Serving => Poll::Pending,
            Phase::Leaving(deadline) | Phase::Abandoned(deadline) => deadline.as_mut().poll(context),
            Phase::Draining(deadline) => {
                ready!(deadline.as_mut().poll(context));
                let in_flight = self.connection.in_flight();
                tracing::warn!(in_flight, "the grace is over: what is left is cancelled");
                self.cancel_all();
                let mut leave = Box::pin(sleep(LEAVE));
                // Polled once here, because the loop asks for the deadline before everything else.
                let over = leave.as_mut().poll(context);
                self.phase = Phase::Leaving(leave);
                over
            }
        }
    }

    /// Closing the queue tells every task to drop its exchange.
    fn cancel_all(&mut self) {
        (self.sender, self.running) = (None, None);
        self.receiver.close();
        self.drop_listens();
    }

    fn drop_listens(&mut self) {
        for listen in self.listens.drain(..) {
            listen.abort();
        }
    }
}
