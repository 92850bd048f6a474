//! Operations on one path, by the pool.
//!
//! The path, the operation and its outcome stand in one piece of memory, which the next operation of
//! its kind uses again: so many of them need none of their own.

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
pub(super) async fn ask<T: Send + 'static>(path: &Path, operation: Operation<T>) -> Result<T> {
    let mut request = begin(current(), path, operation)?;
    let news = poll_fn(|context| request.poll_end(context)).await;
    answer(&request, news)
}

/// Begins to do something with a path, on a thread of the pool.
#[inline]
pub(super) fn begin<T: Send + 'static>(
    core: Rc<Core>,
    path: &Path,
    operation: Operation<T>,
) -> Result<Request> {
    let path = path.as_os_str().as_bytes();
    Request::submit(core, Lane::Normal, |spare| Question::task(path, operation, spare))
}

/// What has come of it.
#[inline]
pub(super) fn answer<T: Send + 'static>(request: &Request, news: News) -> Result<T> {
    let News::Work(mut work) = news else { unreachable!("it comes back with the answer") };
    let answer = Question::<T>::answer(&mut *work);
    request.leave(work);
    answer
}

/// A path for those who want one of the standard library's.
pub(super) fn as_path(path: &CStr) -> &Path {
    Path::new(OsStr::from_bytes(path.to_bytes()))
}

/// Longer paths are not kept for the next question.
const KEPT: usize = 512;

struct Question<T> {
    /// With a zero at its end.
    path: Vec<u8>,
    operation: Operation<T>,
    answer: Option<Result<T>>,
}

impl<T: Send + 'static> Work for Question<T> {
    fn run(&mut self) {
        self.answer = Some(match CStr::from_bytes_with_nul(&self.path) {
            Ok(path) => (self.operation)(path),
            // Another zero in the middle.
            Err(_) => Err(Errno::EINVAL),
        });
    }
}

impl<T: Send + 'static> Question<T> {
    fn task(path: &[u8], operation: Operation<T>, spare: &mut Spare) -> Task {
        let mut question = match spare.take::<Self>() {
            Some(question) => question,
            None => Box::new(Self { path: Vec::new(), operation, answer: None }),
        };
        question.operation = operation;
        question.path.clear();
        question.path.reserve(path.len() + 1);
        question.path.extend_from_slice(path);
        question.path.push(0);
        Task::Carry(question)
    }

    /// Takes the answer. Nothing of it stays there.
    fn answer(work: &mut dyn Work) -> Result<T> {
        let work: &mut dyn Any = work;
        let question = work.downcast_mut::<Self>().expect("what has come back was submitted");
        if question.path.capacity() > KEPT {
            question.path = Vec::new();
        }
        // Who has no answer was not asked: nobody has begun with it.
        question.answer.take().unwrap_or(Err(Errno::ECANCELED))
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
    fn a_question_uses_the_memory_of_the_last_one_and_nothing_else_of_it() {
        let length: Operation<usize> = |path| Ok(path.count_bytes());
        let fails: Operation<usize> = |_| Err(Errno::ENOENT);
        let mut spare = Spare::default();
        let task = Question::task(b"/a/long/path", length, &mut spare);
        let place = address(&task);
        let mut work = run(task);
        assert_eq!(Question::<usize>::answer(&mut *work), Ok(12));
        assert_eq!(Question::<usize>::answer(&mut *work), Err(Errno::ECANCELED));
        for (operation, path, answer) in [
            (length, &b"/b"[..], Ok(2)),
            (fails, b"/b", Err(Errno::ENOENT)),
            (length, b"/b\0c", Err(Errno::EINVAL)),
            (length, b"", Ok(0)),
        ] {
            spare.keep(0, work);
            let task = Question::task(path, operation, &mut spare);
            assert_eq!(address(&task), place);
            work = run(task);
            assert_eq!(Question::<usize>::answer(&mut *work), answer);
        }
    }

    #[test]
    fn a_long_path_is_not_kept() {
        let path = [b'a'; KEPT + 1];
        let mut work = run(Question::<()>::task(&path, |_| Ok(()), &mut Spare::default()));
        assert_eq!(Question::<()>::answer(&mut *work), Ok(()));
        let work: &dyn Any = &*work;
        assert_eq!(work.downcast_ref::<Question<()>>().unwrap().path.capacity(), 0);
    }
}
