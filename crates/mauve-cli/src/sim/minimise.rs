//! Drops decisions while the program still fails (delta debugging).

use mauve_core::schedule::Decision;

/// The smallest part of `decisions` that was found with which `fails` is true. It is for all of them. No
/// decision of the result can be dropped alone.
pub fn minimise<E>(
    mut decisions: Vec<Decision>,
    mut fails: impl FnMut(&[Decision]) -> Result<bool, E>,
) -> Result<Vec<Decision>, E> {
    let mut parts = 2;
    while decisions.len() > 1 {
        let size = decisions.len().div_ceil(parts);
        let mut smaller = None;
        for begin in (0..decisions.len()).step_by(size) {
            let end = (begin + size).min(decisions.len());
            let part = decisions[begin..end].to_vec();
            let rest = [&decisions[..begin], &decisions[end..]].concat();
            // With two parts, each is the rest of the other.
            if parts > 2 && fails(&rest)? {
                smaller = Some((rest, parts - 1));
                break;
            }
            if part.len() < decisions.len() && fails(&part)? {
                smaller = Some((part, 2));
                break;
            }
        }
        match smaller {
            Some((rest, count)) => (decisions, parts) = (rest, count.max(2)),
            None if parts >= decisions.len() => break,
            None => parts = (parts * 2).min(decisions.len()),
        }
    }
    Ok(decisions)
}

#[cfg(test)]
mod tests {
    use mauve_core::schedule::{DecisionKind, Key};

    use super::*;

    fn decisions(count: u32) -> Vec<Decision> {
        let key = |ordinal| Key { lp: 1, kind: DecisionKind::Event, ordinal };
        let decision = |n| Decision { key: key(n), choice: 1, options: 2, subject: String::new() };
        (0..count).map(decision).collect()
    }

    #[test]
    fn only_what_the_failure_needs_is_left() {
        for needed in [vec![3], vec![0, 99], vec![7, 8, 60]] {
            let mut runs = 0;
            let found = minimise(decisions(100), |some| {
                runs += 1;
                let has = |n: &u32| some.iter().any(|decision| decision.key.ordinal == *n);
                Ok::<_, ()>(needed.iter().all(has))
            });
            let found: Vec<_> = found.unwrap().iter().map(|d| d.key.ordinal).collect();
            assert_eq!(found, needed);
            assert!(runs < 150, "{runs}");
        }
    }

    #[test]
    fn an_error_ends_it() {
        assert_eq!(minimise(decisions(4), |_| Err("no program")), Err("no program"));
    }
}
