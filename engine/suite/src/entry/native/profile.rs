//! Profiling: runs one point of a function for a stated time, so that a profiler sees little else.

use std::ffi::OsString;
use std::time::{Duration, Instant};

use benchbook_contract::catalog::{Generator, Suite};
use benchbook_contract::number_error::NumberError;
use benchbook_contract::parameter::{Argument, Arguments, Kind, Numeric, Parameter};
use benchbook_contract::protocol::{Collect, HostMessage, LaneTarget, MAX_BATCH_BYTES, Open, Samples, SuiteMessage};

use super::terminal::print_notes;
use super::workload_request::{SEED, handled};
use crate::entry::peer::Peer;

/// The time of the batches in one message, in nanoseconds. The clock and the message loop are then invisible in a profile.
const MESSAGE_NS: f64 = 20e6;

/// The maximum number of batches in one message.
const MAX_BATCHES: f64 = 10_000.0;

/// The slot of the workload.
const SLOT: u32 = 0;

/// What to profile: `--profile-time TIME FUNCTION [--generator PATH] [NAME=VALUE]…`.
#[derive(Debug, Default, PartialEq)]
pub(super) struct ProfileOptions {
    time: Duration,
    function: String,
    /// Absent: the function's first one.
    generator: Option<String>,
    /// Names and values of parameters. Others have their default; the axis has the end of its default range.
    values: Vec<(String, String)>,
}

impl ProfileOptions {
    /// The option that requests profiling.
    const OPTION: &'static str = "--profile-time";

    /// The options, if the arguments request profiling.
    pub(super) fn in_arguments(arguments: &[OsString]) -> Option<Result<Self, String>> {
        let arguments: Vec<String> = arguments.iter().map(|argument| argument.to_string_lossy().into_owned()).collect();
        arguments.iter().any(|argument| argument.starts_with(Self::OPTION)).then(|| Self::parse(&arguments))
    }

    /// Parses the arguments.
    ///
    /// # Errors
    /// Returns the expected form of an invalid argument.
    fn parse(arguments: &[String]) -> Result<Self, String> {
        let mut options = Self::default();
        let mut arguments = arguments.iter();
        while let Some(argument) = arguments.next() {
            let (name, value) = match argument.split_once('=') {
                Some((name, value)) => (name, Some(value)),
                None => (argument.as_str(), None),
            };
            let mut option_value = || {
                value
                    .map(str::to_owned)
                    .or_else(|| arguments.next().cloned())
                    .ok_or_else(|| format!("{name} has no value"))
            };
            match (name, value) {
                // `cargo bench` adds it.
                ("--bench", None) => {}
                (Self::OPTION, _) => options.time = parse_time(&option_value()?)?,
                ("--generator", _) => options.generator = Some(option_value()?),
                (option, _) if option.starts_with('-') => return Err(format!("unknown option `{option}`; see --help")),
                (name, Some(value)) => options.values.push((name.to_owned(), value.to_owned())),
                (path, None) if options.function.is_empty() => path.clone_into(&mut options.function),
                (extra, None) => return Err(format!("`{extra}` is not of the form NAME=VALUE")),
            }
        }
        if options.function.is_empty() {
            return Err(format!("{} needs a function, such as sorting::sort; see --help", Self::OPTION));
        }
        Ok(options)
    }

    /// Runs the calls, and prints what runs and how much time it took.
    ///
    /// # Errors
    /// Returns the problem with the options, or the reason why the workload cannot be prepared.
    pub(super) fn run(&self, peer: &mut Peer) -> Result<(), String> {
        let suite = peer.catalog(&[])?;
        print_notes(&suite);
        let open = self.open(&suite)?;
        let arguments: Vec<String> = open.arguments.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let with = if arguments.is_empty() { "" } else { " with " };
        eprintln!(
            "process {}: {} of {}{with}{} for {:?}",
            std::process::id(),
            self.function,
            open.generator,
            arguments.join(" "),
            self.time
        );
        let SuiteMessage::Opened(opened) = handled(peer, HostMessage::Open(open)).map_err(|failed| failed.reason)?
        else {
            return Err("the workload was not opened".to_owned());
        };
        let mut profile = Profile { peer, calls: opened.round.max(1), batches: 1, input_set: 0 };
        if !opened.one_call_per_batch {
            profile.enlarge_batches()?;
        }
        let total = profile.run_for(self.time)?;
        handled(peer, HostMessage::Close { slot: SLOT }).map_err(|failed| failed.reason)?;
        eprintln!("{}", total.sentence());
        Ok(())
    }

