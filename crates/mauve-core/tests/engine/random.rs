//! Random scripts, run by the engine and by the reference model, which must agree.

use mauve_core::Mode;
use proptest::prelude::*;

use crate::model::Model;
use crate::real::Real;
use crate::script::{Op, Run, Trace, runs};

fn compare(runs: &[Run]) -> Result<(), TestCaseError> {
    let (mut real, mut model) = (Real::new(), Model::new());
    let (mut found, mut expected) = (Trace::new(), Trace::new());
    for run in runs {
        real.play(run, &mut found);
        model.play(run, &mut expected);
    }
    // At the end all handles are closed. Each has one close completion, and the loop can be closed.
    let before = (0..real.count()).map(Op::Close).collect();
    let end = Run { before, mode: Mode::Default, inside: Vec::new() };
    for _ in 0..2 {
        // Runs twice, because a pending stop ends the first run at once.
        real.play(&end, &mut found);
        model.play(&end, &mut expected);
    }
    let differs = found.lines.iter().zip(&expected.lines).position(|(a, b)| a != b);
    if let Some(at) = differs.or((found.lines.len() != expected.lines.len()).then_some(0)) {
        let from = at.saturating_sub(30);
        let shown = found.lines[from..at].join("\n");
        prop_assert!(
            false,
            "after\n{shown}\nthe engine logs\n{}\nand the model\n{}",
            found.lines.get(at).map_or("", String::as_str),
            expected.lines.get(at).map_or("", String::as_str)
        );
    }
    for n in 0..real.count() {
        let close = format!("  Close: {n} at ");
        let closes = found.lines.iter().filter(|line| line.starts_with(&close)).count();
        prop_assert_eq!(closes, 1, "close completions of handle {}", n);
    }
    prop_assert_eq!(real.engine.close(), Ok(()));
    Ok(())
}

/// A number of cases for every test run; `PROPTEST_CASES` overrides it.
fn config() -> ProptestConfig {
    let config = ProptestConfig::default();
    ProptestConfig { cases: config.cases.max(2000), failure_persistence: None, ..config }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn the_engine_agrees_with_the_model_on_random_scripts(runs in runs()) {
        compare(&runs)?;
    }
}
