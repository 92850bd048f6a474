//! Datagrams that leave together.
//!
//! A task that answers a burst of datagrams sends many without waiting in between. The first few
//! leave at once: whether datagrams may go there at all is known then, and a peer who waits for
//! each answer gets it. Those of the same size to the same peer that follow are held back until the
//! task waits, and cross the kernel as one. What the system says against one of them, which is rare
//! by then, is told by the next send.
//!
//! Whoever looks at the socket in any other way has them leave before.

use std::cell::RefCell;
use std::net::SocketAddr;
use std::rc::Rc;

use mauve_core::handle::udp::UdpMut;
use mauve_core::{HandleId, Token};
use mauve_sys::driver::Platform;
use mauve_sys::net::Address;
use mauve_sys::payload::Payload;
use mauve_sys::{Errno, Result};

use crate::core::Core;

/// Larger datagrams are not held back: some link on their way might have them divided.
const LARGEST: usize = 1200;

/// So many are sent at once before any is held back: more than a peer who asks, is answered and asks
/// again usually has before the task waits, and few enough not to matter in a burst.
const AT_ONCE: u8 = 4;

/// So many bytes leave with one call.
const MOST: usize = 48 << 10;

/// Where a datagram goes; `None` on a socket that is connected.
pub(super) type Destination = Option<SocketAddr>;

/// What one socket holds back.
pub(crate) struct Outgoing {
    id: HandleId,
    token: Token,
    held: RefCell<Held>,
}

#[derive(Default)]
struct Held {
    bytes: Vec<u8>,
    /// How large each of them is.
    segment: u16,
    to: Destination,
    /// What was sent at once last.
    sent: Option<Sent>,
    /// Why the last ones could not be sent.
    error: Option<Errno>,
}

/// Datagrams that were sent at once.
struct Sent {
    /// In which turn of the loop.
    turn: u32,
    to: Destination,
    count: u8,
}

impl Outgoing {
    pub fn new(id: HandleId, token: Token) -> Rc<Self> {
        Rc::new(Self { id, token, held: RefCell::default() })
    }

    /// Why a datagram that was held back could not be sent; told once.
    pub fn take_error(&self) -> Option<Errno> {
        self.held.borrow_mut().error.take()
    }

    /// Notes that a datagram was sent at once: others may follow it.
    pub fn note_sent(&self, turn: u32, to: Destination) {
        let mut held = self.held.borrow_mut();
        match &mut held.sent {
            Some(sent) if sent.turn == turn && sent.to == to => {
                sent.count = sent.count.saturating_add(1);
            }
            sent => *sent = Some(Sent { turn, to, count: 1 }),
        }
    }

    /// Holds a datagram back, if it may be. Returns whether it is.
    pub fn hold(self: &Rc<Self>, core: &Core, bytes: &[u8], to: Destination) -> bool {
        let held = &mut *self.held.borrow_mut();
        if held.bytes.is_empty() {
            let follows = held.sent.as_ref().is_some_and(|sent| {
                sent.count >= AT_ONCE && sent.turn == core.turn() && sent.to == to
            });
            if !follows || !core.executor.is_running() || bytes.is_empty() || bytes.len() > LARGEST
            {
                return false;
            }
            held.segment = bytes.len() as u16;
            held.to = to;
            core.hold_back(self.clone());
        } else {
            let alike = held.to == to && usize::from(held.segment) == bytes.len();
            if !alike || held.bytes.len() + bytes.len() > MOST {
                return false;
            }
        }
        held.bytes.extend_from_slice(bytes);
        true
    }

    /// Sends what is held back, and relies no more on what was sent before.
    pub fn end(&self, core: &Core) {
        self.flush(core);
        self.held.borrow_mut().sent = None;
    }

    /// Sends what is held back.
    pub fn flush(&self, core: &Core) {
        let mut held = self.held.borrow_mut();
        if held.bytes.is_empty() {
            return;
        }
        let to = held.to.map(Address::from);
        let sent = core.engine(|engine| match engine.udp(self.id) {
            Some(udp) => send(udp, self.token, &held.bytes, to.as_ref(), held.segment),
            // Closed, and what it held back was sent before.
            None => Ok(()),
        });
        held.error = sent.err();
        held.bytes.clear();
    }
}

/// Sends datagrams. What there is no room for, the engine keeps until there is.
fn send(
    mut udp: UdpMut<'_, Platform>,
    token: Token,
    mut bytes: &[u8],
    to: Option<&Address>,
    segment: u16,
) -> Result<()> {
    let mut result = Ok(());
    while !bytes.is_empty() {
        let gone = match udp.try_send_segmented(bytes, to, segment) {
            Ok(count) if count > 0 => count,
            Ok(_) | Err(Errno::EAGAIN) => {
                for datagram in bytes.chunks(usize::from(segment)) {
                    udp.send(token, Payload::owned(datagram), to)?;
                }
                return result;
            }
            // It is the first one that is refused; the others have their chance.
            Err(error) => {
                result = Err(error);
                usize::from(segment).min(bytes.len())
            }
        };
        bytes = &bytes[gone..];
    }
    result
}
