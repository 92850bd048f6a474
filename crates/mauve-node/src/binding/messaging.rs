//! Message ports, and channels that broadcast. A message is bytes of `serialize`, buffers and ports; it may cross
//! threads, because each end of a channel has a queue and a wake-up of its loop.

use std::cell::{Cell, RefCell};
use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};

use mauve::Async;
use mauve_core::wakeups::AsyncSender;
use mauve_quickjs::SharedMemory;
use rquickjs::convert::List;
use rquickjs::{Ctx, Function, IntoJs, Object, Persistent, Result, TypedArray, Value};

use super::define;
use crate::host::current;
use crate::host::views::{self, Bytes};

/// The most messages that are delivered per wake-up, unless more are queued at its start.
const BATCH: usize = 1000;

/// A message that may cross threads.
#[derive(Default)]
pub(super) struct Message {
    bytes: Vec<u8>,
    buffers: Vec<Vec<u8>>,
    shared: Vec<SharedMemory>,
    ports: Vec<PortEnd>,
}

/// The messages for one end of a channel.
#[derive(Default)]
struct Inbox(Mutex<InboxState>);

#[derive(Default)]
struct InboxState {
    queue: VecDeque<Message>,
    /// Wakes the loop of the thread that has this end.
    sender: Option<AsyncSender>,
    /// Whether the other end is closed.
    is_ended: bool,
    /// Whether this end is closed.
    is_closed: bool,
}

impl Inbox {
    fn lock(&self) -> MutexGuard<'_, InboxState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn push(&self, message: Message) {
        let mut state = self.lock();
        if state.is_closed {
            drop(state);
            // Its ports are closed without the lock, because they may belong to this channel.
            return drop(message);
        }
        state.queue.push_back(message);
        if let Some(sender) = &state.sender {
            let _ = sender.send();
        }
    }
}

/// One end of a channel. Dropping it closes the channel.
pub(super) struct PortEnd {
    own: Arc<Inbox>,
    /// `None` for a channel that broadcasts.
    peer: Option<Arc<Inbox>>,
    /// The name of a channel that broadcasts.
    name: Option<String>,
}

/// The two ends of a new channel.
pub(super) fn channel() -> (PortEnd, PortEnd) {
    let (a, b) = (Arc::<Inbox>::default(), Arc::<Inbox>::default());
    let end = |own: &Arc<Inbox>, peer: &Arc<Inbox>| PortEnd {
        own: own.clone(),
        peer: Some(peer.clone()),
        name: None,
    };
    (end(&a, &b), end(&b, &a))
}

impl Drop for PortEnd {
    fn drop(&mut self) {
        let queue = {
            let mut own = self.own.lock();
            own.is_closed = true;
            own.sender = None;
            std::mem::take(&mut own.queue)
        };
        drop(queue);
        if let Some(peer) = &self.peer {
            let mut peer = peer.lock();
            peer.is_ended = true;
            if let Some(sender) = &peer.sender {
                let _ = sender.send();
            }
        }
        if let Some(name) = &self.name {
            let mut channels = channels();
            if let Some(members) = channels.get_mut(name) {
                members.retain(|member| !Arc::ptr_eq(member, &self.own));
                if members.is_empty() {
                    channels.remove(name);
                }
            }
        }
    }
}

type Channels = HashMap<String, Vec<Arc<Inbox>>>;

/// The channels that broadcast, by their names.
fn channels() -> MutexGuard<'static, Channels> {
    static CHANNELS: LazyLock<Mutex<Channels>> = LazyLock::new(Mutex::default);
    CHANNELS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A port of this thread.
struct Port {
    end: PortEnd,
    /// Created for the function that gets the messages.
    wakeup: Option<Async>,
    is_started: bool,
}

thread_local! {
    static PORTS: RefCell<HashMap<u32, Port>> = RefCell::default();
    static LAST: Cell<u32> = const { Cell::new(0) };
}

