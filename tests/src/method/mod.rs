//! Measures the suite `ladder`, whose true values are known, natively and in Chromium.

pub mod ladder;
pub mod nothing;

use anyhow::{Context, Result};
use benchbook_contract::catalog::{Generator, Suite};
use benchbook_contract::parameter::Range;
use benchbook_host::child::NativeSuite;
use benchbook_host::quality::{Priority, Quality};
use benchbook_host::request::Request;
use benchbook_host::response::Response;

use crate::chromium::ChromiumSuite;
use crate::requests::{for_all_priorities, measure, request};
use crate::suites::fixture;

/// The suite `ladder` on one of its two targets.
pub enum LadderSuite {
    /// In a child process.
    Native(Box<NativeSuite>),
    /// In a worker of an isolated page.
    Chromium(Box<ChromiumSuite>),
}

impl LadderSuite {
    /// The native build.
    pub fn native() -> Result<Self> {
        let suite = NativeSuite::open(&fixture("ladder")?.program)?;
        Ok(Self::Native(Box::new(suite)))
    }

    /// The wasm build, in a new browser.
    pub async fn chromium() -> Result<Self> {
        let suite = ChromiumSuite::open(&fixture("ladder")?.module).await?;
        Ok(Self::Chromium(Box::new(suite)))
    }

    /// The browser's name and version; absent for the native build.
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

    /// Measures functions of one generator at the two lowest values of the axis's default range; a request has at least
    /// two points.
    pub async fn measure(&mut self, functions: &[&str], quality: Quality) -> Result<Response> {
        let generator = generator_of(self.suite(), functions[0])?;
        let axis = generator.default_axis().and_then(|axis| axis.numeric()).context("the generator has an axis")?;
        let low = axis.default_range().low;
        let range = Range { low, high: low + axis.step.unwrap_or(1.0) };
        self.measure_over(functions, range, Priority::FIRST, quality).await
    }

    /// Measures functions of one generator over a range.
    pub async fn measure_over(
        &mut self,
        functions: &[&str],
        range: Range,
        priority: Priority,
        quality: Quality,
    ) -> Result<Response> {
        let suite = self.suite();
        let request = Request { priority, ..request(suite, functions, generator_of(suite, functions[0])?, range) };
        let response = match self {
            Self::Native(suite) => measure(suite, request, quality, |_| {})?,
            Self::Chromium(suite) => suite.measure(request, &for_all_priorities(quality)).await?,
        };
        for point in &response.points {
            let measured = point.measured();
            measured.with_context(|| format!("{} failed at {}: {:?}", point.function, point.x, point.outcome))?;
        }
        Ok(response)
    }

    /// Ends the browser, if there is one.
    pub async fn close(self) -> Result<()> {
        match self {
            Self::Native(_) => Ok(()),
            Self::Chromium(suite) => suite.close().await,
        }
    }
}

/// The first generator of a function.
fn generator_of<'s>(suite: &'s Suite, path: &str) -> Result<&'s Generator> {
    let function = suite.function(path).with_context(|| format!("no function {path}"))?;
    let generator = suite.generators.iter().find(|generator| generator.path == function.generators[0]);
    generator.context("the generator is in the catalog")
}
