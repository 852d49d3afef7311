//! Interference with a measurement: threads that compete for the processor, and processes that are suspended
//! repeatedly.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
#[cfg(target_os = "linux")]
use rustix::thread::{CpuSet, sched_setaffinity};

/// Interference that lasts until it is dropped.
pub struct Interference {
    is_over: Arc<AtomicBool>,
    threads: Vec<JoinHandle<()>>,
}

/// Starts `count` threads that compete for processor time.
pub fn busy_threads(count: usize) -> Interference {
    Interference::start(count, spin)
}

/// Starts a thread that competes for processor time on this core.
#[cfg(target_os = "linux")]
pub fn busy_thread_on(core: u32) -> Interference {
    Interference::start(1, move |is_over| {
        let mut cores = CpuSet::new();
        cores.set(core as usize);
        sched_setaffinity(None, &cores).expect("the process may use this core");
        spin(is_over);
    })
}

/// Suspends the processes for `stopped` and resumes them for `running`, in turn. They are running when this ends.
pub fn suspend_repeatedly(processes: Vec<Pid>, stopped: Duration, running: Duration) -> Interference {
    let send = move |signal| {
        for process in &processes {
            // A process that has exited needs no signal.
            let _ = kill_process(*process, signal);
        }
    };
    Interference::start(1, move |is_over| {
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

impl Interference {
    fn start(count: usize, interfere: impl Fn(&AtomicBool) + Clone + Send + 'static) -> Self {
        let is_over = Arc::new(AtomicBool::new(false));
        let thread = |_| {
            let (is_over, interfere) = (Arc::clone(&is_over), interfere.clone());
            thread::spawn(move || interfere(&is_over))
        };
        let threads = (0..count).map(thread).collect();
        Self { is_over, threads }
    }
}

impl Drop for Interference {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        for thread in self.threads.drain(..) {
            let ended = thread.join();
            assert!(ended.is_ok() || thread::panicking(), "an interference thread panicked");
        }
    }
}
