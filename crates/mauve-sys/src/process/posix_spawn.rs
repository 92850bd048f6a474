//! Starting a child with `posix_spawn` of the C library, for programs and tools that replace it.
//!
//! libuv calls it for each path that the program may have, unless the child changes its user. The function of
//! the C library itself is not called: a child that is started [in this process's memory](super::linux) costs
//! less, and one child tries all paths.

use std::ffi::{c_char, c_int, c_void};
use std::mem::MaybeUninit;
use std::os::fd::RawFd;
use std::sync::OnceLock;

use super::child::{inherited_environment, set_blocking};
use super::options::StdioFd;
use crate::child_exit::{self, ChildWatch};
use crate::process::spawn::SpawnContext;
use crate::{Errno, module};

/// Whether `posix_spawn` is not that of the C library.
pub(super) fn is_replaced() -> bool {
    static REPLACED: OnceLock<bool> = OnceLock::new();
    *REPLACED.get_or_init(|| module::is_replaced(libc::posix_spawn as *const ()))
}

/// Starts the child. `None` if the C library lacks a function that this child needs.
pub(super) fn start(context: &mut SpawnContext<'_>) -> Option<Result<ChildWatch, Errno>> {
    // Also a sign of a `dup2` action that keeps a descriptor open whose number stays the same.
    let add_directory = addchdir()?;
    let attributes = Attributes::new(context.prepared.options.detached);
    let mut actions = Actions::new();
    if let Err(error) = actions.set_up(context, add_directory) {
        return Some(Err(Errno::from_raw(error)));
    }
    let SpawnContext { prepared, error: failed } = context;
    let env = prepared.env.as_ref().map_or_else(inherited_environment, |env| env.as_ptr());
    let mut pid = 0;
    let error = prepared.try_candidates(|candidate| {
        // SAFETY: the strings and arrays are null-terminated, the attributes and actions initialised.
        unsafe {
            libc::posix_spawn(
                &raw mut pid,
                candidate.as_ptr(),
                &raw const actions.0,
                &raw const attributes.0,
                prepared.args.as_ptr().cast(),
                env.cast(),
            )
        }
    });
    Some(match error {
        0 => Ok(ChildWatch::new(pid, child_exit::open_descriptor(pid))),
        error => {
            *failed = error;
            Err(Errno::from_raw(error))
        }
    })
}

type AddChdir = unsafe extern "C" fn(*mut libc::posix_spawn_file_actions_t, *const c_char) -> c_int;

/// `posix_spawn_file_actions_addchdir_np`, which glibc has since 2.29.
fn addchdir() -> Option<AddChdir> {
    let name = c"posix_spawn_file_actions_addchdir_np";
    // SAFETY: searches the loaded objects for the name.
    let function = unsafe { libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr()) };
    // SAFETY: null, or a function of this type.
    unsafe { std::mem::transmute::<*mut c_void, Option<AddChdir>>(function) }
}

/// The session, the signal mask and the signal actions of the child.
struct Attributes(libc::posix_spawnattr_t);

impl Attributes {
    fn new(detached: bool) -> Self {
        /// Declared for some C libraries only.
        const POSIX_SPAWN_SETSID: c_int = 0x80;
        let mut attributes = MaybeUninit::zeroed();
        let mut signals = MaybeUninit::<libc::sigset_t>::zeroed();
        let mut flags = libc::POSIX_SPAWN_SETSIGDEF | libc::POSIX_SPAWN_SETSIGMASK;
        flags |= if detached { POSIX_SPAWN_SETSID } else { 0 };
        // SAFETY: the calls initialise the attributes and the sets. They fail for wrong arguments only.
        unsafe {
            libc::posix_spawnattr_init(attributes.as_mut_ptr());
            libc::posix_spawnattr_setflags(attributes.as_mut_ptr(), flags as _);
            libc::sigfillset(signals.as_mut_ptr());
            libc::sigdelset(signals.as_mut_ptr(), libc::SIGKILL);
            libc::sigdelset(signals.as_mut_ptr(), libc::SIGSTOP);
            libc::posix_spawnattr_setsigdefault(attributes.as_mut_ptr(), signals.as_ptr());
            libc::sigemptyset(signals.as_mut_ptr());
            libc::posix_spawnattr_setsigmask(attributes.as_mut_ptr(), signals.as_ptr());
            Self(attributes.assume_init())
        }
    }
}

