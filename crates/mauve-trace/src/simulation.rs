//! The simulation of a process that `mauve sim` has started: its environment, and the names in its log.

use std::cell::RefCell;
use std::collections::HashMap;
use std::ffi::OsString;
use std::fs::{self, File};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use mauve_core::clock::{self, VirtualClock};
use mauve_core::schedule::{self, Decision, FaultRates, Simulation};
use mauve_core::trace::CallbackName;
use mauve_sys::clock::ShownTime;
use mauve_sys::module_of;
use mauve_sys::os::process::secure_variable;

use crate::registered_name;

/// The variable with the seed.
pub const SEED: &str = "MAUVE_SIM_SEED";
/// The variable with a log whose decisions are repeated.
pub const REPLAY: &str = "MAUVE_SIM_REPLAY";
/// The variable with the log to write. The process that creates the file is simulated, and no other.
pub const LOG: &str = "MAUVE_SIM_LOG";
/// The variable with the rates of calls that fail.
pub const FAULTS: &str = "MAUVE_SIM_FAULTS";
/// The variable with the seed of `Math.random` in scripts.
pub const RANDOM: &str = "MAUVE_SIM_RANDOM";
/// The variable that is `real` if the time is the system's. Otherwise it is virtual.
pub const TIME: &str = "MAUVE_SIM_TIME";

/// Simulates the loops of this process if the environment says so.
pub(crate) fn start_by_environment() {
    let (seed, replay) = (secure_variable(SEED), secure_variable(REPLAY));
    if seed.is_none() && replay.is_none() {
        return;
    }
    match simulation(seed, replay) {
        Ok(Some(simulation)) => {
            schedule::set_of_process(simulation);
            if secure_variable(TIME).is_none_or(|time| time != "real") {
                clock::set_of_process(Arc::new(VirtualClock::simulated()));
                mauve_sys::clock::show(ShownTime { now, sleep, advance });
            }
        }
        Ok(None) => {}
        Err(problem) => eprintln!("mauve: {problem}: the program is not simulated"),
    }
}

/// The seed of `Math.random`, if scripts are to have the same random numbers each time.
pub fn random_seed() -> Option<u64> {
    secure_variable(RANDOM)?.to_str()?.parse().ok()
}

extern "C" fn now() -> u64 {
    clock::of_process().map_or(0, |clock| clock.read())
}

extern "C" fn sleep(nanos: u64) {
    if let Some(clock) = clock::of_process() {
        clock.sleep(Duration::from_nanos(nanos));
    }
}

extern "C" fn advance(nanos: u64) {
    if let Some(clock) = clock::of_process() {
        clock.end_timed_wait(nanos);
    }
}

fn simulation(
    seed: Option<OsString>,
    replay: Option<OsString>,
) -> Result<Option<Simulation>, String> {
    let simulation = match (replay, seed) {
        (Some(path), _) => {
            let text = fs::read_to_string(&path);
            let text = text.map_err(|error| format!("{REPLAY}: {}: {error}", path.display()))?;
            Simulation::replaying(text.lines().filter_map(|line| line.parse::<Decision>().ok()))
        }
        (None, Some(seed)) => {
            let number = seed.to_str().and_then(|seed| seed.parse().ok());
            let seeded = Simulation::seeded(number.ok_or_else(|| format!("{SEED}: not a number"))?);
            match secure_variable(FAULTS).map(|rates| rates.to_string_lossy().parse()) {
                None => seeded,
                Some(rates) => {
                    let rates: FaultRates = rates.map_err(|error| format!("{FAULTS}: {error}"))?;
                    seeded.with_faults(rates)
                }
            }
        }
        (None, None) => return Ok(None),
    };
    let Some(path) = secure_variable(LOG) else { return Ok(Some(simulation)) };
    if Path::new(&path).exists() {
        // Another process of the program is simulated.
        return Ok(None);
    }
    let log = File::create_new(&path);
    let log = log.map_err(|error| format!("{LOG}: {}: {error}", path.display()))?;
    Ok(Some(simulation.with_log(Box::new(log), name)))
}

/// The name of a callback in a log. A function is its module and the offset in it, which the reader of the
/// log resolves.
fn name(name: CallbackName) -> String {
    match name {
        CallbackName::Unknown => String::new(),
        CallbackName::Function(address) => {
            // Not while the thread ends.
            let known = |names: &RefCell<HashMap<u64, String>>| {
                names.borrow_mut().entry(address).or_insert_with(|| function(address)).clone()
            };
            FUNCTIONS.try_with(known).unwrap_or_else(|_| function(address))
        }
        CallbackName::Location(location) => {
            format!("closure ({}:{})", location.file(), location.line())
        }
        CallbackName::Registered(number) => registered_name(number).unwrap_or_default().to_string(),
    }
}

thread_local! {
    /// The names of functions. To find one, the C library searches all symbols of its module.
    static FUNCTIONS: RefCell<HashMap<u64, String>> = RefCell::default();
}

fn function(address: u64) -> String {
    match module_of(address) {
        Some(code) => format!("{}+{:#x}", code.path.display(), code.offset),
        None => format!("{address:#x}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_seed_and_a_missing_log_are_named() {
        let problem = simulation(Some("x".into()), None).err().unwrap();
        assert_eq!(problem, "MAUVE_SIM_SEED: not a number");
        let problem = simulation(None, Some("/no/such/log".into())).err().unwrap();
        assert!(problem.starts_with("MAUVE_SIM_REPLAY: /no/such/log: "), "{problem}");
    }
}
