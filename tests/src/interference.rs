//! What disturbs a measurement: neighbours that want the processor, and a process that is stopped time and again.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
#[cfg(target_os = "linux")]
use rustix::thread::{CpuSet, sched_setaffinity};

/// Something that goes on until it is dropped.
pub struct Disturbance {
    is_over: Arc<AtomicBool>,
    threads: Vec<JoinHandle<()>>,
}

/// As many threads as are asked for, each of which takes what it gets of a processor.
pub fn neighbours(count: usize) -> Disturbance {
    Disturbance::start(count, spin)
}

/// One thread that takes what it gets of this core.
#[cfg(target_os = "linux")]
pub fn neighbour_on(core: u32) -> Disturbance {
    Disturbance::start(1, move |is_over| {
        let mut cores = CpuSet::new();
        cores.set(core as usize);
        sched_setaffinity(None, &cores).expect("the core is one that this process may use");
        spin(is_over);
    })
}

/// Stops the processes for `stopped` and lets them go on for `running`, in turn; at last they go on.
pub fn pulses(processes: Vec<Pid>, stopped: Duration, running: Duration) -> Disturbance {
    let send = move |signal| {
        for process in &processes {
            // One that has ended needs no signal.
            let _ = kill_process(*process, signal);
        }
    };
    Disturbance::start(1, move |is_over| {
        while !is_over.load(Ordering::Relaxed) {
            send(Signal::STOP);
            thread::sleep(stopped);
            send(Signal::CONT);
            thread::sleep(running);
        }
    })
}

fn spin(is_over: &AtomicBool) {
    while !is_over.load(Ordering::Relaxed) {
        std::hint::spin_loop();
    }
}

impl Disturbance {
    fn start(count: usize, disturb: impl Fn(&AtomicBool) + Clone + Send + 'static) -> Self {
        let is_over = Arc::new(AtomicBool::new(false));
        let thread = |_| {
            let (is_over, disturb) = (Arc::clone(&is_over), disturb.clone());
            thread::spawn(move || disturb(&is_over))
        };
        let threads = (0..count).map(thread).collect();
        Self { is_over, threads }
    }
}

impl Drop for Disturbance {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        for thread in self.threads.drain(..) {
            let ended = thread.join();
            assert!(ended.is_ok() || thread::panicking(), "the disturbance broke off, and disturbed nothing");
        }
    }
}