impl Drop for Attributes {
    fn drop(&mut self) {
        // SAFETY: initialised, and not used afterwards.
        unsafe { libc::posix_spawnattr_destroy(&raw mut self.0) };
    }
}

/// What the child does before it executes the program, in the order of libuv.
struct Actions(libc::posix_spawn_file_actions_t);

impl Actions {
    fn new() -> Self {
        let mut actions = MaybeUninit::zeroed();
        // SAFETY: the call initialises the actions.
        unsafe {
            libc::posix_spawn_file_actions_init(actions.as_mut_ptr());
            Self(actions.assume_init())
        }
    }

    fn set_up(&mut self, context: &SpawnContext<'_>, add_directory: AddChdir) -> Result<(), c_int> {
        let (options, stdio) = (context.prepared.options, &*context.prepared.stdio);
        if let Some(cwd) = &options.cwd {
            // SAFETY: initialised actions, and a null-terminated string.
            check(unsafe { add_directory(&raw mut self.0, cwd.as_ptr()) })?;
        }
        // Move each descriptor that would be overwritten before it is duplicated.
        let mut sources = stdio.to_vec();
        for fd in 0..sources.len() {
            if let StdioFd::Inherit(from) | StdioFd::Created(from) = sources[fd]
                && from < fd as RawFd
            {
                let moved = unused(&sources);
                self.duplicate(from, moved)?;
                sources[fd] = StdioFd::Created(moved);
            }
        }
        for (fd, source) in (0..).zip(&sources) {
            match *source {
                StdioFd::Ignore if fd < 3 => self.open_null(fd)?,
                StdioFd::Ignore => {}
                StdioFd::Inherit(from) | StdioFd::Created(from) => {
                    // Removes the flag that closes it if both are the same.
                    self.duplicate(from, fd)?;
                    if matches!(source, StdioFd::Inherit(_)) {
                        set_blocking(from);
                    }
                }
            }
        }
        let count = sources.len() as RawFd;
        for (at, source) in sources.iter().enumerate() {
            let from = number(*source);
            if from >= count && !sources[..at].iter().any(|other| number(*other) == from) {
                // SAFETY: initialised actions.
                check(unsafe { libc::posix_spawn_file_actions_addclose(&raw mut self.0, from) })?;
            }
        }
        Ok(())
    }

    fn duplicate(&mut self, from: RawFd, to: RawFd) -> Result<(), c_int> {
        // SAFETY: initialised actions.
        check(unsafe { libc::posix_spawn_file_actions_adddup2(&raw mut self.0, from, to) })
    }

    fn open_null(&mut self, fd: RawFd) -> Result<(), c_int> {
        let mode = if fd == 0 { libc::O_RDONLY } else { libc::O_RDWR };
        let path = c"/dev/null".as_ptr();
        // SAFETY: initialised actions, which copy the null-terminated literal.
        check(unsafe { libc::posix_spawn_file_actions_addopen(&raw mut self.0, fd, path, mode, 0) })
    }
}

impl Drop for Actions {
    fn drop(&mut self) {
        // SAFETY: initialised, and not used afterwards.
        unsafe { libc::posix_spawn_file_actions_destroy(&raw mut self.0) };
    }
}

/// The descriptor of a source, or -1.
fn number(source: StdioFd) -> RawFd {
    match source {
        StdioFd::Ignore => -1,
        StdioFd::Inherit(fd) | StdioFd::Created(fd) => fd,
    }
}

/// A number above the descriptors of the child that none of the sources has.
fn unused(sources: &[StdioFd]) -> RawFd {
    let is_used = |fd: &RawFd| sources.iter().any(|source| number(*source) == *fd);
    (sources.len() as RawFd..).find(|fd| !is_used(fd)).unwrap_or(RawFd::MAX)
}

fn check(error: c_int) -> Result<(), c_int> {
    if error == 0 { Ok(()) } else { Err(error) }
}
