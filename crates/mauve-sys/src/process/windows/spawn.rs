//! Starting a process.

use std::os::windows::io::{AsRawHandle as _, FromRawHandle as _, OwnedHandle};
use std::ptr::{null, null_mut};
use std::sync::OnceLock;

use windows_sys::Win32::Foundation::{HANDLE, TRUE};
use windows_sys::Win32::System::JobObjects::{
    AssignProcessToJobObject, CreateJobObjectW, JOB_OBJECT_LIMIT_BREAKAWAY_OK,
    JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION, JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE,
    JOB_OBJECT_LIMIT_SILENT_BREAKAWAY_OK, JOBOBJECT_EXTENDED_LIMIT_INFORMATION,
    JobObjectExtendedLimitInformation, SetInformationJobObject,
};
use windows_sys::Win32::System::Threading::{
    CREATE_NEW_PROCESS_GROUP, CREATE_NO_WINDOW, CREATE_SUSPENDED, CREATE_UNICODE_ENVIRONMENT,
    CreateProcessW, DETACHED_PROCESS, DeleteProcThreadAttributeList, EXTENDED_STARTUPINFO_PRESENT,
    InitializeProcThreadAttributeList, LPPROC_THREAD_ATTRIBUTE_LIST,
    PROC_THREAD_ATTRIBUTE_HANDLE_LIST, PROCESS_INFORMATION, ResumeThread, STARTF_USESHOWWINDOW,
    STARTF_USESTDHANDLES, STARTUPINFOEXW, UpdateProcThreadAttribute,
};
use windows_sys::Win32::UI::WindowsAndMessaging::{SW_HIDE, SW_SHOWDEFAULT};

use super::command;
use super::stdio::ChildStdio;
use crate::child_exit::ChildWatch;
use crate::process::{ProcessOptions, SpawnError, StdioFd};
use crate::{Errno, Result};

impl ProcessOptions {
    /// Starts the program. `stdio` has the descriptors of the child, by number. The child inherits no other
    /// handles. `ENOTSUP` for a user or group.
    pub fn spawn(&self, stdio: &mut [StdioFd]) -> Result<ChildWatch, SpawnError> {
        self.start(stdio).map_err(SpawnError::Exec)
    }

    fn start(&self, stdio: &[StdioFd]) -> Result<ChildWatch> {
        if self.uid.is_some() || self.gid.is_some() {
            return Err(Errno::ENOTSUP);
        }
        let program = command::program(self)?;
        let mut line = command::command_line(&self.args, self.windows.verbatim_arguments)?;
        let environment = self.env.as_deref().map(command::environment).transpose()?;
        let directory = self.cwd.as_deref().map(command::terminated).transpose()?;
        let stdio = ChildStdio::new(stdio)?;
        let mut inherited = stdio.handles();
        let mut block = stdio.block();
        let attributes = Attributes::new(&mut inherited)?;

        // SAFETY: all bits of both structs may be zero.
        let (mut startup, mut created): (STARTUPINFOEXW, PROCESS_INFORMATION) =
            unsafe { std::mem::zeroed() };
        startup.StartupInfo.cb = size_of::<STARTUPINFOEXW>() as u32;
        startup.StartupInfo.dwFlags = STARTF_USESTDHANDLES | STARTF_USESHOWWINDOW;
        let show = if self.windows.hide_window { SW_HIDE } else { SW_SHOWDEFAULT };
        startup.StartupInfo.wShowWindow = show as u16;
        startup.StartupInfo.hStdInput = stdio.handle(0);
        startup.StartupInfo.hStdOutput = stdio.handle(1);
        startup.StartupInfo.hStdError = stdio.handle(2);
        startup.StartupInfo.cbReserved2 = u16::try_from(block.len()).map_err(|_| Errno::EINVAL)?;
        startup.StartupInfo.lpReserved2 = block.as_mut_ptr();
        startup.lpAttributeList = attributes.list();
        // It is resumed when it belongs to the job.
        let mut flags =
            CREATE_UNICODE_ENVIRONMENT | EXTENDED_STARTUPINFO_PRESENT | CREATE_SUSPENDED;
        if self.detached {
            flags |= DETACHED_PROCESS | CREATE_NEW_PROCESS_GROUP;
        }
        if self.windows.hide_console {
            flags |= CREATE_NO_WINDOW;
        }
        let environment = environment.as_ref().map_or(null(), |block| block.as_ptr().cast());
        let directory = directory.as_ref().map_or(null(), |path| path.as_ptr());
        // SAFETY: all texts end with a zero and outlive the call, as do the block and the attributes. The line
        // may be written to.
        let started = unsafe {
            CreateProcessW(
                program.as_ptr(),
                line.as_mut_ptr(),
                null(),
                null(),
                TRUE,
                flags,
                environment,
                directory,
                &raw const startup.StartupInfo,
                &raw mut created,
            )
        };
        if started == 0 {
            return Err(Errno::last());
        }
        // SAFETY: the system has just opened both, and nothing owns them.
        let [process, thread] = [created.hProcess, created.hThread]
            .map(|handle| unsafe { OwnedHandle::from_raw_handle(handle) });
        if !self.detached {
            end_with_this_process(process.as_raw_handle());
        }
        // SAFETY: the handle is open.
        unsafe { ResumeThread(thread.as_raw_handle()) };
        Ok(ChildWatch::new(created.dwProcessId.cast_signed(), process))
    }
}

