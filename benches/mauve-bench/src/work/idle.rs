//! Memory of idle connections: tasks that wait for data.

use std::io::Result;

use mauve::Loop;
use mauve::net::UnixStream;

use crate::{Sample, memory};

pub(super) fn run() -> mauve::Result<Vec<Sample>> {
    Ok(vec![measure()?])
}

fn measure() -> Result<Sample> {
    let (own, _peers) = memory::pairs()?;
    let lp: Loop = Loop::new()?;
    lp.block_on(async {
        let before = memory::own()?;
        for stream in own {
            let stream = UnixStream::from_std(stream)?;
            mauve::spawn(async move { stream.readable().await });
        }
        // The tasks have run once.
        mauve::yield_now().await;
        memory::sample(before)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_idle_connection_takes_less_than_a_page() {
        let sample = measure().unwrap();
        assert!(sample.cpu > 0.0 && sample.cpu < 4096.0, "{sample}");
    }
}
