//! Headless Chromium, driven over the DevTools protocol.
//!
//! Chromium reads commands from descriptor 3 and writes results and events to descriptor 4: JSON that
//! ends with a zero byte. A shell connects these descriptors with the pipes of the child.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// A result that takes longer is an error. Loading a million records takes seconds.
const PATIENCE: Duration = Duration::from_secs(90);

const CONNECT: &str = r#"exec "$@" 3<&0 4>&1 </dev/null >/dev/null 2>&1"#;

const OPTIONS: &[&str] = &[
    "--headless=new",
    "--remote-debugging-pipe",
    // The sandbox needs privileges that containers lack. Only files of this repository are opened.
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-extensions",
    "--disable-background-networking",
    "--hide-scrollbars",
    "--no-first-run",
    "about:blank",
];

/// A running browser with one tab.
pub struct Browser {
    child: Child,
    input: ChildStdin,
    messages: Receiver<Value>,
    folder: PathBuf,
    session: Option<String>,
    last_id: u64,
    /// Errors on the console, and exceptions.
    errors: Vec<String>,
}

impl Browser {
    /// Whether Chromium is installed.
    pub fn is_installed() -> bool {
        let mut command = Command::new("chromium");
        let command = command.arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    }

    /// Starts the browser. `folder` receives its profile.
    pub fn start(folder: &Path, width: u32, height: u32, scale: f64) -> Result<Self, String> {
        let mut command = Command::new("sh");
        command.args(["-c", CONNECT, "sh", "chromium"]).args(OPTIONS);
        command.arg(format!("--user-data-dir={}", folder.display()));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().map_err(|e| format!("chromium: {e}"))?;
        let input = child.stdin.take().expect("a pipe");
        let output = child.stdout.take().expect("a pipe");
        let (sender, messages) = channel();
        std::thread::spawn(move || receive(output, &sender));
        let folder = folder.to_owned();
        let (session, last_id, errors) = (None, 0, Vec::new());
        let mut browser = Self { child, input, messages, folder, session, last_id, errors };
        browser.attach(width, height, scale)?;
        Ok(browser)
    }

    fn attach(&mut self, width: u32, height: u32, scale: f64) -> Result<(), String> {
        let target = self.call("Target.createTarget", json!({"url": "about:blank"}))?;
        let attach = json!({"targetId": target["targetId"], "flatten": true});
        let session = self.call("Target.attachToTarget", attach)?;
        self.session = session["sessionId"].as_str().map(str::to_owned);
        for domain in ["Page", "Runtime", "Log"] {
            self.call(&format!("{domain}.enable"), json!({}))?;
        }
        self.resize(width, height, scale)
    }

    /// Sets the size of the page.
    pub fn resize(&mut self, width: u32, height: u32, scale: f64) -> Result<(), String> {
        let metrics = json!({
            "width": width, "height": height, "deviceScaleFactor": scale, "mobile": false,
        });
        self.call("Emulation.setDeviceMetricsOverride", metrics).map(drop)
    }

    /// Makes a call and waits for its result.
    pub fn call(&mut self, method: &str, params: Value) -> Result<Value, String> {
        self.last_id += 1;
        let id = self.last_id;
        let mut message = json!({"id": id, "method": method, "params": params});
        if let Some(session) = &self.session {
            message["sessionId"] = json!(session);
        }
        let written = write!(self.input, "{message}\0").and_then(|()| self.input.flush());
        written.map_err(|e| format!("chromium has ended: {e}"))?;
        let end = Instant::now() + PATIENCE;
        loop {
            let rest = end.saturating_duration_since(Instant::now());
            let received = self.messages.recv_timeout(rest);
            let message = received.map_err(|_| format!("no result of {method}"))?;
            if message["id"] != id {
                self.note(&message);
            } else if message["error"].is_null() {
                return Ok(message["result"].clone());
            } else {
                return Err(format!("{method}: {}", message["error"]["message"]));
            }
        }
    }

    /// Keeps errors of the page.
    fn note(&mut self, message: &Value) {
        let params = &message["params"];
        let error = match message["method"].as_str() {
            Some("Runtime.exceptionThrown") => &params["exceptionDetails"],
            Some("Runtime.consoleAPICalled") if is_problem(&params["type"]) => &params["args"],
            Some("Log.entryAdded") if is_problem(&params["entry"]["level"]) => {
                &params["entry"]["text"]
            }
            _ => return,
        };
        self.errors.push(error.to_string());
    }

