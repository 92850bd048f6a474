//! Idle, prepare and check handles: called once per iteration, each kind in its phase.

use mauve_sys::{Errno, Result};

use crate::Engine;
use crate::id::{HandleId, HandleKind, Token};
use crate::slab::{ActiveCounts, Life, Slab};

const NONE: u32 = u32::MAX;

/// The links of one hook in the list of its phase.
pub(crate) struct Hook {
    newer: u32,
    older: u32,
}

impl Default for Hook {
    fn default() -> Self {
        Self { newer: NONE, older: NONE }
    }
}

/// The started hooks of the three phases that run hooks.
#[derive(Default)]
pub(crate) struct Hooks {
    pub idle: Started,
    pub prepare: Started,
    pub check: Started,
}

impl Hooks {
    pub fn suspend(&mut self) {
        self.each(Started::suspend);
    }

    pub fn resume(&mut self) {
        self.each(Started::resume);
    }

    pub fn abandon(&mut self) {
        self.each(Started::abandon);
    }

    /// Makes the suspended run at a position the next one to be resumed.
    pub fn resume_next(&mut self, at: usize) {
        self.each(|hooks| hooks.suspended[at..].rotate_left(1));
    }

    fn each(&mut self, change: impl Fn(&mut Started)) {
        for hooks in [&mut self.idle, &mut self.prepare, &mut self.check] {
            change(hooks);
        }
    }
}

/// The started hooks of one phase, the latest first, and the position of the phase in them.
pub(crate) struct Started {
    newest: u32,
    batch: HookRange,
    /// The batches of suspended runs, the outermost first.
    suspended: Vec<HookRange>,
}

/// The position of a phase in its list of hooks.
#[derive(Clone, Copy)]
struct HookRange {
    /// The next hook to report in this iteration. A hook that a callback starts is newer, and so it is
    /// first called in the next iteration.
    cursor: u32,
    /// Where the batch ends: the hooks from here on belong to the batch of a suspended run.
    end: u32,
}

impl HookRange {
    const DONE: Self = Self { cursor: NONE, end: NONE };

    /// Moves past a hook that leaves the list.
    fn skip(&mut self, index: u32, older: u32) {
        if self.cursor == index {
            self.cursor = older;
        }
        if self.end == index {
            self.end = older;
        }
    }
}

impl Default for Started {
    fn default() -> Self {
        Self { newest: NONE, batch: HookRange::DONE, suspended: Vec::new() }
    }
}

impl Started {
    /// Whether any hook is started. As in libuv, hooks that the current phase has still to report do
    /// not count, neither in its callbacks nor in a nested run.
    pub fn is_started(&self) -> bool {
        self.newest != self.batch.cursor
    }

    /// Whether the current phase has hooks left to report.
    pub fn is_pending(&self) -> bool {
        self.batch.cursor != self.batch.end
    }

    /// Begins a batch of all hooks that are started now.
    #[inline]
    pub fn begin(&mut self) {
        self.batch.cursor = self.newest;
    }

    /// The next hook of the batch.
    #[inline]
    pub fn next(&mut self, hooks: &Slab<Hook>) -> Option<Token> {
        if !self.is_pending() {
            return None;
        }
        let entry = &hooks[self.batch.cursor];
        self.batch.cursor = entry.body.older;
        Some(entry.head.token)
    }

    /// Begins the batch of a run inside a callback of this one. The hooks that this batch has not
    /// reported yet stay with it.
    fn suspend(&mut self) {
        let HookRange { cursor, .. } = self.batch;
        self.suspended.push(self.batch);
        self.batch = HookRange { cursor, end: cursor };
    }

    fn resume(&mut self) {
        self.batch = self.suspended.pop().unwrap_or(HookRange::DONE);
    }

    /// Ends the batch of a run that is not continued.
    fn abandon(&mut self) {
        self.batch = HookRange::DONE;
    }

    fn link(&mut self, hooks: &mut Slab<Hook>, index: u32) {
        hooks[index].body = Hook { newer: NONE, older: self.newest };
        if self.newest != NONE {
            hooks[self.newest].body.newer = index;
        }
        self.newest = index;
    }

    fn unlink(&mut self, hooks: &mut Slab<Hook>, index: u32) {
        let Hook { newer, older } = hooks[index].body;
        self.batch.skip(index, older);
        for batch in &mut self.suspended {
            batch.skip(index, older);
        }
        match newer {
            NONE => self.newest = older,
            newer => hooks[newer].body.older = older,
        }
        if older != NONE {
            hooks[older].body.newer = newer;
        }
    }
}

/// One idle, prepare or check handle, borrowed for one operation.
pub struct HookMut<'a> {
    hooks: &'a mut Slab<Hook>,
    started: &'a mut Started,
    active: &'a mut ActiveCounts,
    index: u32,
}

impl<'a> HookMut<'a> {
    /// Borrows a handle, unless its id is stale or of another kind.
    pub(super) fn find<D>(engine: &'a mut Engine<D>, id: HandleId) -> Option<Self> {
        let (hooks, started) = match id.kind() {
            HandleKind::Idle => (&mut engine.table.idles, &mut engine.hooks.idle),
            HandleKind::Prepare => (&mut engine.table.prepares, &mut engine.hooks.prepare),
            HandleKind::Check => (&mut engine.table.checks, &mut engine.hooks.check),
            _ => return None,
        };
        let index = hooks.find(id)?;
        Some(Self { hooks, started, active: &mut engine.active, index })
    }
}

impl HookMut<'_> {
    /// Starts the hook: it completes once per iteration. Returns false if it was started before.
    /// `EINVAL` if it is closing.
    pub fn start(&mut self) -> Result<bool> {
        match self.hooks[self.index].head.life() {
            Life::Active => Ok(false),
            Life::Inactive => {
                self.started.link(self.hooks, self.index);
                self.hooks[self.index].head.activate(self.active);
                Ok(true)
            }
            Life::Closing => Err(Errno::EINVAL),
        }
    }

    /// Stops the hook; nothing happens if it is not started.
    pub fn stop(&mut self) {
        if self.hooks[self.index].head.life() == Life::Active {
            self.started.unlink(self.hooks, self.index);
            self.hooks[self.index].head.deactivate(self.active);
        }
    }
}
