//! Programs with popular packages of npm: `mauve run` must print what Node 24 prints.
//!
//! Each file of `crates/mauve-cli/tests/packages` is a program. The packages are installed by their names, in
//! the target folder. Without a network they are skipped.

use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use crate::build::{cargo, quietly};
use crate::setup::{self, Tool};
use crate::tally::Tally;
use crate::{files, target};

/// A program, and the packages that it needs.
struct Program {
    file: &'static str,
    packages: &'static str,
    server: Option<Server>,
}

/// A server that a program connects to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Server {
    Redis,
    Postgres,
}

const fn program(file: &'static str, packages: &'static str) -> Program {
    Program { file, packages, server: None }
}

/// The programs of every run: few packages, quickly installed.
const CORE: &[Program] = &[
    program("koa.js", "koa@3"),
    program("pino.js", "pino@10"),
    program("pino_thread.js", "pino@10"),
    program("ws.js", "ws@8"),
    program("yargs.mjs", "yargs@18"),
];

/// The programs of the release checks.
const OTHERS: &[Program] = &[
    program("axios.js", "axios@1"),
    program("eslint.js", "eslint@10"),
    program(
        "express.js",
        "express@5 morgan@1 cookie-parser@1 express-session@1 helmet@8 cors@2 multer@2",
    ),
    program("fastify.js", "fastify@5"),
    program("inquirer.mjs", "inquirer"),
    Program { server: Some(Server::Redis), ..program("ioredis.js", "ioredis@5") },
    program("mocha.js", "mocha@11"),
    program("ora.mjs", "ora string-width"),
    Program { server: Some(Server::Postgres), ..program("pg.js", "pg@8") },
    program("prettier.js", "prettier@3"),
    Program { server: Some(Server::Redis), ..program("redis.js", "redis") },
    program("socket.io.js", "socket.io@4 socket.io-client@4"),
    program("supertest.js", "supertest@7 express@5"),
    program("tape.js", "tape@5"),
    program("winston.js", "winston@3"),
];

const TIMEOUT: Duration = Duration::from_secs(60);

/// Packages are those of this day, also those that others depend on: a later release cannot fail the step.
const DAY: &str = "2026-11-15";

/// Runs the programs of every run, or the others.
pub fn run(others: bool) -> Result<Tally, String> {
    let programs = if others { OTHERS } else { CORE };
    let folder = files::create(target().join("npm-packages"))?;
    if let Err(why) = install(programs, &folder) {
        let mut tally = Tally::default();
        tally.skip(programs.len(), why);
        println!("{tally}");
        return Ok(tally);
    }
    let sources = crate::root().join("crates/mauve-cli/tests/packages");
    for path in files::below(&sources)? {
        let to = folder.join(path.strip_prefix(&sources).expect("it is below the folder"));
        files::create(to.parent().expect("it is in a folder"))?;
        files::copy(&path, &to)?;
    }
    quietly(cargo().args(["build", "-p", "mauve-cli", "--locked"]))?;
    let mauve = target().join("debug/mauve");

    let mut tally = Tally::default();
    let mut failures = Vec::new();
    for program in programs {
        let server = match program.server.map(|server| server.start(&folder)).transpose() {
            Ok(server) => server,
            Err(why) => {
                tally.skip(1, format!("{}: {why}", program.file));
                continue;
            }
        };
        let run =
            |command: &mut Command| output(command.arg(program.file), &folder, server.as_ref());
        let node = run(&mut Command::new("node"))?;
        let ours = run(Command::new(&mauve).arg("run"))?;
        if node == ours && !node.1.is_empty() {
            tally.passed += 1;
        } else {
            failures.push(format!("{}: {}", program.file, difference(&node, &ours)));
        }
    }
    match failures.is_empty() {
        true => Ok(tally),
        false => Err(failures.join("\n")),
    }
}

/// Installs the packages that are missing.
fn install(programs: &[Program], folder: &Path) -> Result<(), String> {
    let wanted: Vec<&str> =
        programs.iter().flat_map(|program| program.packages.split_whitespace()).collect();
    let name =
        |package: &str| package.rsplit_once('@').map_or(package, |(name, _)| name).to_owned();
    let is_installed = |package: &&str| folder.join("node_modules").join(name(package)).exists();
    if wanted.iter().all(is_installed) {
        return Ok(());
    }
    files::write(&folder.join("package.json"), "{ \"private\": true }\n")?;
    let mut npm = Command::new("npm");
    npm.args(["install", "--no-save", "--ignore-scripts", "--no-audit", "--no-fund"]);
    npm.args(["--before", DAY]);
    // Without a network, the step is skipped soon.
    npm.args(["--fetch-retries=1", "--fetch-timeout=20000"]);
    // Those of the other list stay.
    npm.args(
        [CORE, OTHERS]
            .into_iter()
            .flatten()
            .flat_map(|one| one.packages.split_whitespace())
            .filter(|package| wanted.contains(package) || is_installed(package)),
    );
    let output = npm.current_dir(folder).env("PATH", setup::path()).stdout(Stdio::null()).output();
    let output = output.map_err(|error| format!("npm: {error}"))?;
    let reason =
        String::from_utf8_lossy(&output.stderr).lines().last().unwrap_or_default().to_owned();
    if output.status.success() { Ok(()) } else { Err(format!("`npm install` failed: {reason}")) }
}

