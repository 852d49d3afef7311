//! `cargo benchbook describe`: a function, its generators and their parameters.

use anyhow::Result;
use benchbook_contract::catalog::{Generator, Mode};
use benchbook_contract::parameter::{Kind, Parameter};

use crate::project::selection::named;
use crate::project::suite_options::SuiteOptions;

/// Describe a function: its documentation, its generators, and their parameters with bounds and defaults
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  cargo benchbook describe sorting::sort    by its path
  cargo benchbook describe sort             by its name, if it is unique")]
pub(crate) struct DescribeOptions {
    /// The path of the function, or its name if that is unique
    #[arg(value_name = "FUNCTION")]
    function: String,
    #[command(flatten)]
    suites: SuiteOptions,
}

pub(crate) fn run(options: &DescribeOptions) -> Result<()> {
    let suites = options.suites.open()?;
    let one = named(&suites, &options.function)?;
    let (suite, function) = (one.suite.suite(), one.function);
    anstream::println!("{}::{}", suite.name, function.path);
    anstream::println!("  {}", function.signature);
    anstream::println!("  {}:{}", function.file, function.line);
    if !function.docs.is_empty() {
        anstream::println!("\n{}", indented(2, &function.docs));
    }
    if let Some(work) = &function.alternatives {
        let others = suite.functions.iter().filter(|other| other.alternatives.as_ref() == Some(work));
        let others: Vec<&str> =
            others.filter(|other| other.path != function.path).map(|other| other.path.as_str()).collect();
        if !others.is_empty() {
            anstream::println!("\nAlternatives: {}", others.join(", "));
        }
    }
    for generator in function.generators.iter().filter_map(|path| suite.generator(path)) {
        print_generator(generator);
    }
    Ok(())
}

fn print_generator(generator: &Generator) {
    let mode = match generator.mode {
        Mode::Fresh => "a fresh input for each call",
        Mode::Shared => "a few inputs that all calls share",
        Mode::Calls => "rounds of calls whose arguments are prepared in advance",
        Mode::Contended => "an input that several threads share, all at the same time",
    };
    anstream::println!("\nGenerator {} ({mode})", generator.path);
    if !generator.docs.is_empty() {
        anstream::println!("{}", indented(2, &generator.docs));
    }
    let default_axis = generator.default_axis().map(|axis| axis.name.as_str());
    for parameter in &generator.parameters {
        let is_axis = default_axis == Some(parameter.name.as_str());
        anstream::println!("  --set {}={}", parameter.name, values(parameter, is_axis));
        if !parameter.description.is_empty() {
            anstream::println!("{}", indented(6, &parameter.description));
        }
    }
}

/// The valid values and the default.
fn values(parameter: &Parameter, is_axis: bool) -> String {
    let default = parameter.default_argument(is_axis).to_string().replace("..=", "..");
    let valid = match &parameter.kind {
        Kind::Integer(numeric) | Kind::Float(numeric) => {
            let unit = numeric.unit.as_ref().map(|unit| format!(" {unit}")).unwrap_or_default();
            let step = numeric.step.map(|step| format!(" in steps of {step}")).unwrap_or_default();
            format!("{} to {}{unit}{step}", numeric.min, numeric.max)
        }
        Kind::Choice { options, .. } => {
            options.iter().map(|option| option.name.as_str()).collect::<Vec<_>>().join(" | ")
        }
        Kind::Text { .. } => "TEXT".to_owned(),
    };
    format!("{valid} [default: {default}]")
}

fn indented(by: usize, text: &str) -> String {
    let line = |line: &str| format!("{}{}", " ".repeat(by), line.trim()).trim_end().to_owned();
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}