pub(super) fn fill<'js>(object: &Object<'js>) -> Result<()> {
    define(object, "createChannel", || {
        let (a, b) = channel();
        vec![add(a), add(b)]
    })?;
    define(object, "openBroadcast", |name: String| {
        let own = Arc::<Inbox>::default();
        channels().entry(name.clone()).or_default().push(own.clone());
        add(PortEnd { own, peer: None, name: Some(name) })
    })?;
    define(object, "listen", listen)?;
    define(object, "start", start)?;
    define(object, "stop", |id: u32| {
        PORTS.with_borrow_mut(|ports| {
            if let Some(port) = ports.get_mut(&id) {
                port.is_started = false;
            }
        })
    })?;
    define(object, "setRef", |id: u32, on: bool| {
        with_wakeup(id, |wakeup| if on { wakeup.ref_() } else { wakeup.unref() });
    })?;
    define(object, "hasRef", |id: u32| with_wakeup(id, |wakeup| wakeup.has_ref()) == Some(true))?;
    define(object, "close", close)?;
    define(object, "post", |id: u32, bytes: Bytes, buffers: Vec<Value<'js>>, ports: Vec<u32>| {
        post(id, message(bytes, buffers, ports)?);
        Ok::<_, rquickjs::Error>(())
    })?;
    define(object, "receive", |id: u32| receive(id))
}

fn with_wakeup<R>(id: u32, work: impl FnOnce(&Async) -> R) -> Option<R> {
    PORTS.with_borrow(|ports| Some(work(ports.get(&id)?.wakeup.as_ref()?)))
}

/// Adds an end to the ports of this thread.
pub(super) fn add(end: PortEnd) -> u32 {
    let id = LAST.get() + 1;
    LAST.set(id);
    PORTS.with_borrow_mut(|ports| ports.insert(id, Port { end, wakeup: None, is_started: false }));
    id
}

/// Removes an end from the ports of this thread, because it moves to another.
pub(super) fn remove(id: u32) -> Option<PortEnd> {
    let port = PORTS.with_borrow_mut(|ports| ports.remove(&id))?;
    port.end.own.lock().sender = None;
    if let Some(wakeup) = port.wakeup {
        wakeup.close();
    }
    Some(port.end)
}

/// Makes a message of what JavaScript has serialized. The ports leave this thread.
pub(super) fn message(bytes: Bytes, buffers: Vec<Value<'_>>, ports: Vec<u32>) -> Result<Message> {
    let copy = |buffer: Value<'_>| {
        let mut bytes = Vec::new();
        views::append(&TypedArray::from_value(buffer)?, &mut bytes);
        Ok(bytes)
    };
    Ok(Message {
        bytes: bytes.0,
        buffers: buffers.into_iter().map(copy).collect::<Result<_>>()?,
        shared: super::serialize::take_shared(),
        ports: ports.into_iter().filter_map(remove).collect(),
    })
}

