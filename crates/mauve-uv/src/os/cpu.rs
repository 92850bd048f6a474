//! `uv_cpu_info` and `uv_available_parallelism`.

use std::ffi::{c_int, c_uint};

use mauve_sys::Errno;
use mauve_sys::fs::cancellable::with_cancellation_disabled;
use mauve_sys::os::cpu::{self, CpuTimes};

use crate::abi::{uv_cpu_info_t, uv_cpu_times_t};
use crate::allocator;
use crate::ffi::{Ptr, negative};
use crate::text;

#[unsafe(no_mangle)]
pub extern "C" fn uv_available_parallelism() -> c_uint {
    with_cancellation_disabled(cpu::available_parallelism) as c_uint
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_cpu_info(infos: Ptr<*mut uv_cpu_info_t>, count: Ptr<c_int>) -> c_int {
    infos.write(std::ptr::null_mut());
    count.write(0);
    let cpus = match with_cancellation_disabled(cpu::list) {
        Ok(cpus) => cpus,
        Err(error) => return negative(error),
    };
    let models: Vec<&[u8]> = cpus.iter().map(|cpu| cpu.model.as_bytes()).collect();
    let header = size_of::<uv_cpu_info_t>() * cpus.len();
    let Some((memory, models)) = text::allocate_block(header, &models) else {
        return negative(Errno::ENOMEM);
    };
    let array = memory.cast::<uv_cpu_info_t>();
    for (index, (cpu, model)) in cpus.iter().zip(models).enumerate() {
        let info =
            uv_cpu_info_t { model, speed: cpu.speed as c_int, cpu_times: milliseconds(&cpu.times) };
        // SAFETY: the block starts with space for one struct per CPU.
        unsafe { array.add(index).write(info) };
    }
    infos.write(array);
    count.write(cpus.len() as c_int);
    0
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_free_cpu_info(infos: Ptr<uv_cpu_info_t>, _count: c_int) {
    allocator::release(infos.raw().cast());
}

fn milliseconds(times: &CpuTimes) -> uv_cpu_times_t {
    uv_cpu_times_t {
        user: times.user.as_millis() as u64,
        nice: times.nice.as_millis() as u64,
        sys: times.system.as_millis() as u64,
        idle: times.idle.as_millis() as u64,
        irq: times.interrupts.as_millis() as u64,
    }
}
