//! Reads a trace until it ends: the loop of this command.

use std::time::Duration;

use mauve::signal::SignalKind;
use mauve::{Errno, Loop, RunMode, Signal, Timer};
use mauve_trace::Reader;

/// How often records are copied. A ring has space for more than a tenth of a second.
const INTERVAL: Duration = Duration::from_millis(5);

/// What ends a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The condition of the caller.
    Condition,
    /// This command has received a signal.
    Signal(SignalKind),
}

/// Reads until `ended` returns true or a signal arrives.
pub fn read(reader: &mut Reader, mut ended: impl FnMut(&mut Reader) -> bool) -> Result<End, Errno> {
    let lp: Loop<Signals> = Loop::new()?;
    for signal in [SignalKind::interrupt(), SignalKind::terminate()] {
        let handle = Signal::new(&lp)?;
        handle.start(signal, |state: &mut Signals, _, signal| state.0 = Some(signal))?;
        handle.unref();
    }
    let timer = Timer::new(&lp);
    timer.every(INTERVAL, |_, _| {})?;
    let mut signals = Signals(None);
    loop {
        lp.run_with(&mut signals, RunMode::Once)?;
        reader.poll();
        if let Some(signal) = signals.0 {
            return Ok(End::Signal(signal));
        }
        if ended(reader) {
            return Ok(End::Condition);
        }
    }
}

/// The last signal.
struct Signals(Option<SignalKind>);
