//! The format of Firefox Profiler.

use std::time::SystemTime;

use fxprof_processed_profile::{
    CategoryColor, CpuDelta, Frame as FirefoxFrame, FrameFlags, FrameInfo, SamplingInterval, Timestamp,
};
use serde_json::Result;

use super::folded::walk;
use crate::amounts::ProfileMetric;
use crate::frame::Frame;
use crate::names::{package, short_name};
use crate::profile::Profile;

/// The identifiers of the process and of its thread, which mean nothing here.
const PROCESS: u32 = 1;

/// The counts of a point as samples of [Firefox Profiler](https://profiler.firefox.com): each frame with an amount of its own is a sample whose weight is that
/// amount in all counted calls. Crates are categories. The times of the samples mean nothing: the first is at 0 ms, and each is 1 ms later.
///
/// # Errors
/// If it cannot be written as JSON.
pub fn firefox(profile: &Profile, metric: ProfileMetric, point: usize) -> Result<String> {
    let start = SystemTime::UNIX_EPOCH;
    let interval = SamplingInterval::from_millis(1);
    let mut written = fxprof_processed_profile::Profile::new(&profile.function, start.into(), interval);
    let at = |milliseconds: usize| Timestamp::from_millis_since_reference(milliseconds as f64);
    let process = written.add_process(&profile.function, PROCESS, at(0));
    let thread = written.add_thread(process, PROCESS, at(0), true);
    written.set_thread_name(thread, metric.noun());
    written.set_symbolicated(true);
    let mut samples = 0;
    walk(&profile.root, &mut Vec::new(), &mut |stack: &[&Frame]| {
        let own = stack.last().map_or(0, |frame| metric.of(&frame.own[point]));
        if own <= 0 {
            return;
        }
        let frames: Vec<FrameInfo> = stack
            .iter()
            .map(|frame| {
                let mut label = short_name(&frame.name, &profile.crate_name);
                if let Some(place) = &frame.place {
                    label += &format!(" ({place})");
                }
                let category = written.add_category(&package(frame), CategoryColor::Blue);
                let frame = FirefoxFrame::Label(written.intern_string(&label));
                FrameInfo { frame, category_pair: category.into(), flags: FrameFlags::empty() }
            })
            .collect();
        let stack = written.intern_stack_frames(thread, frames.into_iter());
        let mut rest = own;
        // A weight has 32 bits.
        while rest > 0 {
            let weight = i32::try_from(rest).unwrap_or(i32::MAX);
            written.add_sample(thread, at(samples), stack, CpuDelta::ZERO, weight);
            rest -= i64::from(weight);
            samples += 1;
        }
    });
    serde_json::to_string(&written)
}