impl<'js> IntoJs<'js> for Message {
    fn into_js(self, ctx: &Ctx<'js>) -> Result<Value<'js>> {
        let buffers: Vec<_> = self
            .buffers
            .into_iter()
            .map(|bytes| super::serialize::buffer(ctx, bytes))
            .collect::<Result<_>>()?;
        super::serialize::set_shared(self.shared);
        let ports: Vec<u32> = self.ports.into_iter().map(add).collect();
        List((views::array(ctx, self.bytes)?, buffers, ports)).into_js(ctx)
    }
}

fn post(id: u32, message: Message) {
    let targets: Vec<Arc<Inbox>> = PORTS.with_borrow(|ports| match ports.get(&id) {
        Some(Port { end: PortEnd { peer: Some(peer), .. }, .. }) => vec![peer.clone()],
        Some(Port { end: PortEnd { own, name: Some(name), .. }, .. }) => {
            let channels = channels();
            let members = channels.get(name).into_iter().flatten();
            members.filter(|member| !Arc::ptr_eq(member, own)).cloned().collect()
        }
        _ => Vec::new(),
    });
    let [target] = &targets[..] else {
        for target in targets {
            let (bytes, shared) = (message.bytes.clone(), message.shared.clone());
            target.push(Message { bytes, shared, ..Message::default() });
        }
        return;
    };
    target.push(message);
}

/// Sets the function that gets each message, and is called without one when the port has closed. The port does not keep
/// the loop running.
fn listen(id: u32, callback: Persistent<Function<'static>>) {
    let wakeup = Async::new(&current().lp, move |(), _| deliver(id, &callback));
    wakeup.unref();
    let sender = wakeup.sender();
    PORTS.with_borrow_mut(|ports| {
        if let Some(port) = ports.get_mut(&id) {
            port.end.own.lock().sender = Some(sender.clone());
            // A port that was transferred within the thread has another object, and another function.
            if let Some(before) = port.wakeup.replace(wakeup) {
                before.close();
            }
        }
    });
    let _ = sender.send();
}

fn start(id: u32) {
    PORTS.with_borrow_mut(|ports| {
        if let Some(port) = ports.get_mut(&id) {
            port.is_started = true;
            if let Some(wakeup) = &port.wakeup {
                let _ = wakeup.sender().send();
            }
        }
    });
}

/// Delivers the messages of a port. Closes it if the other end is closed.
fn deliver(id: u32, callback: &Persistent<Function<'static>>) {
    let inbox = |is_started: bool| {
        PORTS.with_borrow(|ports| {
            let port = ports.get(&id).filter(|port| port.is_started || !is_started)?;
            Some(port.end.own.clone())
        })
    };
    // If the other end is closed now, all its messages are queued. If it closes during a callback, there is another
    // wake-up.
    let is_ended = inbox(false).is_some_and(|own| own.lock().is_ended);
    let limit = inbox(true).map_or(0, |own| own.lock().queue.len().max(BATCH));
    for _ in 0..limit {
        let next = inbox(true).and_then(|own| own.lock().queue.pop_front());
        let Some(message) = next else { break };
        current().call_back(callback, |ctx, args| args.push_arg(message.into_js(ctx)?));
    }
    let Some(own) = inbox(false) else { return };
    let is_empty = own.lock().queue.is_empty();
    if is_ended && is_empty {
        close(id, Some(callback.clone()));
    } else if !is_empty && limit > 0 {
        start(id);
    }
}

/// Closes a port, and calls back in the close phase.
fn close(id: u32, callback: Option<Persistent<Function<'static>>>) {
    let Some(port) = PORTS.with_borrow_mut(|ports| ports.remove(&id)) else { return };
    drop(port.end);
    let done = move |(): &mut ()| {
        if let Some(callback) = callback {
            current().call_back(&callback, |_, _| Ok(()));
        }
    };
    if let Some(wakeup) = port.wakeup {
        // It fails only if the loop is closed, and then nothing is called back.
        let _ = wakeup.close_with(done);
    }
}

/// The next message of a port, whether it was started or not.
fn receive(id: u32) -> Option<Message> {
    let own = PORTS.with_borrow(|ports| ports.get(&id).map(|port| port.end.own.clone()))?;
    own.lock().queue.pop_front()
}

/// Closes all ports of this thread.
pub(super) fn close_all() {
    drop(PORTS.take());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dropping_an_end_ends_the_channel() {
        let (a, b) = channel();
        let peer = a.peer.clone().expect("it has one");
        peer.push(Message { bytes: vec![1], ..Message::default() });
        drop(a);
        let state = b.own.lock();
        assert!(state.is_ended && !state.is_closed && state.queue.len() == 1);
    }

    #[test]
    fn an_end_in_a_message_for_a_closed_end_is_closed() {
        let (a, b) = channel();
        let (inner, other) = channel();
        drop(b);
        let peer = a.peer.clone().expect("it has one");
        peer.push(Message { ports: vec![inner], ..Message::default() });
        assert!(other.own.lock().is_ended);
    }
}
