//! Types of settings. Only [`Throughput`] and [`BatchSize`] have an effect; the others are accepted.

use benchbook_suite::__private as suite;

/// The replacement for criterion's plots.
pub(crate) const PLOT_REPLACEMENT: &str = "`cargo benchbook` shows plots in the notebook";

/// What a call processes.
#[derive(Clone, Debug, PartialEq)]
pub enum Throughput {
    /// Bytes per call.
    Bytes(u64),
    /// Bytes per call. Their unit is the same as for [`Self::Bytes`].
    BytesDecimal(u64),
    /// Elements per call.
    Elements(u64),
    /// Elements and bytes per call.
    ElementsAndBytes {
        /// Elements per call.
        elements: u64,
        /// Bytes per call.
        bytes: u64,
    },
    /// Bits per call; those that fill no byte do not count.
    Bits(u64),
}

impl From<Throughput> for suite::Throughput {
    fn from(throughput: Throughput) -> Self {
        let (elements, bytes) = match throughput {
            Throughput::Bytes(bytes) | Throughput::BytesDecimal(bytes) => (None, Some(bytes)),
            Throughput::Elements(elements) => (Some(elements), None),
            Throughput::ElementsAndBytes { elements, bytes } => (Some(elements), Some(bytes)),
            Throughput::Bits(bits) => (None, Some(bits / 8)),
        };
        // Without any, there is no rate.
        Self { elements: elements.filter(|count| *count > 0), bytes: bytes.filter(|count| *count > 0) }
    }
}

/// How many inputs may exist at once. Benchbook determines the size of a batch; only [`Self::PerIteration`] has an effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BatchSize {
    /// Many inputs may exist at once.
    SmallInput,
    /// Few inputs may exist at once.
    LargeInput,
    /// Each batch is a single call.
    PerIteration,
    /// A number of batches per sample.
    NumBatches(u64),
    /// A number of calls per batch.
    NumIterations(u64),
}

/// How criterion distributes calls over samples. Without effect.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SamplingMode {
    /// Criterion decides.
    #[default]
    Auto,
    /// The number of calls grows from sample to sample.
    Linear,
    /// All samples have the same number of calls.
    Flat,
}

/// The scale of an axis. Without effect: the page has a switch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AxisScale {
    /// Equal distances are equal differences.
    #[default]
    Linear,
    /// Equal distances are equal ratios.
    Logarithmic,
}

/// Settings of criterion's plots. Without effect.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlotConfiguration {
    scale: AxisScale,
}

impl PlotConfiguration {
    /// Accepts the scale of the summary plot.
    #[must_use]
    pub fn summary_scale(self, scale: AxisScale) -> Self {
        Self { scale }
    }
}

/// Which benchmarks criterion runs. Without effect: the command line selects them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BenchmarkFilter {
    /// All benchmarks.
    AcceptAll,
    /// The benchmark with this name.
    Exact(String),
    /// No benchmark.
    RejectAll,
}

/// What draws criterion's plots. Without effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlottingBackend {
    /// Gnuplot.
    Gnuplot,
    /// Plotters.
    Plotters,
    /// Nothing.
    None,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn throughput_has_elements_and_bytes() {
        let of = |throughput: Throughput| {
            let suite::Throughput { elements, bytes } = throughput.into();
            (elements, bytes)
        };
        assert_eq!(of(Throughput::Bytes(100)), (None, Some(100)));
        assert_eq!(of(Throughput::BytesDecimal(100)), (None, Some(100)));
        assert_eq!(of(Throughput::Elements(3)), (Some(3), None));
        assert_eq!(of(Throughput::ElementsAndBytes { elements: 3, bytes: 100 }), (Some(3), Some(100)));
        assert_eq!(of(Throughput::Bits(20)), (None, Some(2)));
        assert_eq!(of(Throughput::Elements(0)), (None, None), "there is no rate");
    }
}
