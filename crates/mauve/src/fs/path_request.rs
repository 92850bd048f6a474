//! Operations on one path, on the thread pool.
//!
//! The path, the operation and its result share one allocation, which the next request with the
//! same result type reuses.

use std::any::Any;
use std::ffi::CStr;
use std::future::poll_fn;
use std::io;
use std::path::Path;
use std::rc::Rc;

use mauve_core::pool::{Lane, Task, Work};

use crate::core::{Core, current};
use crate::targets::{BoxCache, Outcome};
use crate::task::Request;
use crate::{Errno, Result};

/// An operation on a path.
pub(super) type Operation<T> = fn(&CStr) -> Result<T>;

/// Runs an operation on a thread of the pool.
pub(super) async fn run<T: Send + 'static>(path: &Path, operation: Operation<T>) -> io::Result<T> {
    run_on(current(), path, operation).await
}

/// [`run`], on a given loop.
#[inline]
pub(super) async fn run_on<T: Send + 'static>(
    core: Rc<Core>,
    path: &Path,
    operation: Operation<T>,
) -> io::Result<T> {
    let path = path.as_os_str().as_encoded_bytes();
    let task = |cache: &mut BoxCache| PathRequest::task(path, operation, cache);
    let mut request = Request::submit(core, Lane::Normal, task)?;
    match poll_fn(|context| request.poll_outcome(context)).await {
        Outcome::Work(mut work) => {
            let result = PathRequest::<T>::take_result(&mut *work);
            request.recycle(work);
            Ok(result?)
        }
        Outcome::LoopClosed => Err(Errno::ECANCELED.into()),
        _ => unreachable!("the pool returns what was submitted"),
    }
}

/// The allocation of a longer path is not reused.
const MAX_CACHED_PATH: usize = 512;

struct PathRequest<T> {
    /// NUL-terminated.
    path: Vec<u8>,
    operation: Operation<T>,
    result: Option<Result<T>>,
}

impl<T: Send + 'static> Work for PathRequest<T> {
    fn run(&mut self) {
        self.result = Some(match CStr::from_bytes_with_nul(&self.path) {
            Ok(path) => (self.operation)(path),
            // The path contains a NUL byte.
            Err(_) => Err(Errno::EINVAL),
        });
    }
}

impl<T: Send + 'static> PathRequest<T> {
    fn task(path: &[u8], operation: Operation<T>, cache: &mut BoxCache) -> Task {
        let mut request = match cache.take::<Self>() {
            Some(request) => request,
            None => Box::new(Self { path: Vec::new(), operation, result: None }),
        };
        request.operation = operation;
        request.path.clear();
        request.path.reserve(path.len() + 1);
        request.path.extend_from_slice(path);
        request.path.push(0);
        Task::Carry(request)
    }

    /// Takes the result out of work that returned from the pool.
    fn take_result(work: &mut dyn Work) -> Result<T> {
        let work: &mut dyn Any = work;
        let request = work.downcast_mut::<Self>().expect("the pool returns what was submitted");
        if request.path.capacity() > MAX_CACHED_PATH {
            request.path = Vec::new();
        }
        // No result means that no thread has started it: it was cancelled.
        request.result.take().unwrap_or(Err(Errno::ECANCELED))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(task: &Task) -> usize {
        let Task::Carry(work) = task else { panic!("not a task that the pool returns") };
        std::ptr::from_ref(&**work).addr()
    }

    fn run(task: Task) -> Box<dyn Work> {
        let Task::Carry(mut work) = task else { panic!("not a task that the pool returns") };
        work.run();
        work
    }

    #[test]
    fn a_request_reuses_the_allocation_of_the_last_one_and_none_of_its_data() {
        let length: Operation<usize> = |path| Ok(path.count_bytes());
        let fails: Operation<usize> = |_| Err(Errno::ENOENT);
        let mut cache = BoxCache::default();
        let task = PathRequest::task(b"/a/long/path", length, &mut cache);
        let first = address(&task);
        let mut work = run(task);
        assert_eq!(PathRequest::<usize>::take_result(&mut *work), Ok(12));
        assert_eq!(PathRequest::<usize>::take_result(&mut *work), Err(Errno::ECANCELED));
        for (operation, path, result) in [
            (length, &b"/b"[..], Ok(2)),
            (fails, b"/b", Err(Errno::ENOENT)),
            (length, b"/b\0c", Err(Errno::EINVAL)),
            (length, b"", Ok(0)),
        ] {
            cache.store(work);
            let task = PathRequest::task(path, operation, &mut cache);
            assert_eq!(address(&task), first);
            work = run(task);
            assert_eq!(PathRequest::<usize>::take_result(&mut *work), result);
        }
    }

    #[test]
    fn the_allocation_of_a_long_path_is_not_reused() {
        let path = [b'a'; MAX_CACHED_PATH + 1];
        let mut work = run(PathRequest::<()>::task(&path, |_| Ok(()), &mut BoxCache::default()));
        assert_eq!(PathRequest::<()>::take_result(&mut *work), Ok(()));
        let work: &dyn Any = &*work;
        assert_eq!(work.downcast_ref::<PathRequest<()>>().unwrap().path.capacity(), 0);
    }
}
