//! Runs a program of the guide with a time limit.

use std::fs::File;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Programs take less than a second, but the machine may be busy.
const LIMIT: Duration = Duration::from_secs(60);

/// What a program printed.
pub struct Output {
    pub stdout: String,
    pub stderr: String,
}

/// Runs a command that must exit with 0. Its outputs go to files in `folder`, because a full pipe
/// would block it.
pub fn run(command: &mut Command, folder: &Path) -> Result<Output, String> {
    let (out, err) = (folder.join("stdout"), folder.join("stderr"));
    let create = |path: &Path| File::create(path).map_err(|e| format!("{}: {e}", path.display()));
    command.stdin(Stdio::null()).stdout(create(&out)?).stderr(create(&err)?);
    let name = command.get_program().to_string_lossy().into_owned();
    let mut child = command.spawn().map_err(|e| format!("{name}: {e}"))?;
    let begin = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().map_err(|e| e.to_string())? {
            break status;
        }
        if begin.elapsed() > LIMIT {
            let _ = child.kill();
            let _ = child.wait();
            return Err(format!("{name} does not end\n{}", text(&out)?));
        }
        std::thread::sleep(Duration::from_millis(2));
    };
    let output = Output { stdout: text(&out)?, stderr: text(&err)? };
    if status.success() {
        return Ok(output);
    }
    Err(format!("{name}: {status}\n{}{}", output.stdout, output.stderr))
}

fn text(path: &Path) -> Result<String, String> {
    let bytes = std::fs::read(path).map_err(|e| format!("{}: {e}", path.display()))?;
    String::from_utf8(bytes).map_err(|e| format!("{}: {e}", path.display()))
}
