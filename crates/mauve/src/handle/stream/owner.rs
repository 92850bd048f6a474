//! The owner of an accepted connection.

use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;

use mauve_core::{HandleId, HandleKind};
use mauve_sys::net;

use crate::core::Core;
use crate::targets;

/// After this time without progress, the remaining bytes of a dropped connection are discarded.
const LINGER_TIMEOUT: Duration = Duration::from_secs(60);

/// Closes an accepted connection when it is dropped. All handle values of the connection share it,
/// and the callback that reads from it.
///
/// Without it, a connection that the program drops would stay open until the end of the loop: no
/// value is left to close it with.
pub(super) struct ConnectionOwner {
    core: Rc<Core>,
    id: HandleId,
    released: Cell<bool>,
}

impl ConnectionOwner {
    pub fn new(core: Rc<Core>, id: HandleId) -> Self {
        Self { core, id, released: Cell::new(false) }
    }

    /// Leaves the connection open until it is closed explicitly.
    pub fn release(&self) {
        self.released.set(true);
    }
}

impl Drop for ConnectionOwner {
    fn drop(&mut self) {
        if !self.released.get() && !self.linger() {
            self.core.try_engine(|engine| engine.close_handle(self.id));
        }
    }
}

impl ConnectionOwner {
    /// Keeps a connection with unsent bytes open until these are sent. Returns false if it can be
    /// closed now.
    fn linger(&self) -> bool {
        let key = self.core.targets.insert_future();
        let lingers = self.core.try_engine(|engine| {
            let mut stream = engine.stream(self.id)?;
            if stream.unsent() == 0 {
                return None;
            }
            if self.id.kind() == HandleKind::Tcp {
                // Without a timeout, a peer that never reads would keep it open for ever.
                net::set_user_timeout(stream.fd().ok()?, LINGER_TIMEOUT).ok()?;
            }
            stream.shut_down(targets::token(key)).ok()
        });
        let lingers = lingers.flatten().is_some();
        if lingers {
            self.core.targets.detach_future(key);
            self.core.add_orphan(key, self.id);
        } else {
            self.core.targets.remove(key);
        }
        lingers
    }
}
