//! Models of a few records.

use super::*;

fn record(time: u64, lp: u16, kind: RecordKind) -> Record {
    Record { time, lp, kind: kind as u8, ..Record::default() }
}

fn thread(process: usize, tid: u32, records: &[Record]) -> RawThread<'_> {
    RawThread { process, tid, name: String::new(), dropped: 0, records }
}

#[test]
fn a_loop_that_waits_until_the_end_was_not_busy() {
    let waits = [Record { id: 1, ..record(100, 1, RecordKind::WaitBegin) }];
    let other = [record(900, 2, RecordKind::RunBegin)];
    let trace = build(&[thread(0, 1, &waits), thread(0, 2, &other)], &[], &[], 0);
    let [iteration] = &trace.iterations[..] else { panic!("{:?}", trace.iterations) };
    assert_eq!((iteration.begin, iteration.end, iteration.busy()), (0, 800, 0));
    assert_eq!(trace.waits[0].end, 800);
}

#[test]
fn a_callback_in_which_its_process_exits_ends_there() {
    let small = CallbackKind::Timer as u8;
    let callback = |time| Record { small, ..record(time, 1, RecordKind::CallbackBegin) };
    let (of_first, of_second) = ([callback(100)], [callback(100), callback(900)]);
    let threads = [thread(0, 1, &of_first), thread(1, 1, &of_second)];
    let trace = build(&threads, &[], &[Some(160), None], 0);
    let ends: Vec<u64> = trace.callbacks.iter().map(|callback| callback.end).collect();
    assert_eq!(ends, [60, 800, 800]);
    assert_eq!((trace.loops[0].end, trace.loops[1].end), (60, 800));
}

#[test]
fn a_decision_is_of_its_loop_and_leads_to_its_next_callback() {
    let (kind, small) = (DecisionKind::FaultRequest, DecisionKind::FaultRequest as u8);
    let decision = Record {
        small,
        number: 7,
        id: 3 << 32 | 2,
        value: 5,
        ..record(110, 1, RecordKind::Decision)
    };
    let timer = |time, lp| Record {
        small: CallbackKind::Timer as u8,
        ..record(time, lp, RecordKind::CallbackBegin)
    };
    let (of_loops, of_pool) = ([timer(100, 2), timer(120, 1)], [decision]);
    let trace = build(&[thread(0, 1, &of_loops), thread(0, 2, &of_pool)], &[], &[], 0);
    let [shown] = &trace.decisions[..] else { panic!("{:?}", trace.decisions) };
    assert_eq!((trace.loops[shown.lp].number, shown.time, shown.callback), (1, 10, Some(1)));
    assert_eq!(shown.key, Key { lp: 5, kind, ordinal: 7 });
    assert_eq!(
        (shown.choice, shown.options, shown.words.as_str()),
        (2, 3, "fault-request: 2 of 2")
    );
    assert_eq!(trace.loops[shown.lp].thread, 0);
}

#[test]
fn a_loop_that_is_only_sampled_is_not_of_the_sampler() {
    let samples = [record(100, 3, RecordKind::Sample), record(100, 3, RecordKind::Frame)];
    assert_eq!(build(&[thread(0, 9, &samples)], &[], &[], 200).loops.len(), 0);
}

#[test]
fn a_trace_lasts_until_its_end_and_not_only_until_its_last_record() {
    let records = [
        Record { id: 1, ..record(100, 1, RecordKind::WaitBegin) },
        record(200, 1, RecordKind::WaitEnd),
        Record { id: 2, ..record(200, 1, RecordKind::WaitBegin) },
    ];
    let trace = build(&[thread(0, 1, &records)], &[], &[], 1_100);
    assert_eq!((trace.end, trace.loops[0].end, trace.waits[1].end), (1_000, 1_000, 1_000));
    assert_eq!(trace.utilisation(0), 0.0);
}
