//! What the method recovers of the fixture `ladder`, whose right figures are known: natively, and in Chromium.

pub mod ladder;
pub mod nothing;
pub mod percent;

use anyhow::{Context, Result, ensure};
use benchbook_contract::catalog::Suite;
use benchbook_contract::parameter::{Range, Scale};
use benchbook_host::child::NativeSuite;
use benchbook_host::comparison::RatioAt;
use benchbook_host::pairing::{PointPair, compare};
use benchbook_host::quality::Quality;
use benchbook_host::response::{Measured, Response};

use crate::chromium::ChromiumSuite;
use crate::requests::{always, measure, request};
use crate::suites::fixture;

/// The fixture, on one of its two faces.
pub enum Face {
    /// As a child process.
    Native(Box<NativeSuite>),
    /// In a worker of a page that is isolated.
    Chromium(Box<ChromiumSuite>),
}

impl Face {
    /// The native face.
    ///
    /// # Errors
    /// Where it can't be built.
    pub fn native() -> Result<Self> {
        Ok(Self::Native(Box::new(NativeSuite::open(&fixture("ladder")?.program)?)))
    }

    /// The wasm face, in a browser of its own.
    ///
    /// # Errors
    /// Where it can't be built, or there is no browser.
    pub async fn chromium() -> Result<Self> {
        let suite = ChromiumSuite::open(fixture("ladder")?.wasm()?, true).await?;
        Ok(Self::Chromium(Box::new(suite)))
    }

    /// Name and version of the browser; absent natively.
    pub fn browser(&self) -> Option<&str> {
        match self {
            Self::Native(_) => None,
            Self::Chromium(suite) => Some(&suite.machine().name),
        }
    }

    fn suite(&self) -> &Suite {
        match self {
            Self::Native(suite) => suite.suite(),
            Self::Chromium(suite) => suite.suite(),
        }
    }

    /// Measures functions of one generator at two neighbouring axis values, the lower ones of those that are measured at
    /// first: a request has no fewer.
    ///
    /// # Errors
    /// Where a point fails, or the suite can no longer be used.
    pub async fn measure(&mut self, functions: &[&str], quality: Quality) -> Result<Response> {
        let suite = self.suite();
        let function = suite.function(functions[0]).with_context(|| format!("there is no {}", functions[0]))?;
        let generator = suite.generators.iter().find(|generator| generator.path == function.generators[0]);
        let generator = generator.context("the generator is in the catalog")?;
        let axis = generator.default_axis().and_then(|axis| axis.numeric()).context("it has an axis")?;
        let low = axis.default_range().low;
        let range = Range { low, high: low + axis.step.unwrap_or(1.0) };
        let request = request(suite, functions, generator, range);
        let response = match self {
            Self::Native(suite) => measure(suite, request, quality, |_| {})?,
            Self::Chromium(suite) => suite.measure(request, &always(quality)).await?,
        };
        for point in &response.points {
            ensure!(point.measured().is_some(), "{} failed at {}: {:?}", point.function, point.x, point.outcome);
        }
        Ok(response)
    }

    /// Ends what runs.
    ///
    /// # Errors
    /// Where it does not answer.
    pub async fn close(self) -> Result<()> {
        match self {
            Self::Native(_) => Ok(()),
            Self::Chromium(suite) => suite.close().await,
        }
    }
}

/// The ratio of two functions of a response at each of its axis values; `count`: of how many intervals these are.
fn ratios(response: &Response, baseline: &str, other: &str, count: u32) -> Vec<RatioAt> {
    let of = |path: &str| {
        let points = response.points.iter().filter(move |point| point.function == path);
        points.filter_map(|point| Some((point.x, point.measured()?))).collect::<Vec<(f64, &Measured)>>()
    };
    let paired = of(baseline).into_iter().zip(of(other));
    let paired: Vec<PointPair<'_>> =
        paired.map(|((x, baseline), (_, other))| PointPair { x, baseline, other }).collect();
    compare(&paired, Scale::Log, count).0
}
