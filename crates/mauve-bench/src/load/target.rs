//! The server that is measured: a process that says where it listens, and is killed at the end.

use std::io::{self, BufRead as _, BufReader};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

/// A server that runs.
pub(super) struct Target {
    child: Child,
    address: Address,
}

/// Where a server listens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Address {
    Internet(SocketAddr),
    Path(PathBuf),
}

impl Target {
    /// Starts `command` and waits until it listens.
    pub fn start(command: &mut Command) -> io::Result<Self> {
        let program = command.get_program().to_string_lossy().into_owned();
        let spawned = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn();
        let mut child = spawned.map_err(|e| io::Error::new(e.kind(), format!("{program}: {e}")))?;
        let output = child.stdout.take().expect("a pipe");
        // From here on the child is killed whatever happens.
        let mut target = Self { child, address: Address::Path(PathBuf::new()) };
        let mut line = String::new();
        BufReader::new(output).read_line(&mut line)?;
        target.address = address(&line).ok_or_else(|| {
            io::Error::other(format!("{program} does not say where it listens, but {line:?}"))
        })?;
        Ok(target)
    }

    pub fn process(&self) -> u32 {
        self.child.id()
    }

    pub fn address(&self) -> &Address {
        &self.address
    }

    /// The address of a server that is reached by one of the internet's protocols.
    pub fn internet(&self) -> io::Result<SocketAddr> {
        match &self.address {
            Address::Internet(address) => Ok(*address),
            Address::Path(path) => Err(io::Error::other(format!("{} is a path", path.display()))),
        }
    }
}

impl Drop for Target {
    fn drop(&mut self) {
        // It may have died on its own; then there is nothing left to do.
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
    text.parse().ok().map(Address::Internet)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_tells_a_port_or_a_path() {
        let internet = Address::Internet("127.0.0.1:80".parse().unwrap());
        assert_eq!(address("ready 127.0.0.1:80\n"), Some(internet));
        assert_eq!(address("ready /run/x\n"), Some(Address::Path("/run/x".into())));
        assert_eq!(address("127.0.0.1:80\n"), None);
    }

    #[test]
    fn a_server_that_ends_without_a_word_is_an_error() {
        let error = Target::start(&mut Command::new("true")).err().unwrap();
        assert!(error.to_string().contains("does not say where it listens"), "{error}");
        assert!(Target::start(&mut Command::new("/no/such/server")).is_err());
    }
}
