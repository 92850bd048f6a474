//! Faults without a tracer: the calls of requests and streams fail inside the library, at the seam that
//! `mauve sim --faults` uses. A run has several faults, drawn from a seed.
//!
//! It needs no permission to trace, and covers fewer calls than [`inject`](super::inject).

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::TIMEOUT;
use super::build::Tools;

/// One call in five fails. The workloads expect the exit statuses of their children, which are not killed.
const RATES: &str = "net:0.2,fs:0.2,dns:0.2";

/// Runs a workload under one seed. Returns why it has failed.
pub fn failure(tools: &Tools, workload: &str, seed: u64) -> Result<Option<String>, String> {
    let broken = |error: std::io::Error| format!("{workload}: {error}");
    let mut command = Command::new(tools.program(workload));
    command.env("LD_LIBRARY_PATH", &tools.library).env("MAUVE_SIM_TIME", "real");
    command.env("MAUVE_SIM_SEED", seed.to_string()).env("MAUVE_SIM_FAULTS", RATES);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().map_err(broken)?;
    let begin = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().map_err(broken)? {
            break status;
        }
        if begin.elapsed() > Duration::from_millis(TIMEOUT) {
            child.kill().and_then(|()| child.wait()).map_err(broken)?;
            return Ok(Some("hangs".to_owned()));
        }
        std::thread::sleep(Duration::from_millis(2));
    };
    Ok(match status.code() {
        Some(0) => None,
        Some(1) => Some("loses an operation".to_owned()),
        _ => Some(format!("ends with {status}")),
    })
}
