//! A request that was understood: what to measure, how, and what to look for among what is stored.

use benchbook_host::points::axis_values;
use benchbook_host::quality::{Priority, Quality};
use benchbook_host::request::{Plan, Request};

use crate::error::ApiError;
use crate::runner::{Offered, Runner};
use crate::store::Question;

/// What a client asks, held against the catalog.
#[derive(Clone, Debug)]
pub struct Ask {
    /// The suite, by its place among those of the runner.
    pub suite: usize,
    /// The valid request.
    pub plan: Plan,
    /// What its priority means here, with the request's own precision and time.
    pub quality: Quality,
    /// What is looked for before measuring.
    pub question: Question,
}

impl Ask {
    /// Holds a request against the runner's suites and limits.
    ///
    /// # Errors
    /// Where there is no such suite, the request does not fit it, or it has more points than the limit.
    pub fn new(runner: &Runner, request: Request) -> Result<Self, ApiError> {
        let place = runner.suites.iter().position(|offered| offered.name() == request.suite);
        let suite = place.ok_or_else(|| {
            let names: Vec<&str> = runner.suites.iter().map(Offered::name).collect();
            ApiError::Unknown(format!("There is no suite `{}` here, but {}.", request.suite, names.join(", ")))
        })?;
        let plan = Plan::new(runner.suites[suite].native.suite(), request).map_err(ApiError::DoesNotFit)?;
        let ask = Self::of(runner, suite, plan);
        let (points, most) = (ask.points(), runner.limits.points as usize);
        if points > most {
            return Err(ApiError::TooLarge(format!(
                "The request has {points} points, and this runner measures {most} at most (`points` in its limits): ask \
                 for fewer functions, or at a lower priority."
            )));
        }
        Ok(ask)
    }

    fn of(runner: &Runner, suite: usize, plan: Plan) -> Self {
        let quality = plan.quality(&runner.qualities);
        let request = plan.request();
        let question = Question {
            fingerprint: runner.suites[suite].offer.card.fingerprint.clone(),
            machine: runner.identity.clone(),
            functions: request.functions.clone(),
            generator: request.generator.clone(),
            arguments: request.arguments.clone(),
            axis: plan.axis().name.clone(),
            seed: plan.seed(),
            xs: axis_values(plan.numeric(), plan.range(), quality.points),
            quality: quality.clone(),
        };
        Self { suite, plan, quality, question }
    }

    /// The same at this and every higher priority, the highest first: what is stored may be better than what is asked.
    pub fn and_better<'a>(&'a self, runner: &'a Runner) -> impl Iterator<Item = Self> + 'a {
        let asked = self.plan.request().priority;
        let better: Vec<Priority> = Priority::all().filter(|priority| *priority >= asked).collect();
        better.into_iter().rev().map(move |priority| {
            let request = Request { priority, ..self.plan.request().clone() };
            let suite = runner.suites[self.suite].native.suite();
            let plan = Plan::new(suite, request).expect("only the priority is another");
            Self::of(runner, self.suite, plan)
        })
    }

    /// How many points it has.
    pub fn points(&self) -> usize {
        self.question.xs.len() * self.question.functions.len()
    }

    /// What tells it from every other: whoever asks the same gets the same answer.
    pub fn key(&self) -> String {
        let Question { fingerprint, functions, generator, arguments, seed, quality, .. } = &self.question;
        // Two priorities may mean the same here; whoever asks for one is told that one.
        let priority = self.plan.request().priority;
        serde_json::to_string(&(fingerprint, functions, generator, arguments, seed, quality, priority))
            .expect("numbers and texts have a JSON form")
    }

    /// About how long it takes, in milliseconds: every point its whole time.
    pub fn expected_ms(&self) -> u64 {
        (self.points() as f64 * self.quality.point_ms).ceil() as u64
    }
}