/// The attributes of a new process: the list of the handles that it inherits.
struct Attributes {
    /// The system's list, which has no alignment of its own above that of a pointer.
    memory: Vec<usize>,
}

impl Attributes {
    /// A list of `handles`, which has to stay where it is.
    fn new(handles: &mut [HANDLE]) -> Result<Self> {
        let mut size = 0;
        // SAFETY: without a list, the call stores the size.
        unsafe { InitializeProcThreadAttributeList(null_mut(), 1, 0, &raw mut size) };
        let mut memory = vec![0usize; size.div_ceil(size_of::<usize>())];
        // SAFETY: the memory has the size that the system has asked for.
        let initialised = unsafe {
            InitializeProcThreadAttributeList(memory.as_mut_ptr().cast(), 1, 0, &raw mut size)
        };
        if initialised == 0 {
            return Err(Errno::last());
        }
        let this = Self { memory };
        let (name, length) = (PROC_THREAD_ATTRIBUTE_HANDLE_LIST as usize, size_of_val(handles));
        // SAFETY: the list is initialised. The caller keeps the handles until the process is created.
        let updated = unsafe {
            let at = handles.as_ptr().cast();
            UpdateProcThreadAttribute(this.list(), 0, name, at, length, null_mut(), null())
        };
        // An empty list is refused. Then the process inherits all handles that are inheritable: none of ours.
        if updated == 0 && length > 0 { Err(Errno::last()) } else { Ok(this) }
    }

    fn list(&self) -> LPPROC_THREAD_ATTRIBUTE_LIST {
        self.memory.as_ptr().cast_mut().cast()
    }
}

impl Drop for Attributes {
    fn drop(&mut self) {
        // SAFETY: the list was initialised, and is not used afterwards.
        unsafe { DeleteProcThreadAttributeList(self.list()) };
    }
}

/// Adds a child to the job of this process. The system ends what belongs to it when this process has ended.
fn end_with_this_process(child: HANDLE) {
    static JOB: OnceLock<Option<OwnedHandle>> = OnceLock::new();
    if let Some(job) = JOB.get_or_init(|| create_job().ok()) {
        // A process that may not be added goes on without, as with libuv.
        // SAFETY: both handles are open.
        unsafe { AssignProcessToJobObject(job.as_raw_handle(), child) };
    }
}

