//! The trace of a program on this crate. One test: a trace is of the whole process.

use std::time::{Duration, Instant};

use mauve::{Loop, RunMode, Timer};
use mauve_core::trace;
use mauve_trace::{Reader, Trace};

fn tick(_: &mut u32, timer: &Timer<u32>) {
    timer.close();
}

fn names(trace: &Trace) -> Vec<String> {
    let callbacks = trace.callbacks.iter();
    callbacks.filter_map(|callback| Some(trace.names[callback.name?].to_string())).collect()
}

#[test]
fn a_trace_that_starts_late_has_names_and_agrees_with_the_metrics() {
    let folder = std::env::temp_dir().join(format!("mauve-late-trace-{}", std::process::id()));
    std::fs::create_dir(&folder).unwrap();
    let lp = Loop::<u32>::new().unwrap();
    lp.measure_times();
    let millis = Duration::from_millis;

    // Before the trace: a closure, a function, and a completion callback.
    Timer::new(&lp)
        .every(millis(1), |count, timer| {
            *count += 1;
            if *count % 100 == 20 {
                timer.close();
            }
        })
        .unwrap();
    Timer::new(&lp).once(millis(5), tick).unwrap();
    lp.queue_work(|| (), |count, _| *count += 100).unwrap();

    assert!(trace::request(folder.to_str().unwrap()));
    let line = line!() + 1;
    Timer::new(&lp).once(millis(5), |_, timer| timer.close()).unwrap();
    let (before, begin) = (lp.metrics(), Instant::now());
    let mut count = 0;
    lp.run_with(&mut count, RunMode::Default).unwrap();
    assert_eq!(count, 120);
    let (measured, elapsed) = (lp.metrics().since(&before), begin.elapsed());
    trace::stop();
    let trace = Reader::new(&folder, None).trace();
    std::fs::remove_dir_all(&folder).unwrap();

    let names = names(&trace);
    let here = "trace::a_trace_that_starts_late_has_names_and_agrees_with_the_metrics::{{closure}}";
    let count_of = |name: &str| names.iter().filter(|known| known.as_str() == name).count();
    assert_eq!(count_of("trace::tick"), 1, "{names:?}");
    // Twenty calls of the timer, and one of the completion callback.
    assert_eq!(count_of(here), 21, "{names:?}");
    assert_eq!(count_of(&format!("closure ({}:{line})", file!())), 1, "{names:?}");

    assert_eq!(trace.iterations.len() as u64, measured.iterations);
    let events: u64 = trace.iterations.iter().map(|iteration| u64::from(iteration.events)).sum();
    assert_eq!(events, measured.events);
    let waited: u64 = trace.iterations.iter().map(|iteration| iteration.waited).sum();
    let waited = Duration::from_nanos(waited);
    // Each wait of the trace includes the time to write a record.
    let tolerance = elapsed / 5 + millis(2);
    let difference = waited.abs_diff(measured.idle_time);
    assert!(difference < tolerance, "{waited:?} in the trace, {:?}", measured.idle_time);
}
