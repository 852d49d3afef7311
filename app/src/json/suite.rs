//! What a suite says: see `benchbook_contract::protocol` for what each means.

use benchbook_contract::catalog::{Build, Function, Generator, Mode, Suite};
use benchbook_contract::parameter::{ChoiceOption, Kind, Numeric, NumericDefault, Parameter, Range, Scale};
use benchbook_contract::protocol::{Failed, Interleaved, Opened, Samples, Stage, SuiteMessage, Target};

use super::{Json, Read, named, read, readable};

impl Read for SuiteMessage {
    fn read(json: &Json) -> Option<Self> {
        Some(match json.at("type").text() {
            "catalog" => return read!(json, Self::Catalog { protocol, suite; unguarded = None }),
            "opened" => Self::Opened(Opened::read(json)?),
            "samples" => Self::Samples(Samples::read(json)?),
            "interleaved" => Self::Interleaved(Interleaved::read(json)?),
            "closed" => return read!(json, Self::Closed { slot }),
            "failed" => Self::Failed(Failed::read(json)?),
            "refused" => return read!(json, Self::Refused { bytes, bound }),
            _ => return None,
        })
    }
}

readable! {
    Suite { name, version, build, functions, generators }
    Build { rustc, target, opt_level, debug_assertions, target_features }
    Function { path, signature, docs, file, line, generators, native, alternatives }
    Generator { path, name, docs, mode, parameters, native }
    Numeric { of, min, max, step, default, unit, scale, axis }
    Range { low, high }
    Opened { slot, round, one_call_a_batch, preparation }
    Samples { slot, target, calls, elapsed, preparation, held or 0.0, allocations, hashes; interrupted = Vec::new() }
    Interleaved { slot, elapsed, preparation, held; interrupted = Vec::new() }
    Failed { slot, stage, reason, place }
}

named! {
    Mode { "fresh" => Fresh, "shared" => Shared, "calls" => Calls }
    Scale { "linear" => Linear, "log" => Log }
    Stage { "request" => Request, "generator" => Generator, "function" => Function, "hook" => Hook }
}

impl Read for Parameter {
    fn read(json: &Json) -> Option<Self> {
        let kind = match json.at("type").text() {
            "integer" => Kind::Integer(Numeric::read(json)?),
            "float" => Kind::Float(Numeric::read(json)?),
            "choice" => read!(json, Kind::Choice { options, default })?,
            "text" => read!(json, Kind::Text { default })?,
            _ => return None,
        };
        Some(Self { name: json.get("name")?, description: json.get("description")?, kind })
    }
}

impl Read for ChoiceOption {
    fn read(json: &Json) -> Option<Self> {
        Some(Self { name: json.get("name")?, description: json.at("description").text().to_owned() })
    }
}

impl Read for NumericDefault {
    fn read(json: &Json) -> Option<Self> {
        match json {
            Json::Number(value) => Some(Self::Value(*value)),
            range => Range::read(range).map(Self::Range),
        }
    }
}

