//! The report as JSON.

use serde_json::{Map, Value, json};

use super::super::Depth;
use super::super::contender::Contender::{
    CAbi, Closures, Epoll, IoUring, Libuv, Libuv152, Tasks, Tokio,
};
use super::super::figures::{Ratio, Row};
use super::super::goals;
use super::super::workloads::{Cores, Profile};
use super::Report;

pub fn render(report: &Report) -> String {
    let machine = &report.machine;
    let goals: Vec<Value> = goals::verdicts(&report.rows)
        .into_iter()
        .map(|verdict| {
            json!({
                "goal": verdict.what,
                "wanted": verdict.wanted,
                "measured": rounded(verdict.measured),
                "to_newest_libuv": verdict.newest.map(rounded),
                "bare_epoll": verdict.bare[0].map(rounded),
                "bare_io_uring": verdict.bare[1].map(rounded),
                "where": verdict.where_,
                "reached": verdict.reached,
                "reason": verdict.reason,
            })
        })
        .collect();
    let data = json!({
        "revision": machine.revision,
        "date": machine.date,
        "libuv": machine.libuv,
        "libuv_1_52": machine.libuv_1_52,
        "mauve": machine.ours,
        "kernel": machine.kernel,
        "processor": machine.processor,
        "cores": machine.cores,
        "quick": report.depth == Depth::Quick,
        "seconds": report.seconds,
        "build_seconds": report.building,
        "rows": report.rows.iter().map(row).collect::<Vec<_>>(),
        "goals": goals,
        "skipped": report.skipped,
    });
    format!("{data:#}\n")
}

fn row(row: &Row) -> Value {
    let mut contenders = Map::new();
    for contender in row.contenders() {
        let figures = json!({
            "cpu": row.cpu(contender).map(rounded),
            "calls": row.calls(contender).map(rounded),
        });
        contenders.insert(contender.key().to_owned(), figures);
    }
    let mut ratios = Map::new();
    for (one, other) in [
        (CAbi, Libuv),
        (CAbi, Libuv152),
        (Epoll, Libuv),
        (IoUring, Libuv),
        (Closures, Libuv),
        (Closures, CAbi),
        (Closures, Tokio),
        (Tasks, CAbi),
        (Tasks, Tokio),
    ] {
        if let Some(found) = row.ratio(one, other) {
            ratios.insert(format!("{}_to_{}", one.key(), other.key()), ratio(found));
        }
    }
    json!({
        "group": row.group,
        "name": row.name,
        "profile": if row.profile == Profile::Whole { "whole" } else { "default" },
        "cores": if row.cores == Cores::Two { 2 } else { 1 },
        "unit": if row.is_memory() { "bytes" } else { "nanoseconds" },
        "rounds": row.rounds(),
        "contenders": contenders,
        "ratios": ratios,
        "time": row.throughput(CAbi, Libuv).map(ratio),
    })
}

fn ratio(ratio: Ratio) -> Value {
    json!({
        "median": rounded(ratio.median),
        "low": rounded(ratio.low),
        "high": rounded(ratio.high),
    })
}

/// Rounds to three digits; more are noise.
fn rounded(value: f64) -> f64 {
    (value * 1000.0).round() / 1000.0
}
