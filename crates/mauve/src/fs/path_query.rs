//! Operations on one path, on a thread of the pool.
//!
//! The path, the operation and its result share one piece of memory, which the next operation of its
//! kind reuses.

use std::any::Any;
use std::ffi::{CStr, OsStr};
use std::future::poll_fn;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::rc::Rc;

use mauve_core::pool::{Lane, Task, Work};

use crate::core::{Core, current};
use crate::spare::Spare;
use crate::task::{News, Request};
use crate::{Errno, Result};

/// What is done with a path.
pub(super) type Operation<T> = fn(&CStr) -> Result<T>;

/// Does something with a path, on a thread of the pool.
pub(super) async fn run<T: Send + 'static>(path: &Path, operation: Operation<T>) -> Result<T> {
    run_on(current(), path, operation).await
}

/// [`run`], on this loop.
#[inline]
pub(super) async fn run_on<T: Send + 'static>(
    core: Rc<Core>,
    path: &Path,
    operation: Operation<T>,
) -> Result<T> {
    let path = path.as_os_str().as_bytes();
    let task = |spare: &mut Spare| PathQuery::task(path, operation, spare);
    let mut request = Request::submit(core, Lane::Normal, task)?;
    match poll_fn(|context| request.poll_end(context)).await {
        News::Work(mut work) => {
            let result = PathQuery::<T>::take_result(&mut *work);
            request.leave(work);
            result
        }
        _ => unreachable!("it comes back with the result"),
    }
}

/// A path of the standard library.
pub(super) fn as_path(path: &CStr) -> &Path {
    Path::new(OsStr::from_bytes(path.to_bytes()))
}

/// Longer paths are not kept for the next query.
const KEPT: usize = 512;

struct PathQuery<T> {
    /// With a zero at its end.
    path: Vec<u8>,
    operation: Operation<T>,
    result: Option<Result<T>>,
}

impl<T: Send + 'static> Work for PathQuery<T> {
    fn run(&mut self) {
        self.result = Some(match CStr::from_bytes_with_nul(&self.path) {
            Ok(path) => (self.operation)(path),
            // Another zero in the middle.
            Err(_) => Err(Errno::EINVAL),
        });
    }
}

impl<T: Send + 'static> PathQuery<T> {
    fn task(path: &[u8], operation: Operation<T>, spare: &mut Spare) -> Task {
        let mut query = match spare.take::<Self>() {
            Some(query) => query,
            None => Box::new(Self { path: Vec::new(), operation, result: None }),
        };
        query.operation = operation;
        query.path.clear();
        query.path.reserve(path.len() + 1);
        query.path.extend_from_slice(path);
        query.path.push(0);
        Task::Carry(query)
    }

    /// Takes the result. Nothing of it stays there.
    fn take_result(work: &mut dyn Work) -> Result<T> {
        let work: &mut dyn Any = work;
        let query = work.downcast_mut::<Self>().expect("what has come back was submitted");
        if query.path.capacity() > KEPT {
            query.path = Vec::new();
        }
        // Without a result no thread has started it.
        query.result.take().unwrap_or(Err(Errno::ECANCELED))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(task: &Task) -> usize {
        let Task::Carry(work) = task else { panic!("it comes back") };
        std::ptr::from_ref(&**work).addr()
    }

    fn run(task: Task) -> Box<dyn Work> {
        let Task::Carry(mut work) = task else { panic!("it comes back") };
        work.run();
        work
    }

    #[test]
    fn a_query_reuses_the_memory_of_the_last_one_and_nothing_else_of_it() {
        let length: Operation<usize> = |path| Ok(path.count_bytes());
        let fails: Operation<usize> = |_| Err(Errno::ENOENT);
        let mut spare = Spare::default();
        let task = PathQuery::task(b"/a/long/path", length, &mut spare);
        let place = address(&task);
        let mut work = run(task);
        assert_eq!(PathQuery::<usize>::take_result(&mut *work), Ok(12));
        assert_eq!(PathQuery::<usize>::take_result(&mut *work), Err(Errno::ECANCELED));
        for (operation, path, result) in [
            (length, &b"/b"[..], Ok(2)),
            (fails, b"/b", Err(Errno::ENOENT)),
            (length, b"/b\0c", Err(Errno::EINVAL)),
            (length, b"", Ok(0)),
        ] {
            spare.keep(0, work);
            let task = PathQuery::task(path, operation, &mut spare);
            assert_eq!(address(&task), place);
            work = run(task);
            assert_eq!(PathQuery::<usize>::take_result(&mut *work), result);
        }
    }

    #[test]
    fn a_long_path_is_not_kept() {
        let path = [b'a'; KEPT + 1];
        let mut work = run(PathQuery::<()>::task(&path, |_| Ok(()), &mut Spare::default()));
        assert_eq!(PathQuery::<()>::take_result(&mut *work), Ok(()));
        let work: &dyn Any = &*work;
        assert_eq!(work.downcast_ref::<PathQuery<()>>().unwrap().path.capacity(), 0);
    }
}
