//! Spans and events of the crate `tracing`.

use std::collections::HashMap;
use std::fmt::{Debug, Write as _};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use mauve::{Loop, RunMode, Timer};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::subscriber::DefaultGuard;
use tracing::{Event, Metadata, Subscriber, info};

/// Collects what is recorded as lines: `+ span` on entering, `- span` on leaving, `x span` on closing,
/// and events.
#[derive(Clone, Default)]
struct Collector(Arc<Mutex<Collected>>);

#[derive(Default)]
struct Collected {
    lines: Vec<String>,
    /// The names of spans, and their number of references.
    spans: HashMap<u64, (String, usize)>,
}

impl Collector {
    /// Collects what this thread records until the guard is dropped.
    fn install(&self) -> DefaultGuard {
        tracing::subscriber::set_default(self.clone())
    }

    fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().unwrap().lines)
    }

    fn log(&self, sign: &str, id: &Id) {
        let mut collected = self.0.lock().unwrap();
        let name = collected.spans[&id.into_u64()].0.clone();
        collected.lines.push(format!("{sign} {name}"));
    }
}

/// The fields of a span or an event, as text.
struct Fields(String);

impl Visit for Fields {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        match field.name() {
            "message" => write!(self.0, " {value:?}").unwrap(),
            // A path and a line of this file, and keys: they say nothing here.
            "loc.line" | "completion" => {}
            name => write!(self.0, " {name}={value:?}").unwrap(),
        }
    }
}

impl Subscriber for Collector {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }

    fn new_span(&self, span: &Attributes<'_>) -> Id {
        let mut fields = Fields(span.metadata().name().to_owned());
        span.record(&mut fields);
        let mut collected = self.0.lock().unwrap();
        let id = collected.spans.len() as u64 + 1;
        collected.spans.insert(id, (fields.0, 1));
        Id::from_u64(id)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let metadata = event.metadata();
        let mut fields = Fields(format!("{} {}:", metadata.level(), metadata.target()));
        event.record(&mut fields);
        self.0.lock().unwrap().lines.push(fields.0);
    }

    fn enter(&self, id: &Id) {
        self.log("+", id);
    }

    fn exit(&self, id: &Id) {
        self.log("-", id);
    }

    fn clone_span(&self, id: &Id) -> Id {
        self.0.lock().unwrap().spans.get_mut(&id.into_u64()).unwrap().1 += 1;
        id.clone()
    }

    fn try_close(&self, id: Id) -> bool {
        let mut collected = self.0.lock().unwrap();
        let (name, references) = collected.spans.get_mut(&id.into_u64()).unwrap();
        *references -= 1;
        if *references > 0 {
            return false;
        }
        let line = format!("x {name}");
        collected.lines.push(line);
        true
    }
}

#[test]
fn a_task_is_polled_in_its_span() {
    let collector = Collector::default();
    let _guard = collector.install();
    let lp: Loop = Loop::new().unwrap();
    lp.spawn(async {
        info!(target: "test", "first");
        mauve::yield_now().await;
        info!(target: "test", "second");
    });
    lp.run(RunMode::Default).unwrap();
    let task = format!("task loc.file={:?}", file!());
    let expected = [
        "+ run".to_owned(),
        format!("+ {task}"),
        "INFO test: first".to_owned(),
        format!("- {task}"),
        format!("+ {task}"),
        "INFO test: second".to_owned(),
        format!("- {task}"),
        format!("x {task}"),
        "- run".to_owned(),
        "x run".to_owned(),
    ];
    assert_eq!(collector.take(), expected);
}

#[test]
fn panics_and_aborts_are_events_of_the_task() {
    let collector = Collector::default();
    let _guard = collector.install();
    let lp: Loop = Loop::new().unwrap();
    lp.spawn(async { panic!("on purpose") });
    lp.run(RunMode::Default).unwrap();
    let waiting = lp.spawn(std::future::pending::<()>());
    waiting.abort();
    lp.run(RunMode::Default).unwrap();
    let events: Vec<_> =
        collector.take().into_iter().filter(|line| line.contains("mauve::task:")).collect();
    let expected = [
        "ERROR mauve::task: the task panicked error=the task panicked: on purpose",
        "DEBUG mauve::task: the task was aborted",
    ];
    assert_eq!(events, expected);
}

#[test]
fn a_callback_runs_in_a_span_with_its_phase() {
    let collector = Collector::default();
    let _guard = collector.install();
    let lp: Loop = Loop::new().unwrap();
    let timer = Timer::new(&lp);
    timer
        .once(Duration::ZERO, |(), timer| {
            info!(target: "test", "due");
            timer.close_with(|()| ()).unwrap();
        })
        .unwrap();
    lp.run(RunMode::Default).unwrap();
    let lines = collector.take();
    let expected = [
        "+ run",
        "+ callback phase=Timers",
        "INFO test: due",
        "- callback phase=Timers",
        "x callback phase=Timers",
        "+ callback phase=Close",
        "- callback phase=Close",
        "x callback phase=Close",
        "- run",
        "x run",
    ];
    assert_eq!(lines, expected);
}

#[test]
fn blocking_work_runs_in_a_span() {
    let collector = Collector::default();
    let _guard = collector.install();
    let lp: Loop = Loop::new().unwrap();
    lp.block_on(async { mauve::spawn_blocking(|| ()).await }).unwrap();
    let lines = collector.take();
    let blocking: Vec<_> = lines.iter().filter(|line| line.ends_with(" blocking")).collect();
    assert_eq!(blocking, ["+ blocking", "- blocking", "x blocking"]);
    let block_on = lines.iter().filter(|line| line.contains("block_on")).count();
    assert_eq!(block_on, 2 * 2 + 1, "{lines:#?}");
}
