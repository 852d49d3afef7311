//! What the tab of the code shows, from the listings that a notebook stores.

use benchbook_assembly::{CodeFormat, Difference, Listing, answer, difference_answer, listing_text};
use benchbook_contract::catalog::name_of;
use benchbook_host::alternative::Alternative;
use benchbook_host::units::count;
use serde::Deserialize;

use crate::components::results::sources::Source;

/// The code of a function as shown.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct CodeModel {
    /// The path of the function.
    pub(super) path: String,
    pub(super) listing: Listing,
    /// How much code it has, or how much differs.
    pub(super) answer: String,
    /// The functions that were inlined into it, unless it is compared.
    pub(super) inlined: Vec<String>,
    /// A unified difference, if it is compared.
    pub(super) difference: Option<String>,
}

impl CodeModel {
    /// The code of a function, compared with other code; `None` if the notebook has a listing that this version cannot read.
    pub(super) fn new(shown: &Source, before: Option<&Source>) -> Option<Self> {
        let read = |source: &Source| Listing::deserialize(&*source.document.0).ok().filter(Listing::is_valid);
        let (path, listing) = (Alternative::parse(&shown.function).path.to_owned(), read(shown)?);
        Some(match before.and_then(|before| Some((before, read(before)?))) {
            Some((before, other)) => {
                let names = [before.label.as_str(), shown.label.as_str()];
                let difference = Difference::new([&other, &listing], names);
                let answer = difference_answer(difference.as_ref(), names, count);
                let unified = difference.map(|difference| difference.unified).unwrap_or_default();
                Self { path, listing, answer, inlined: Vec::new(), difference: Some(unified) }
            }
            None => Self {
                answer: answer(&path, &listing, count),
                inlined: listing.inlined_into(&path).into_iter().map(str::to_owned).collect(),
                path,
                listing,
                difference: None,
            },
        })
    }

    /// Whether the function was inlined into code that is not part of it.
    pub(super) fn has_code_around(&self) -> bool {
        self.difference.is_none() && self.listing.belong_to(&self.path).contains(&false)
    }

    /// What is shown, as text.
    pub(super) fn text(&self) -> String {
        let code = self.difference.clone().unwrap_or_else(|| listing_text(&self.path, &self.listing, count));
        format!("{}\n\n{code}", self.answer)
    }

    /// Which code this is.
    pub(super) fn note(&self) -> String {
        match self.listing.format {
            CodeFormat::Wasm => {
                "From the module as compiled. Browsers execute it without names, and after wasm-opt if that was installed.".to_owned()
            }
            CodeFormat::X86 if self.listing.places.is_empty() => format!(
                "From the executable that was measured, which has no line numbers. `cargo benchbook assembly {} --with-source` shows the lines; `debug = \"limited\"` in the suite's profile adds them here.",
                name_of(&self.path)
            ),
            CodeFormat::X86 => "From the executable that was measured.".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use benchbook_host::response::MachineKind;
    use benchbook_notebook::result::SharedValue;
    use serde_json::{Value, json};

    use super::*;

    fn source(label: &str, listing: Value) -> Source {
        let document = SharedValue(Rc::new(listing));
        let kind = MachineKind::Native;
        Source {
            key: label.to_owned(),
            label: label.to_owned(),
            function: "a::f@77c0a41f0b12".to_owned(),
            kind,
            document,
        }
    }

    fn native(register: &str) -> Value {
        json!({ "function": "demo::a::f", "format": "x86-64", "bytes": 5, "loops": [], "instructions": [
            { "offset": 0, "text": format!("mov {register}, rdi"), "registers": [format!("={register}"), "rdi"] },
            { "offset": 3, "text": format!("mov rax, {register}"), "registers": ["=rax", register] },
            { "offset": 6, "text": "ret", "flow": "return", "registers": ["(~rsp"] },
        ] })
    }

    #[test]
    fn code_that_differs_only_in_registers_is_the_same() {
        let model = CodeModel::new(&source("new", native("rcx")), Some(&source("old", native("r8")))).unwrap();
        assert_eq!(model.difference.as_deref(), Some(""));
        assert_eq!(
            model.answer,
            "`new` and `old` have the same code, apart from addresses and the choice of registers"
        );
        let alone = CodeModel::new(&source("new", native("rcx")), None).unwrap();
        assert!(alone.answer.starts_with("`a::f`: 3 instructions (5 bytes)"), "{}", alone.answer);
        assert!(alone.text().ends_with(" ret\n") && !alone.has_code_around());
    }

    #[test]
    fn what_cannot_be_read_is_not_shown() {
        assert_eq!(CodeModel::new(&source("f", json!({ "function": "f" })), None), None);
        let mut impossible = native("rcx");
        impossible["instructions"][0]["depth"] = json!(u32::MAX);
        assert_eq!(CodeModel::new(&source("f", impossible), None), None);
        // Compared with something unreadable, it is shown alone.
        let model = CodeModel::new(&source("f", native("rcx")), Some(&source("g", json!(1)))).unwrap();
        assert_eq!(model.difference, None);
    }
}
