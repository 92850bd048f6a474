//! The descriptors of the waker on systems without a better mechanism: a pipe.

use std::os::fd::BorrowedFd;

use rustix::io::Errno as SystemError;

use crate::waker::WakerFds;
use crate::{Result, net};

pub(crate) fn open() -> Result<WakerFds> {
    let [reader, writer] = net::pipe([true, true])?;
    Ok(WakerFds { fd: writer, read_end: Some(reader) })
}

/// Makes the pipe readable. Async-signal-safe.
pub(crate) fn notify(fd: BorrowedFd<'_>) {
    // EAGAIN means that the pipe is full. It is readable then, anyway.
    while rustix::io::write(fd, &[1]) == Err(SystemError::INTR) {}
}

#[cfg(test)]
mod tests {
    use std::os::fd::AsFd;

    use super::*;

    #[test]
    fn a_full_pipe_stays_readable_and_notifications_do_not_block() {
        let WakerFds { fd, read_end } = open().unwrap();
        let reader = read_end.unwrap();
        assert_eq!(rustix::io::read(&reader, &mut [0; 8]), Err(SystemError::AGAIN));
        while rustix::io::write(&fd, &[0; 4096]).is_ok() {}
        for _ in 0..3 {
            notify(fd.as_fd());
        }
        assert_eq!(rustix::io::read(&reader, &mut [0; 8]), Ok(8));
    }
}