/// A job whose processes are ended when its last handle is closed. Their children are not added to it.
fn create_job() -> Result<OwnedHandle> {
    // SAFETY: without attributes and a name, the call creates a new job.
    let job = unsafe { CreateJobObjectW(null(), null()) };
    if job.is_null() {
        return Err(Errno::last());
    }
    // SAFETY: the system has just opened it, and nothing owns it.
    let job = unsafe { OwnedHandle::from_raw_handle(job) };
    // SAFETY: all bits of the struct may be zero.
    let mut limits: JOBOBJECT_EXTENDED_LIMIT_INFORMATION = unsafe { std::mem::zeroed() };
    limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_BREAKAWAY_OK
        | JOB_OBJECT_LIMIT_SILENT_BREAKAWAY_OK
        | JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION
        | JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
    let (at, size) = ((&raw const limits).cast(), size_of_val(&limits) as u32);
    // SAFETY: the struct is that of the class.
    let set = unsafe {
        SetInformationJobObject(job.as_raw_handle(), JobObjectExtendedLimitInformation, at, size)
    };
    if set == 0 { Err(Errno::last()) } else { Ok(job) }
}

#[cfg(test)]
mod tests {
    use std::ffi::CString;

    use super::*;
    use crate::child_exit::{ExitNotification, ExitStatus};
    use crate::descriptor::{AsDescriptor as _, RawDescriptor};
    use crate::signal::numbers::SIGTERM;
    use crate::{fd, net};

    fn shell(command: &str) -> ProcessOptions {
        let mut options = ProcessOptions::new(c"cmd".into());
        options.args.extend([c"/c".into(), CString::new(command).unwrap()]);
        options
    }

    fn wait(child: &ChildWatch) -> ExitStatus {
        loop {
            match child.try_wait() {
                Some(exit) => return exit,
                None => std::thread::yield_now(),
            }
        }
    }

    #[test]
    fn a_child_has_an_exit_status() {
        let child = shell("exit 7").spawn(&mut [StdioFd::Ignore; 3]).unwrap();
        assert!(child.pid() > 0 && matches!(child.notification(), ExitNotification::Descriptor(_)));
        assert_eq!(wait(&child), ExitStatus { status: 7, ..ExitStatus::default() });
        assert_eq!(child.kill(SIGTERM), Err(Errno::ESRCH));
        let missing = ProcessOptions::new(c"no-such-program-of-mauve".into());
        let error = missing.spawn(&mut [StdioFd::Ignore; 3]).err();
        assert_eq!(error, Some(SpawnError::Exec(Errno::ENOENT)));
    }

    #[test]
    fn a_child_writes_to_a_pipe_and_has_its_own_environment() {
        let [ours, theirs] = net::pipe([true, false]).unwrap();
        let mut options = shell("echo %MAUVE_TEST%");
        options.env = Some(vec![c"MAUVE_TEST=two words".into()]);
        let theirs_raw: RawDescriptor = theirs.raw_descriptor();
        let mut stdio = [StdioFd::Ignore, StdioFd::Created(theirs_raw), StdioFd::Ignore];
        let child = options.spawn(&mut stdio).unwrap();
        drop(theirs);
        let (mut output, mut buffer) = (Vec::new(), [0; 64]);
        loop {
            match fd::read(ours.as_descriptor(), &mut buffer) {
                Ok(0) => break,
                Ok(count) => output.extend_from_slice(&buffer[..count]),
                Err(error) => assert_eq!(error, Errno::EAGAIN),
            }
        }
        assert_eq!(output, b"two words\r\n");
        assert!(wait(&child).success());
    }

    #[test]
    fn a_child_that_is_killed_has_the_signal() {
        let [ours, theirs] = net::pipe([false, true]).unwrap();
        let mut stdio = [StdioFd::Created(ours.raw_descriptor()), StdioFd::Ignore, StdioFd::Ignore];
        let child = shell("pause").spawn(&mut stdio).unwrap();
        assert_eq!((child.kill(0), child.try_wait()), (Ok(()), None));
        child.kill(SIGTERM).unwrap();
        let killed = ExitStatus { status: 1, signal: SIGTERM, core_dumped: false };
        assert_eq!(wait(&child), killed);
        drop(theirs);
    }
}