impl Read for Target {
    fn read(json: &Json) -> Option<Self> {
        let Json::Object(fields) = json else {
            return match json.text() {
                "reference" => Some(Self::Reference),
                "tier" => Some(Self::Tier),
                "clock" => Some(Self::Clock),
                _ => None,
            };
        };
        let (name, of) = fields.first()?;
        let of = usize::read(of)?;
        match name.as_str() {
            "function" => Some(Self::Function(of)),
            "empty" => Some(Self::Empty(of)),
            "check" => Some(Self::Check(of)),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::come_back;
    use super::*;

    fn assert_comes_back(message: &SuiteMessage) {
        assert_eq!(come_back::<SuiteMessage>(message).as_ref(), Some(message));
    }

    fn samples(target: Target) -> SuiteMessage {
        SuiteMessage::Samples(Samples {
            slot: 3,
            target,
            calls: 1,
            elapsed: vec![1.0, 2.5],
            preparation: 0.5,
            held: 8.0,
            allocations: Some(vec![2]),
            hashes: Some(vec!["0f".to_owned()]),
            // As in a browser.
            interrupted: Vec::new(),
        })
    }

    #[test]
    fn every_message_comes_back() {
        let slot = 3;
        assert_comes_back(&SuiteMessage::Opened(Opened { slot, round: 1, one_call_a_batch: true, preparation: 1.5 }));
        use Target::{Check, Clock, Empty, Reference, Tier};
        for target in [Target::Function(0), Empty(1), Reference, Tier, Clock, Check(2)] {
            assert_comes_back(&samples(target));
        }
        let interleaved =
            Interleaved { slot, elapsed: vec![1.0, 2.5], preparation: 0.5, held: vec![8.0], interrupted: Vec::new() };
        assert_comes_back(&SuiteMessage::Interleaved(interleaved));
        assert_comes_back(&SuiteMessage::Closed { slot });
        for stage in [Stage::Request, Stage::Generator, Stage::Function, Stage::Hook] {
            for place in [None, Some("src/main.rs:1:1".to_owned())] {
                let failed = Failed { slot: place.as_ref().map(|_| slot), stage, reason: "it did".to_owned(), place };
                assert_comes_back(&SuiteMessage::Failed(failed));
            }
        }
        assert_comes_back(&SuiteMessage::Refused { bytes: 9, bound: 8 });
    }

    #[test]
    fn a_catalog_comes_back() {
        let text = |text: &str| text.to_owned();
        let build = Build {
            rustc: text("rustc 1.95.0"),
            target: text("wasm32-unknown-unknown"),
            opt_level: text("3"),
            debug_assertions: true,
            target_features: vec![text("simd128")],
        };
        let function = Function {
            path: text("sorting::sort"),
            signature: text("fn sort(keys: &mut [u64])"),
            docs: text("Sorts."),
            file: text("src/sorting.rs"),
            line: 12,
            generators: vec![text("keys")],
            native: true,
            alternatives: Some(text("sort")),
        };
        let numeric = |scale, step, default, unit| Numeric {
            of: text("u32"),
            min: 1.0,
            max: 1_000.0,
            step,
            default,
            unit,
            scale,
            axis: true,
        };
        let range = NumericDefault::Range(Range { low: 10.0, high: 100.0 });
        let options = ["", "The second."].map(|told| ChoiceOption { name: text("A"), description: text(told) });
        let kinds = [
            Kind::Integer(numeric(Scale::Log, Some(1.0), range, Some(text("keys")))),
            Kind::Float(numeric(Scale::Linear, None, NumericDefault::Value(0.5), None)),
            Kind::Choice { options: options.to_vec(), default: text("A") },
            Kind::Text { default: text("needle") },
        ];
        let parameter = |kind| Parameter { name: text("size"), description: text("Number of keys."), kind };
        let generators = [Mode::Fresh, Mode::Shared, Mode::Calls].map(|mode| Generator {
            path: text("keys"),
            name: text("Keys"),
            docs: text("Keys."),
            mode,
            parameters: kinds.clone().map(parameter).to_vec(),
            native: mode == Mode::Calls,
        });
        let suite = Suite {
            name: text("demo"),
            version: text("0.1.0"),
            build,
            functions: vec![function.clone(), Function { native: false, alternatives: None, ..function }],
            generators: generators.to_vec(),
        };
        assert_comes_back(&SuiteMessage::Catalog { protocol: 2, suite, unguarded: None });
    }

    #[test]
    fn what_is_no_message_is_none() {
        for text in [r#"{"type":"catalog"}"#, r#"{"type":"later"}"#, r#"{"type":"closed","slot":"x"}"#, "[]", "3"] {
            assert_eq!(SuiteMessage::read(&text.parse().expect("it is JSON")), None, "{text}");
        }
    }
}
