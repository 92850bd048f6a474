//! The JSON follows the rules of the Trace Event Format, as Perfetto and Chrome read it.

use std::collections::{HashMap, HashSet};

use mauve_trace::{Trace, json, synthetic};
use serde_json::Value;

fn events(trace: &Trace) -> Vec<Value> {
    let mut out = Vec::new();
    json::write(trace, &mut out).expect("writing to memory");
    let value: Value = serde_json::from_slice(&out).expect("valid JSON");
    let Value::Array(events) = value["traceEvents"].clone() else { panic!("a list of events") };
    events
}

fn text<'a>(event: &'a Value, key: &str) -> &'a str {
    event[key].as_str().unwrap_or_else(|| panic!("{key} in {event}"))
}

fn number(event: &Value, key: &str) -> f64 {
    event[key].as_f64().unwrap_or_else(|| panic!("{key} in {event}"))
}

fn track(event: &Value) -> (u64, u64) {
    (event["pid"].as_u64().expect("a pid"), event["tid"].as_u64().expect("a tid"))
}

fn of_type<'a>(events: &'a [Value], ph: &'a str) -> impl Iterator<Item = &'a Value> {
    events.iter().filter(move |event| event["ph"] == ph)
}

#[test]
fn decisions_of_a_schedule_are_instants_with_their_words() {
    let trace = synthetic::trace_with_decisions(5_000);
    assert!(trace.decisions.len() >= 5);
    let events = events(&trace);
    let shown: Vec<_> = of_type(&events, "i").filter(|event| event["cat"] == "decision").collect();
    for (event, decision) in shown.iter().zip(&trace.decisions) {
        assert_eq!(text(event, "name"), decision.words);
        assert_eq!(number(event, "ts"), decision.time as f64 / 1e3);
    }
    assert_eq!(shown.len(), trace.decisions.len());
}

#[test]
fn events_have_the_fields_of_their_type() {
    let trace = synthetic::trace(2_000);
    let events = events(&trace);
    for event in &events {
        track(event);
        text(event, "name");
        match text(event, "ph") {
            "X" => assert!(number(event, "ts") >= 0.0 && number(event, "dur") >= 0.0, "{event}"),
            "s" | "t" | "f" => {
                number(event, "ts");
                text(event, "cat");
                assert!(event["id"].is_u64(), "{event}");
                assert_eq!(event["bp"] == "e", event["ph"] == "f", "{event}");
            }
            "C" => {
                number(event, "ts");
                let args = event["args"].as_object().expect("series");
                assert!(!args.is_empty() && args.values().all(Value::is_number), "{event}");
            }
            "i" => assert_eq!(text(event, "s"), "t"),
            "M" => assert!(event["args"].is_object(), "{event}"),
            other => panic!("unknown type {other}"),
        }
    }
    let callbacks = of_type(&events, "X").filter(|event| event["cat"] == "callback").count();
    assert_eq!(callbacks, trace.callbacks.len());
}

#[test]
fn every_thread_has_a_name() {
    let events = events(&synthetic::trace(500));
    let named: HashMap<_, _> = of_type(&events, "M")
        .filter(|event| event["name"] == "thread_name")
        .map(|event| (track(event), text(&event["args"], "name")))
        .collect();
    let names: HashSet<&str> = named.values().copied().collect();
    assert!(names.contains("Loop 1 (main)") && names.contains("Pool 4 (pool-4)"), "{names:?}");
    for event in of_type(&events, "X") {
        assert!(named.contains_key(&track(event)), "{event}");
    }
    let process = of_type(&events, "M").find(|event| event["name"] == "process_name");
    assert_eq!(process.expect("a process")["args"]["name"], "server --port 80");
}

/// Readers build a stack per thread: a span must end before the one that it begins in.
#[test]
fn spans_of_a_thread_are_nested() {
    let events = events(&synthetic::trace(2_000));
    let mut spans: Vec<&Value> = of_type(&events, "X").collect();
    // A stable sort: at the same time, the order of the file decides.
    spans.sort_by(|a, b| number(a, "ts").total_cmp(&number(b, "ts")));
    let mut open: HashMap<(u64, u64), Vec<f64>> = HashMap::new();
    for span in spans {
        let (begin, end) = (number(span, "ts"), number(span, "ts") + number(span, "dur"));
        let stack = open.entry(track(span)).or_default();
        stack.retain(|outer_end| *outer_end > begin + 1e-6);
        let outer = stack.last().copied().unwrap_or(f64::INFINITY);
        assert!(end <= outer + 1e-6, "{span} ends after the span around it");
        stack.push(end);
    }
    assert_eq!(open.len(), 6);
}

#[test]
fn arrows_have_both_ends_inside_of_spans() {
    let trace = synthetic::trace(2_000);
    let events = events(&trace);
    let mut spans: HashMap<(u64, u64), Vec<(f64, f64)>> = HashMap::new();
    for event in of_type(&events, "X") {
        let begin = number(event, "ts");
        spans.entry(track(event)).or_default().push((begin, begin + number(event, "dur")));
    }
    let mut arrows: HashMap<(&str, u64), Vec<&Value>> = HashMap::new();
    for event in events.iter().filter(|event| matches!(text(event, "ph"), "s" | "t" | "f")) {
        let key = (text(event, "cat"), event["id"].as_u64().expect("an id"));
        arrows.entry(key).or_default().push(event);
        let time = number(event, "ts");
        let is_inside = |(begin, end): &(f64, f64)| *begin <= time && time <= *end;
        assert!(spans[&track(event)].iter().any(is_inside), "{event} is in no span");
    }
    for points in arrows.values() {
        let types: Vec<&str> = points.iter().map(|point| text(point, "ph")).collect();
        assert!(matches!(types[..], ["s", "t", "f"] | ["s", "f"]), "{types:?}");
        assert!(points.is_sorted_by(|a, b| number(a, "ts") <= number(b, "ts")), "{points:?}");
    }
    let complete = trace.requests.iter().filter(|request| request.callback.is_some()).count();
    assert_eq!(arrows.keys().filter(|(category, _)| *category == "request").count(), complete);
}

#[test]
fn counters_return_to_zero() {
    let events = events(&synthetic::trace(2_000));
    let depths: Vec<f64> = of_type(&events, "C")
        .filter(|event| event["name"] == "pool queue")
        .map(|event| number(&event["args"], "requests"))
        .collect();
    assert!(depths.iter().all(|depth| *depth >= 0.0));
    assert_eq!(depths.last(), Some(&0.0));
    let shares =
        of_type(&events, "C").filter(|event| text(event, "name").starts_with("utilisation"));
    let shares: Vec<f64> = shares.map(|event| number(&event["args"], "percent")).collect();
    assert!(!shares.is_empty() && shares.iter().all(|share| (0.0..=100.0).contains(share)));
}

#[test]
fn names_are_escaped() {
    let mut trace = synthetic::trace(100);
    trace.names[0].function = "on\"read\\\n\u{1}</script>".to_owned();
    let events = events(&trace);
    assert!(events.iter().any(|event| event["name"] == "on\"read\\\n\u{1}</script>"));
}

#[test]
fn an_empty_trace_is_valid() {
    assert_eq!(events(&Trace::default()), [] as [Value; 0]);
}
