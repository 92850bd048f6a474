//! Which tasks wait for which socket.

use std::cell::RefCell;
use std::task::{Context, Waker};

use mauve_core::{Completion, HandleId};
use mauve_sys::{Errno, Result};

/// The sockets that belong to tasks. A key is good for a token.
#[derive(Default)]
pub(crate) struct Sockets(RefCell<Slots>);

#[derive(Default)]
struct Slots {
    slots: Vec<Slot>,
    free: Vec<usize>,
}

/// What is known of one socket.
#[derive(Default)]
struct Slot {
    id: Option<HandleId>,
    reader: Option<Waker>,
    writer: Option<Waker>,
    /// The last read has emptied the socket: another one is not worth trying before the system
    /// says so.
    drained: bool,
    /// How connecting has ended.
    connected: Option<Result<()>>,
    /// How taking connections has failed.
    failed: Option<Errno>,
}

impl Sockets {
    pub fn reserve(&self) -> usize {
        let mut slots = self.0.borrow_mut();
        slots.free.pop().unwrap_or_else(|| {
            slots.slots.push(Slot::default());
            slots.slots.len() - 1
        })
    }

    pub fn release(&self, key: usize) {
        let mut slots = self.0.borrow_mut();
        let slot = std::mem::take(&mut slots.slots[key]);
        slots.free.push(key);
        drop(slots);
        drop(slot);
    }

    pub fn set_id(&self, key: usize, id: HandleId) {
        self.0.borrow_mut().slots[key].id = Some(id);
    }

    pub fn id(&self, key: usize) -> Option<HandleId> {
        self.0.borrow().slots[key].id
    }

    pub fn is_drained(&self, key: usize) -> bool {
        self.0.borrow().slots[key].drained
    }

    pub fn set_drained(&self, key: usize, drained: bool) {
        self.0.borrow_mut().slots[key].drained = drained;
    }

    pub fn await_reading(&self, key: usize, context: &Context<'_>) {
        set(&mut self.0.borrow_mut().slots[key].reader, context);
    }

    pub fn await_writing(&self, key: usize, context: &Context<'_>) {
        set(&mut self.0.borrow_mut().slots[key].writer, context);
    }

    pub fn take_connected(&self, key: usize) -> Option<Result<()>> {
        self.0.borrow_mut().slots[key].connected.take()
    }

    pub fn take_failure(&self, key: usize) -> Option<Errno> {
        self.0.borrow_mut().slots[key].failed.take()
    }

    /// Delivers a completion: the task that waits for it is woken.
    pub fn complete(&self, key: usize, completion: &Completion) {
        let mut slots = self.0.borrow_mut();
        let slot = &mut slots.slots[key];
        let waker = match *completion {
            Completion::Readable(_) | Completion::ReadEnd(_) | Completion::Receivable(_) => {
                slot.drained = false;
                slot.reader.take()
            }
            Completion::Connection { result, .. } => {
                slot.failed = result.err();
                slot.reader.take()
            }
            Completion::Connect { result, .. } => {
                slot.connected = Some(result);
                slot.writer.take()
            }
            Completion::Writable(_) => slot.writer.take(),
            _ => None,
        };
        drop(slots);
        if let Some(waker) = waker {
            waker.wake();
        }
    }
}

fn set(waker: &mut Option<Waker>, context: &Context<'_>) {
    match waker {
        Some(waker) => waker.clone_from(context.waker()),
        None => *waker = Some(context.waker().clone()),
    }
}
