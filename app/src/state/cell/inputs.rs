//! The inputs of a measurement in words: how they are passed, how calls share them, their seed and their size.

use benchbook_contract::catalog::Mode;
use benchbook_host::messages::at::at_value;
use benchbook_host::metric::bytes;
use benchbook_host::units::count;

use super::LiveCell;

impl LiveCell {
    /// Names and texts, as far as they are known: the size in bytes is once a point was measured, if the generator declares it.
    pub(crate) fn inputs(&self) -> Vec<(&'static str, String)> {
        let passed = parameters_of(&self.function.signature).map(|parameters| ("Passed as", parameters.to_owned()));
        let shared = match self.generator.mode {
            Mode::Fresh => "each call has its own input",
            Mode::Shared => "all calls share a few inputs",
            Mode::Calls => "the generator prepares rounds of calls",
            Mode::Contended => "several threads share one input",
        };
        let seed = self.request("").ok().and_then(|request| self.plan(request).ok());
        let seed = seed.map(|plan| ("Seed", plan.seed().to_string()));
        passed.into_iter().chain([("Calls", shared.to_owned())]).chain(seed).chain(self.size()).collect()
    }

    /// What a call processes at the last measured axis value.
    fn size(&self) -> Option<(&'static str, String)> {
        let shown = self.results.shown();
        let trace = &shown.first()?.trace;
        let (x, work) =
            trace.curve.readings().iter().rev().find_map(|reading| Some((&reading.x, reading.measured()?.work)))?;
        let elements = work.elements.map(|elements| format!("{} elements", count(elements)));
        let parts: Vec<String> = elements.into_iter().chain(work.bytes.map(|size| bytes(size as f64))).collect();
        let at = at_value(x, trace.setup.axis_unit());
        (!parts.is_empty()).then(|| ("Size", format!("{} per call{at}", parts.join(", "))))
    }
}

/// The parameters in a signature: `keys: &mut [u64]` of `fn sort(keys: &mut [u64])`. `None` without any.
fn parameters_of(signature: &str) -> Option<&str> {
    let (mut generics, mut last) = (0, ' ');
    let start = signature.find(|letter| {
        generics += match letter {
            '<' => 1,
            '>' if last != '-' => -1,
            _ => 0,
        };
        last = letter;
        letter == '(' && generics == 0
    })? + 1;
    let mut depth = 1;
    let end = signature[start..].find(|letter| {
        depth += match letter {
            '(' => 1,
            ')' => -1,
            _ => 0,
        };
        depth == 0
    })?;
    Some(signature[start..start + end].trim().trim_end_matches(',')).filter(|parameters| !parameters.is_empty())
}

#[cfg(test)]
mod tests {
    use super::parameters_of;

    #[test]
    fn parameters_are_those_of_the_signature() {
        let table = [
            ("fn sort(keys: &mut [u64])", Some("keys: &mut [u64]")),
            (
                "fn apply(f: impl Fn(u8) -> u8, (a, b): (u8, u8)) -> (u8, u8)",
                Some("f: impl Fn(u8) -> u8, (a, b): (u8, u8)"),
            ),
            ("fn by<F: Fn(&u64) -> bool>(keys: &mut [u64], less: F)", Some("keys: &mut [u64], less: F")),
            ("fn find(\n    text: &str,\n)", Some("text: &str")),
            ("fn tick()", None),
            ("static", None),
        ];
        for (signature, expected) in table {
            assert_eq!(parameters_of(signature), expected, "{signature}");
        }
    }
}