    /// The message that prepares the workload.
    fn open(&self, suite: &Suite) -> Result<Open, String> {
        let function = suite.function(&self.function).ok_or_else(|| {
            let names: Vec<&str> = suite.functions.iter().map(|function| function.path.as_str()).collect();
            format!("there is no function `{}`; available: {}", self.function, names.join(", "))
        })?;
        let path = self.generator.as_ref().or(function.generators.first());
        let generator = path.filter(|path| function.generators.contains(path)).and_then(|path| suite.generator(path));
        let generator = generator.ok_or_else(|| {
            format!(
                "`{}` does not accept these workloads; its generators: {}",
                self.function,
                function.generators.join(", ")
            )
        })?;
        Ok(Open {
            slot: SLOT,
            functions: vec![self.function.clone()],
            generator: generator.path.clone(),
            arguments: self.arguments(generator)?,
            seed: SEED,
            priority: 4,
        })
    }

    fn arguments(&self, generator: &Generator) -> Result<Arguments, String> {
        for (name, _) in &self.values {
            if generator.parameter(name).is_none() {
                let names: Vec<&str> = generator.parameters.iter().map(|parameter| parameter.name.as_str()).collect();
                return Err(format!("`{}` has no parameter `{name}`; available: {}", generator.path, names.join(", ")));
            }
        }
        let argument = |parameter: &Parameter| {
            let given = self.values.iter().rev().find(|(name, _)| *name == parameter.name);
            let argument = match given {
                Some((name, value)) => {
                    parse_argument(parameter, value).map_err(|expected| format!("{name}: {expected}"))
                }
                None => Ok(default_argument(parameter)),
            };
            Ok((parameter.name.clone(), argument?))
        };
        generator.parameters.iter().map(argument).collect()
    }
}

/// The calls in progress.
struct Profile<'a> {
    peer: &'a mut Peer,
    /// Calls per batch.
    calls: u64,
    /// Batches per message.
    batches: u32,
    /// The number of the input set.
    input_set: u32,
}

impl Profile<'_> {
    /// Doubles the batches until they are as long as those of a measurement: up to the limit on their inputs and outputs.
    fn enlarge_batches(&mut self) -> Result<(), String> {
        loop {
            let samples = self.message()?;
            let is_long = samples.elapsed.iter().sum::<f64>() >= MESSAGE_NS;
            if is_long || samples.held * self.calls as f64 * 2.0 > MAX_BATCH_BYTES as f64 {
                return Ok(());
            }
            self.calls *= 2;
        }
    }

    /// Calls the function until the time has passed.
    fn run_for(&mut self, time: Duration) -> Result<ProfileTotal, String> {
        let start = Instant::now();
        let mut total = ProfileTotal::default();
        while start.elapsed() < time {
            // New inputs every second, so that the processor does not learn them.
            self.input_set = start.elapsed().as_secs() as u32;
            let samples = self.message()?;
            let elapsed: f64 = samples.elapsed.iter().sum();
            total.calls += self.calls * u64::from(self.batches);
            total.calling += Duration::from_secs_f64(elapsed / 1e9);
            self.batches = (f64::from(self.batches) * MESSAGE_NS / elapsed.max(1.0)).clamp(1.0, MAX_BATCHES) as u32;
        }
        total.elapsed = start.elapsed();
        Ok(total)
    }

    fn message(&mut self) -> Result<Samples, String> {
        let collect = Collect {
            slot: SLOT,
            target: LaneTarget::Function(0),
            calls: self.calls,
            batches: self.batches,
            input_set: self.input_set,
        };
        match handled(self.peer, HostMessage::Collect(collect)).map_err(|failed| failed.reason)? {
            SuiteMessage::Samples(samples) => Ok(samples),
            other => Err(format!("unexpected reply: {other:?}")),
        }
    }
}

/// What was run.
#[derive(Debug, Default)]
struct ProfileTotal {
    calls: u64,
    /// The time in the calls.
    calling: Duration,
    /// The whole time.
    elapsed: Duration,
}