    /// Opens a file and waits until the page has drawn the trace.
    pub fn open(&mut self, file: &Path) -> Result<(), String> {
        self.errors.clear();
        self.call("Page.navigate", json!({"url": format!("file://{}", file.display())}))?;
        let end = Instant::now() + PATIENCE;
        while self.evaluate("globalThis.mauve?.frames > 0")? != json!(true) {
            if Instant::now() > end || !self.errors.is_empty() {
                return Err(format!("the page does not start: {:?}", self.errors));
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        Ok(())
    }

    /// Opens a file that is not the page of a trace, and waits until it is loaded.
    pub fn load(&mut self, file: &Path) -> Result<(), String> {
        self.errors.clear();
        let url = format!("file://{}", file.display());
        self.call("Page.navigate", json!({"url": url}))?;
        let end = Instant::now() + PATIENCE;
        let expected = json!([url, "complete"]);
        // Until the navigation is committed, the result is that of the last page.
        while self.evaluate("[location.href, document.readyState]")? != expected {
            if Instant::now() > end {
                return Err(format!("the page is not loaded: {:?}", self.errors));
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        Ok(())
    }

    /// Evaluates an expression in the page. A promise is awaited.
    pub fn evaluate(&mut self, expression: &str) -> Result<Value, String> {
        let params = json!({
            "expression": expression, "returnByValue": true, "awaitPromise": true,
        });
        let result = self.call("Runtime.evaluate", params)?;
        let exception = &result["exceptionDetails"];
        if exception.is_null() {
            return Ok(result["result"]["value"].clone());
        }
        Err(format!("{expression}: {}", exception["exception"]["description"]))
    }

    /// Waits for two frames, so that what was changed is drawn.
    pub fn wait_until_idle(&mut self) -> Result<(), String> {
        self.evaluate(
            "(async () => {
                const frame = () => new Promise(requestAnimationFrame);
                do await frame(); while (mauve.view.ease);
                await frame();
            })()",
        )?;
        Ok(())
    }

    /// Sends a mouse event: `mouseMoved`, `mousePressed`, `mouseReleased` or `mouseWheel`.
    pub fn mouse(&mut self, kind: &str, x: f64, y: f64, more: Value) -> Result<(), String> {
        let mut params = json!({"type": kind, "x": x, "y": y});
        if let (Value::Object(params), Value::Object(more)) = (&mut params, more) {
            params.extend(more);
        }
        self.call("Input.dispatchMouseEvent", params).map(drop)
    }

    pub fn click(&mut self, x: f64, y: f64) -> Result<(), String> {
        let left = json!({"button": "left", "buttons": 1, "clickCount": 1});
        self.mouse("mousePressed", x, y, left.clone())?;
        self.mouse("mouseReleased", x, y, left)?;
        self.wait_until_idle()
    }

    /// Presses and releases a key, such as `w` or `Enter`.
    pub fn key(&mut self, key: &str) -> Result<(), String> {
        let text = match key {
            "Enter" => "\r",
            _ if key.chars().count() == 1 => key,
            _ => "",
        };
        self.call("Input.dispatchKeyEvent", json!({"type": "keyDown", "key": key, "text": text}))?;
        self.call("Input.dispatchKeyEvent", json!({"type": "keyUp", "key": key}))?;
        self.wait_until_idle()
    }

    /// A picture of the page: a PNG file in base64.
    pub fn screenshot(&mut self) -> Result<String, String> {
        let result = self.call("Page.captureScreenshot", json!({"format": "png"}))?;
        result["data"].as_str().map(str::to_owned).ok_or("no picture".to_owned())
    }

    /// The errors since the page was opened.
    pub fn errors(&self) -> &[String] {
        &self.errors
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

fn is_problem(level: &Value) -> bool {
    level == "error" || level == "warning" || level == "assert"
}

/// Reads messages until the browser ends.
fn receive(output: ChildStdout, sender: &Sender<Value>) {
    let mut output = BufReader::new(output);
    loop {
        let mut bytes = Vec::new();
        match output.read_until(0, &mut bytes) {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        bytes.pop();
        let Ok(message) = serde_json::from_slice(&bytes) else { continue };
        if sender.send(message).is_err() {
            return;
        }
    }
}