/// The exit code and the output of a program.
fn output(
    command: &mut Command,
    folder: &Path,
    server: Option<&Running>,
) -> Result<(Option<i32>, String), String> {
    command.current_dir(folder).env("PATH", setup::path()).stdin(Stdio::null());
    if let Some(server) = server {
        command.env(server.variable, &server.url);
    }
    let file = folder.join("output.txt");
    let stdout = files::at(&file, std::fs::File::create(&file))?;
    let child = command.stdout(stdout).stderr(Stdio::null()).spawn();
    let mut child = child.map_err(|error| format!("{command:?}: {error}"))?;
    let limit = Instant::now() + TIMEOUT;
    let code = loop {
        match child.try_wait().map_err(|error| error.to_string())? {
            Some(status) => break status.code(),
            None if Instant::now() > limit => {
                stop(&mut child);
                break None;
            }
            None => std::thread::sleep(Duration::from_millis(10)),
        }
    };
    Ok((code, files::read(&file)?))
}

fn stop(child: &mut Child) {
    // It fails only if the child has exited.
    let _ = child.kill();
    let _ = child.wait();
}

fn difference(node: &(Option<i32>, String), ours: &(Option<i32>, String)) -> String {
    if node.0 != ours.0 {
        return format!("node exits with {:?}, mauve with {:?}", node.0, ours.0);
    }
    let (mut theirs, mut mine) = (node.1.lines(), ours.1.lines());
    for number in 1.. {
        let (a, b) = (theirs.next(), mine.next());
        if a != b || a.is_none() {
            return format!("line {number}: node {a:?}, mauve {b:?}");
        }
    }
    unreachable!("lines end")
}

/// A server that runs until this is dropped.
struct Running {
    child: Child,
    /// A folder that is removed in the end.
    data: Option<PathBuf>,
    variable: &'static str,
    url: String,
}

impl Drop for Running {
    fn drop(&mut self) {
        self.end();
        if let Some(data) = &self.data {
            // What is left is in the folder for temporary files.
            let _ = std::fs::remove_dir_all(data);
        }
    }
}

impl Running {
    /// Interrupts the server, and kills it if it goes on. PostgreSQL then ends its children and frees its shared memory.
    fn end(&mut self) {
        let interrupt = Command::new("kill").args(["-INT", &self.child.id().to_string()]).status();
        let limit = Instant::now() + Duration::from_secs(5);
        while interrupt.as_ref().is_ok_and(ExitStatus::success) && Instant::now() < limit {
            if !matches!(self.child.try_wait(), Ok(None)) {
                return;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        stop(&mut self.child);
    }
}

impl Server {
    /// Starts the server on a free port, with its data in the folder.
    fn start(self, folder: &Path) -> Result<Running, String> {
        let probe =
            TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).map_err(|error| error.to_string())?;
        let port = probe.local_addr().map_err(|error| error.to_string())?.port();
        drop(probe);
        let (tool, mut command, data, variable, url) = match self {
            Self::Redis => {
                let mut command = Command::new("redis-server");
                let port = port.to_string();
                command.args(["--bind", "127.0.0.1", "--port", &port, "--save", "", "--dir"]);
                command.arg(folder);
                (Tool::Redis, command, None, "REDIS_URL", format!("redis://127.0.0.1:{port}"))
            }
            Self::Postgres => {
                let (command, data) = postgres(folder, port)?;
                let url = format!("postgres://postgres@127.0.0.1:{port}/postgres");
                (Tool::Postgres, command, Some(data), "POSTGRES_URL", url)
            }
        };
        if !tool.is_available() {
            return Err(format!("{} is not installed", tool.name()));
        }
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let child = command.spawn().map_err(|error| format!("{}: {error}", tool.name()))?;
        let mut running = Running { child, data, variable, url };
        let limit = Instant::now() + TIMEOUT;
        while TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_err() {
            let has_exited = running.child.try_wait().map_err(|error| error.to_string())?.is_some();
            if has_exited || Instant::now() > limit {
                return Err(format!("{} does not start", tool.name()));
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        // PostgreSQL listens a little earlier than it accepts queries.
        std::thread::sleep(Duration::from_millis(500));
        Ok(running)
    }
}

/// The folder of PostgreSQL's programs, which is not in the search path.
pub fn postgres_programs() -> Option<PathBuf> {
    let versions = files::entries(Path::new("/usr/lib/postgresql")).ok()?;
    versions
        .into_iter()
        .map(|version| version.join("bin"))
        .find(|bin| bin.join("postgres").exists())
}

/// The command of PostgreSQL with a new, empty cluster. It refuses to run as root.
fn postgres(folder: &Path, port: u16) -> Result<(Command, PathBuf), String> {
    let programs = postgres_programs().ok_or("PostgreSQL is not installed")?;
    let command = |name: &str| {
        let program = programs.join(name);
        if !files::is_root() {
            return Command::new(program);
        }
        let mut command = Command::new("setpriv");
        command.args(["--reuid=postgres", "--regid=postgres", "--init-groups"]).arg(program);
        command
    };
    let parent = if files::is_root() { std::env::temp_dir() } else { folder.to_owned() };
    let data = parent.join(format!("mauve-postgres-{}", std::process::id()));
    let mut init = command("initdb");
    init.args(["--auth=trust", "--username=postgres", "--no-sync", "-D"]).arg(&data);
    if let Err(why) = quietly(init.current_dir("/")) {
        // It may have created a part.
        let _ = std::fs::remove_dir_all(&data);
        return Err(why);
    }
    let mut server = command("postgres");
    server.arg("-D").arg(&data).args(["-c", "listen_addresses=127.0.0.1", "-p"]);
    server.arg(port.to_string()).arg("-k").arg(std::env::temp_dir()).current_dir("/");
    Ok((server, data))
}