impl ProfileTotal {
    fn sentence(&self) -> String {
        let (calls, seconds) = (self.calls, self.elapsed.as_secs_f64());
        let share = 100.0 * self.calling.as_secs_f64() / seconds.max(f64::MIN_POSITIVE);
        format!(
            "{calls} calls in {seconds:.1} s; {share:.0}% of the time in calls, the rest prepared and dropped inputs"
        )
    }
}

/// A time such as `10s`, `500ms`, `2m` or `10`, in seconds.
fn parse_time(text: &str) -> Result<Duration, String> {
    let units = [("ms", 1e-3), ("s", 1.0), ("m", 60.0), ("", 1.0)];
    let time = units.into_iter().find_map(|(unit, factor)| {
        let seconds = text.strip_suffix(unit)?.trim().parse::<f64>().ok()? * factor;
        Duration::try_from_secs_f64(seconds).ok().filter(|time| !time.is_zero())
    });
    time.ok_or_else(|| format!("`{text}` is not a time; examples: 10s, 500ms, 2m"))
}

/// The value of a parameter that is not given.
fn default_argument(parameter: &Parameter) -> Argument {
    match parameter.default_argument(true) {
        Argument::Range(range) if parameter.numeric().is_some_and(Numeric::has_default_range) => {
            Argument::Number(range.high)
        }
        _ => parameter.default_argument(false),
    }
}

/// The argument for a parameter.
///
/// # Errors
/// Returns the expected values.
fn parse_argument(parameter: &Parameter, text: &str) -> Result<Argument, String> {
    match &parameter.kind {
        Kind::Integer(numeric) | Kind::Float(numeric) => {
            let value = text.replace('_', "").parse().map_err(|_| format!("expected a number, not `{text}`"))?;
            let nearest = numeric.snap(value);
            numeric.check(value).map(|()| Argument::Number(nearest)).map_err(|error| match error {
                NumberError::OutsideBounds { .. } => format!("{error}; the nearest value is {nearest}"),
                NumberError::OffGrid { .. } | NumberError::NotListed { .. } => error.to_string(),
            })
        }
        Kind::Choice { options, .. } if !options.iter().any(|option| option.name == text) => {
            let names: Vec<&str> = options.iter().map(|option| option.name.as_str()).collect();
            Err(format!("expected one of {}, not `{text}`", names.join(", ")))
        }
        Kind::Choice { .. } | Kind::Text { .. } => Ok(Argument::Text(text.to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<ProfileOptions, String> {
        ProfileOptions::parse(&line.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn reads_time_function_generator_and_values() {
        let options = ProfileOptions {
            time: Duration::from_millis(1_500),
            function: "sorting::sort".to_owned(),
            generator: Some("sorting::keys".to_owned()),
            values: vec![("size".to_owned(), "10_000".to_owned()), ("spread".to_owned(), "Random".to_owned())],
        };
        for line in [
            "--profile-time 1.5s sorting::sort --generator sorting::keys size=10_000 spread=Random",
            "sorting::sort size=10_000 --generator=sorting::keys --profile-time=1500ms spread=Random",
            // As cargo starts a bench target.
            "--profile-time 1.5s sorting::sort --generator sorting::keys size=10_000 spread=Random --bench",
        ] {
            assert_eq!(parse(line).as_ref(), Ok(&options), "{line}");
        }
        for (text, seconds) in [("10", 10.0), ("2m", 120.0), ("0.5 s", 0.5)] {
            assert_eq!(parse_time(text), Ok(Duration::from_secs_f64(seconds)));
        }
    }

    #[test]
    fn states_the_expected_form() {
        for (line, expected) in [
            ("--profile-time 10s", "--profile-time needs a function"),
            ("--profile-time", "--profile-time has no value"),
            ("f --profile-time 0s", "`0s` is not a time; examples: 10s"),
            ("f --profile-time fast", "`fast` is not a time"),
            ("f --profile-time -1s", "`-1s` is not a time"),
            ("f g", "`g` is not of the form NAME=VALUE"),
            ("f --size=3", "unknown option `--size`"),
        ] {
            assert!(parse(line).is_err_and(|error| error.contains(expected)), "{line}: {:?}", parse(line));
        }
    }
}
