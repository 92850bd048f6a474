//! The selector on Linux: epoll, or `poll` with `MAUVE_SELECTOR=poll`.

use std::ops::{Deref, DerefMut};
use std::os::fd::BorrowedFd;

use super::{epoll, poll};
use crate::selector::{Event, Select};
use crate::{Errno, Result};

/// The environment variable that selects `poll`.
const VARIABLE: &str = "MAUVE_SELECTOR";

/// The selector that was chosen when it was opened.
pub(crate) enum Selector {
    Epoll(epoll::Selector),
    Poll(poll::Selector),
}

impl Selector {
    /// Opens the selector that the environment names. `EINVAL` for an unknown name.
    pub fn new(waker: BorrowedFd<'_>) -> Result<Self> {
        match std::env::var_os(VARIABLE) {
            Some(name) if name == "poll" => poll::Selector::new(waker).map(Self::Poll),
            Some(name) if name != "epoll" => Err(Errno::EINVAL),
            _ => epoll::Selector::new(waker).map(Self::Epoll),
        }
    }

    /// As [`Select::wait`], with a direct call to epoll.
    #[inline(always)] // Called once per iteration, from one place.
    pub fn wait(&mut self, timeout: Option<u32>, events: &mut Vec<Event>) -> Result<bool> {
        match self {
            Self::Epoll(selector) => selector.wait(timeout, events),
            Self::Poll(selector) => selector.wait(timeout, events),
        }
    }

    /// As [`Select::has_mask`], with a direct call.
    #[inline]
    pub fn has_mask(&self) -> bool {
        match self {
            Self::Epoll(selector) => selector.has_mask(),
            Self::Poll(selector) => selector.has_mask(),
        }
    }

    /// As [`Select::is_empty`], with a direct call.
    #[inline]
    pub fn is_empty(&self) -> bool {
        match self {
            Self::Epoll(selector) => selector.is_empty(),
            Self::Poll(selector) => selector.is_empty(),
        }
    }
}

impl Deref for Selector {
    type Target = dyn Select;

    #[inline]
    fn deref(&self) -> &Self::Target {
        match self {
            Self::Epoll(selector) => selector,
            Self::Poll(selector) => selector,
        }
    }
}

impl DerefMut for Selector {
    #[inline]
    fn deref_mut(&mut self) -> &mut Self::Target {
        match self {
            Self::Epoll(selector) => selector,
            Self::Poll(selector) => selector,
        }
    }
}
