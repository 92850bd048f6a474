//! Histograms with a number of significant digits (HDR), for `perf_hooks`.

use std::cell::RefCell;
use std::rc::Rc;

use hdrhistogram::Histogram;
use rquickjs::{Ctx, Exception, Object, Result};

use super::define;

struct State {
    values: Histogram<u64>,
    /// The number of values that were too large.
    exceeds: u64,
}

/// Creates an object whose functions share a histogram. JavaScript has checked the bounds.
pub(super) fn create(ctx: Ctx<'_>, lowest: u64, highest: u64, figures: u8) -> Result<Object<'_>> {
    let Ok(values) = Histogram::new_with_bounds(lowest, highest, figures) else {
        return Err(Exception::throw_range(&ctx, "Invalid bounds of a histogram"));
    };
    let object = Object::new(ctx)?;
    let state = Rc::new(RefCell::new(State { values, exceeds: 0 }));
    let with = state.clone();
    define(&object, "record", move |value: u64, count: u64| {
        let mut state = with.borrow_mut();
        if state.values.record_n(value, count).is_err() {
            state.exceeds += count;
        }
    })?;
    let with = state.clone();
    define(&object, "reset", move || {
        let mut state = with.borrow_mut();
        state.values.reset();
        state.exceeds = 0;
    })?;
    let with = state.clone();
    define(&object, "summary", move || summary(&with.borrow()))?;
    let with = state.clone();
    define(&object, "percentile", move |percentile: f64| {
        value_at(&with.borrow().values, percentile) as f64
    })?;
    let with = state.clone();
    define(&object, "percentiles", move || percentiles(&with.borrow().values))?;
    define(&object, "counts", move || -> Vec<f64> {
        let state = state.borrow();
        let pairs = state.values.iter_recorded();
        pairs
            .flat_map(|value| [value.value_iterated_to() as f64, value.count_at_value() as f64])
            .collect()
    })?;
    Ok(object)
}

/// Returns `[count, exceeds, min, max, mean, stddev, skewness, kurtosis]`.
fn summary(state: &State) -> Vec<f64> {
    let values = &state.values;
    if values.is_empty() {
        return vec![0.0, state.exceeds as f64, i64::MAX as f64, 0.0, f64::NAN, f64::NAN, 0.0, 0.0];
    }
    let (min, max) = (values.min() as f64, values.max() as f64);
    let (mean, deviation) = (values.mean(), values.stdev());
    // The standardized moments, of which a normal distribution has the fourth, three.
    let moment = |power: i32| {
        let sum = values.iter_recorded().map(|value| {
            let distance = values.median_equivalent(value.value_iterated_to()) as f64 - mean;
            distance.powi(power) * value.count_at_value() as f64
        });
        sum.sum::<f64>() / values.len() as f64 / deviation.powi(power)
    };
    let (skewness, kurtosis) =
        if deviation > 0.0 { (moment(3), moment(4) - 3.0) } else { (0.0, 0.0) };
    let (count, exceeds) = (values.len() as f64, state.exceeds as f64);
    vec![count, exceeds, min, max, mean, deviation, skewness, kurtosis]
}

/// The value at a percentile. Like Node, it rounds the number of values below it.
fn value_at(values: &Histogram<u64>, percentile: f64) -> u64 {
    let wanted = (percentile / 100.0 * values.len() as f64).round().max(1.0);
    let mut count = 0;
    let mut recorded = values.iter_recorded();
    let found = recorded.find(|value| {
        count += value.count_at_value();
        count as f64 >= wanted
    });
    found.map_or(0, |value| values.highest_equivalent(value.value_iterated_to()))
}

/// Percentiles and the smallest values of their buckets. Each step halves the distance to 100.
fn percentiles(values: &Histogram<u64>) -> Vec<f64> {
    let mut list = Vec::new();
    if !values.is_empty() {
        list.extend([0.0, values.value_at_percentile(0.0) as f64]);
        let mut percentile = 50.0;
        while percentile < 100.0 {
            let value = values.value_at_percentile(percentile);
            list.extend([percentile, values.lowest_equivalent(value) as f64]);
            if value >= values.max() {
                break;
            }
            percentile += (100.0 - percentile) / 2.0;
        }
    }
    list.extend([100.0, values.lowest_equivalent(values.max()) as f64]);
    list
}
