//! The time of all processors, and the part of it that other virtual machines took.

/// The time of all processors since the start of the system, in ticks of the kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CpuTime {
    /// While a processor ran something, or wanted to.
    wanted: u64,
    /// While this virtual machine wanted to run, its host ran something else.
    stolen: u64,
}

/// The times of the first line of `/proc/stat`: user, nice, system, idle, iowait, irq, softirq, steal. Those of guests follow, and are
/// contained in user and nice; see proc_stat(5).
const TIMES: usize = 8;

/// The first of two times without work: idle and iowait.
const IDLE: usize = 3;

impl CpuTime {
    /// Reads the text of `/proc/stat`. `None` if it has another form.
    pub fn parse(text: &str) -> Option<Self> {
        let line = text.lines().find_map(|line| line.strip_prefix("cpu "))?;
        let times = line.split_whitespace().take(TIMES).map(|word| word.parse().ok());
        let times: Vec<u64> = times.collect::<Option<_>>()?;
        let stolen = *times.get(TIMES - 1)?;
        let idle: u64 = times.iter().skip(IDLE).take(2).sum();
        Some(Self { wanted: times.iter().sum::<u64>() - idle, stolen })
    }

    /// The share of the time since `earlier` in which a processor wanted to run, and another virtual machine ran instead: 0.01 is 1%. `None` if none did.
    pub fn stolen_share_since(self, earlier: Self) -> Option<f64> {
        let wanted = self.wanted.checked_sub(earlier.wanted).filter(|wanted| *wanted > 0)?;
        Some(self.stolen.saturating_sub(earlier.stolen) as f64 / wanted as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EARLIER: &str = "cpu  100 10 50 1000 20 0 10 10 40 5\n\
                           cpu0 100 10 50 1000 20 0 10 10 40 5\n\
                           intr 12345 0 0\nctxt 6789\n";
    const LATER: &str = "cpu  150 10 60 1100 20 0 10 50 80 5\n\
                         cpu0 150 10 60 1100 20 0 10 50 80 5\n";

    #[test]
    fn the_stolen_share_is_that_of_the_time_with_work() {
        let [earlier, later] = [EARLIER, LATER].map(|text| CpuTime::parse(text).expect("it has the form"));
        // 40 of 100, and 100 idle: the time of guests is contained in that of users.
        assert_eq!(later.stolen_share_since(earlier), Some(0.4));
        assert_eq!(earlier.stolen_share_since(earlier), None);
    }

    #[test]
    fn other_texts_have_no_times() {
        for text in ["", "cpu0 1 2 3 4 5 6 7 8\n", "cpu  1 2 3 4\n", "cpu  1 2 3 4 5 6 7 none\n"] {
            assert_eq!(CpuTime::parse(text), None, "{text}");
        }
    }
}
