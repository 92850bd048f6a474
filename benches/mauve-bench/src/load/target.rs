//! The measured server: a process that prints its address, and is killed at the end.

use std::io::{self, BufRead as _, BufReader};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

/// A running server. Dropping it kills the process.
pub(super) struct Target {
    child: Child,
    address: Address,
}

/// The address of a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Address {
    Socket(SocketAddr),
    Path(PathBuf),
}

impl Target {
    /// Starts `command` and waits until it listens.
    pub fn start(command: &mut Command) -> io::Result<Self> {
        let program = command.get_program().to_string_lossy().into_owned();
        let spawned = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn();
        let mut child = spawned.map_err(|e| io::Error::new(e.kind(), format!("{program}: {e}")))?;
        let output = child.stdout.take().expect("a pipe");
        // From here on the child is killed on errors too.
        let mut target = Self { child, address: Address::Path(PathBuf::new()) };
        let mut line = String::new();
        BufReader::new(output).read_line(&mut line)?;
        target.address = address(&line).ok_or_else(|| {
            io::Error::other(format!("{program} printed {line:?} instead of its address"))
        })?;
        Ok(target)
    }

    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    pub fn address(&self) -> &Address {
        &self.address
    }

    /// The address of a TCP or UDP server.
    pub fn socket_addr(&self) -> io::Result<SocketAddr> {
        match &self.address {
            Address::Socket(address) => Ok(*address),
            Address::Path(path) => Err(io::Error::other(format!("{} is a path", path.display()))),
        }
    }
}

impl Drop for Target {
    fn drop(&mut self) {
        // An error means that the process has exited already.
        let _ = self.child.kill();
        let _ = self.child.wait();
        if let Address::Path(path) = &self.address {
            let _ = std::fs::remove_file(path);
        }
    }
}

fn address(line: &str) -> Option<Address> {
    let text = line.strip_prefix("ready ")?.trim_end();
    if text.starts_with('/') {
        return Some(Address::Path(text.into()));
    }
    text.parse().ok().map(Address::Socket)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_prints_a_port_or_a_path() {
        let socket = Address::Socket("127.0.0.1:80".parse().unwrap());
        assert_eq!(address("ready 127.0.0.1:80\n"), Some(socket));
        assert_eq!(address("ready /run/x\n"), Some(Address::Path("/run/x".into())));
        assert_eq!(address("127.0.0.1:80\n"), None);
    }

    #[test]
    fn a_server_that_prints_no_address_is_an_error() {
        let error = Target::start(&mut Command::new("true")).err().unwrap();
        assert!(error.to_string().contains("instead of its address"), "{error}");
        assert!(Target::start(&mut Command::new("/no/such/server")).is_err());
    }
}
