//! Operations that need no thread of the pool, and wait for their turn all the same.
//!
//! Nobody shall keep the loop for himself who asks for what is there already. So the outcome is
//! awaited: it comes in the loop's next poll phase.

use std::rc::Rc;

use mauve_sys::fs::nowait::{self, Attempt};
use mauve_sys::fs::read_write::Position;

use crate::core::{Core, current};
use crate::task::{News, Request};

/// Whether work of the current loop would be begun at once by the pool, so that it may be done here.
pub(super) fn may_work_at_once() -> bool {
    current().engine(|engine| engine.may_work_at_once())
}

/// Waits for the turn of something that is done already.
pub(super) async fn await_turn(core: Rc<Core>) {
    Request::begin(core, |engine, token| engine.finish_work(token)).await;
}

/// The current loop, and the offset to read at, if it can have something read now without waiting,
/// together with what others want to read. It cannot if it is too much, or the file has its own
/// position, or the loop is just about to run, or other work is waiting for the pool.
#[inline]
pub(super) fn may_read_together(position: Position, length: usize) -> Option<(Rc<Core>, u64)> {
    let Position::At(offset) = position else { return None };
    let core = current();
    let may = length <= nowait::MAX_BYTES && core.engine(|engine| engine.may_queue_reads());
    may.then_some((core, offset))
}

/// How a read has come out.
#[inline]
pub(super) fn outcome(news: News) -> Attempt {
    match news {
        News::Read(outcome) => outcome.into(),
        _ => unreachable!("only who does not wait for it takes a read back"),
    }
}
