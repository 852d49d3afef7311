//! The list of benchmarks, and the values that options and arguments accept.

use std::sync::Arc;

use benchbook_contract::catalog::{Function, Generator};
use benchbook_contract::parameter::{Argument, Kind};

use crate::counter::{BytesCount, CharsCount, ItemsCount};
use crate::entry::{
    ArgumentList, BenchEntry, BenchInstance, DebugLabel as _, DisplayLabel as _, GroupEntry, Label, Visit, constant_at,
    has_constant_at, pass, with_argument, without_argument,
};
use crate::list::BenchmarkList;
use crate::options::{BenchOptions, IntoThreads};

static PLAIN: [BenchInstance; 1] = [instance(|visit| without_argument(visit, |bencher| bencher.bench(|| 1)))];

/// An instance without a type and a constant.
const fn instance(visit: fn(Visit<'_>)) -> BenchInstance {
    BenchInstance { type_name: "", constant: None, visit }
}

/// A benchmark `entry` in the module `benches::sorting`.
const ENTRY: BenchEntry = BenchEntry {
    program: "benches",
    module: "benches::sorting",
    name: "entry",
    signature: "fn entry()",
    docs: "",
    source: "",
    file: "benches/benches.rs",
    line: 7,
    version: "1.0.0",
    is_in_program: true,
    constant: "",
    argument: "",
    options: BenchOptions::default,
    instances: &PLAIN,
};

fn list(entries: &'static [BenchEntry], groups: &'static [GroupEntry]) -> BenchmarkList {
    BenchmarkList::of(entries, groups, "benches")
}

fn catalog(entries: &'static [BenchEntry], groups: &'static [GroupEntry]) -> (Vec<Function>, Vec<Generator>) {
    list(entries, groups).evaluate(&[]).catalog().expect("there are benchmarks")
}

#[test]
fn options_of_inner_groups_take_precedence() {
    static ENTRIES: [BenchEntry; 2] = [
        BenchEntry { module: "benches::outer::inner", options: || BenchOptions::default().items_count(1_u8), ..ENTRY },
        BenchEntry { module: "benches::outer", ..ENTRY },
    ];
    static GROUPS: [GroupEntry; 2] = [
        GroupEntry {
            module: "benches::outer",
            name: Some("renamed"),
            options: || BenchOptions::default().items_count(2_u8).bytes_count(20_u8).threads(true).sample_size(1),
        },
        GroupEntry {
            module: "benches::outer::inner",
            name: None,
            options: || BenchOptions::default().bytes_count(10_u8).threads(1..3),
        },
    ];
    let list = list(&ENTRIES, &GROUPS);
    let of = |path: &str| {
        let options = list.find(path).expect("it is listed").options;
        (options.counted.items, options.counted.bytes, options.threads.clone())
    };
    assert_eq!(of("renamed::inner::entry"), (Some(1), Some(10), Some(vec![1, 2])));
    assert_eq!(of("renamed::entry"), (Some(2), Some(20), Some(vec![0])));
    let without_effect: Vec<&str> = list.evaluate(&[]).without_effect().iter().map(|setting| setting.name).collect();
    assert_eq!(without_effect, ["sample_size"]);
}

#[test]
fn benchmarks_of_other_crates_have_the_name_of_their_crate() {
    static ENTRIES: [BenchEntry; 3] = [
        BenchEntry { module: "benches", ..ENTRY },
        BenchEntry { module: "library::sorting", ..ENTRY },
        BenchEntry { module: "benches::r#mod", ..ENTRY },
    ];
    let (functions, generators) = catalog(&ENTRIES, &[]);
    let paths: Vec<&str> = functions.iter().map(|function| function.path.as_str()).collect();
    assert_eq!(paths, ["entry", "library::sorting::entry", "mod::entry"]);
    let generators: Vec<(&str, &str)> = generators.iter().map(|of| (of.path.as_str(), of.name.as_str())).collect();
    assert_eq!(generators, [("benchmarks", "benchmarks"), ("library::sorting", "sorting"), ("mod", "mod")]);
}

#[test]
fn ignored_benchmarks_are_omitted() {
    static ENTRIES: [BenchEntry; 2] = [
        BenchEntry { name: "ignored", options: || BenchOptions::default().ignore(true), ..ENTRY },
        BenchEntry { name: "empty", instances: &[], ..ENTRY },
    ];
    let list = list(&ENTRIES, &[]).evaluate(&[]);
    assert_eq!(list.omitted, ["`sorting::empty` (an empty list)", "`sorting::ignored` (ignored)"]);
    assert_eq!(
        list.catalog().expect_err("none is left"),
        "the program has no benchmarks to measure: write #[divan::bench] above a function; not measured: `sorting::empty` (an empty list), \
         `sorting::ignored` (ignored)"
    );
}

/// The paths of the functions with the values of their parameters, and the notes.
fn listed(entries: &'static [BenchEntry]) -> (Vec<(String, String)>, Vec<String>) {
    let (functions, generators) = catalog(entries, &[]);
    let values = |path: &str| {
        let generator = generators.iter().find(|generator| generator.path == path).expect("it is listed");
        let values = generator.parameters.iter().map(|parameter| match &parameter.kind {
            Kind::Integer(numeric) | Kind::Float(numeric) => format!("{:?}", numeric.values),
            Kind::Choice { options, .. } => {
                options.iter().map(|option| option.name.as_str()).collect::<Vec<_>>().join("|")
            }
            Kind::Text { .. } => "text".to_owned(),
        });
        values.collect::<Vec<_>>().join(", ")
    };
    let row = |function: &Function| (function.path.clone(), values(&function.generators[0]));
    (functions.iter().map(row).collect(), list(entries, &[]).evaluate(&[]).notes)
}

fn row(path: &str, values: &str) -> (String, String) {
    (path.to_owned(), values.to_owned())
}

#[test]
fn of_equal_paths_the_second_is_numbered() {
    const OF_TYPE: BenchInstance = BenchInstance { type_name: "<u8>", ..instance(PLAIN[0].visit) };
    static TYPED: [BenchInstance; 2] = [OF_TYPE, OF_TYPE];
    static ENTRIES: [BenchEntry; 4] = [
        ENTRY,
        BenchEntry { line: 9, ..ENTRY },
        BenchEntry { line: 11, name: "typed", instances: &TYPED, ..ENTRY },
        BenchEntry { line: 13, name: "typed", instances: &TYPED, ..ENTRY },
    ];
    let (functions, notes) = listed(&ENTRIES);
    let paths = ["entry", "entry_2", "typed<u8>", "typed_2<u8>", "typed_2_2<u8>", "typed_3<u8>"];
    assert_eq!(functions, paths.map(|path| row(&format!("sorting::{path}"), "")));
    assert!(notes.len() == 4 && notes[3].starts_with("two types of the benchmark `sorting::typed_2<u8>`"), "{notes:?}");
    assert_eq!(
        notes[0],
        "two benchmarks have the path `sorting::entry`: benches/benches.rs:7 and benches/benches.rs:9. The second is listed as \
         `sorting::entry_2`. Rename one, such as #[divan::bench(name = \"…\")]"
    );
    let line = |path: &str| list(&ENTRIES, &[]).find(path).map(|listed| listed.entry.line);
    assert_eq!(line("sorting::entry_2"), Ok(9));
    assert_eq!(line("sorting::typed_3<u8>"), Ok(11));
    assert_eq!(line("sorting::typed_5<u8>"), Err("there is no function `sorting::typed_5<u8>`".to_owned()));
}

#[test]
fn equal_arguments_are_functions_of_their_own() {
    static EQUAL: [BenchInstance; 1] =
        [instance(|visit| with_argument(visit, &[1, 2, 1], |_, _| (), ToString::to_string))];
    static ENTRIES: [BenchEntry; 1] = [BenchEntry { argument: "size", instances: &EQUAL, ..ENTRY }];
    let (functions, notes) = listed(&ENTRIES);
    assert_eq!(functions, [row("sorting::entry", "[1.0, 2.0]"), row("sorting::entry_2", "")]);
    assert_eq!(
        notes,
        [
            "two values of `size` of the benchmark `sorting::entry` (benches/benches.rs:7) are the same text. Those that are repeated are \
             listed as `sorting::entry_2`. Remove them, or give them different texts"
        ]
    );
    let position = |path: &str, arguments: &[(&str, Argument)]| {
        let arguments = arguments.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
        list(&ENTRIES, &[]).find(path)?.choose(&arguments).map(|chosen| chosen.argument)
    };
    assert_eq!(position("sorting::entry", &[("size", Argument::Number(2.0))]), Ok(Some(1)));
    assert_eq!(position("sorting::entry_2", &[]), Ok(Some(2)));
}

#[test]
fn names_and_arguments_have_their_listed_form() {
    static TEXTS: [BenchInstance; 1] =
        [instance(|visit| with_argument(visit, &["", "\u{1b}[2J"], |_, _| (), ToString::to_string))];
    static ENTRIES: [BenchEntry; 1] = [BenchEntry { name: "", argument: "text", instances: &TEXTS, ..ENTRY }];
    assert_eq!(listed(&ENTRIES).0, [row("sorting::(empty)", "(empty)|\\u{1b}[2J")]);
}

#[test]
fn a_benchmark_whose_options_or_arguments_panic_is_omitted() {
    static PANICS: [BenchInstance; 1] = [instance(|_| panic!("its arguments are missing"))];
    static ENTRIES: [BenchEntry; 3] = [
        ENTRY,
        BenchEntry { name: "arguments", instances: &PANICS, ..ENTRY },
        BenchEntry { name: "options", options: || panic!("its options are missing"), ..ENTRY },
    ];
    // Opening a benchmark evaluates no other.
    assert!(list(&ENTRIES, &[]).find("sorting::entry").is_ok());
    let (functions, notes) = listed(&ENTRIES);
    assert_eq!(functions, [row("sorting::entry", "")]);
    assert_eq!(notes.len(), 2, "{notes:?}");
    for (note, name) in notes.iter().zip(["arguments", "options"]) {
        assert!(
            note.starts_with(&format!("`sorting::{name}` is omitted, since it panicked at engine/divan/")),
            "{note}"
        );
        assert!(note.contains(&format!("its {name} are missing")), "{note}");
    }
}

#[test]
fn threads_are_a_parameter_if_there_are_several_numbers() {
    static INSTANCES: [BenchInstance; 1] =
        [instance(|visit| with_argument(visit, &[1, 2], |_, _| (), ToString::to_string))];
    static ENTRIES: [BenchEntry; 4] = [
        BenchEntry { name: "single", options: || BenchOptions::default().threads(false), ..ENTRY },
        BenchEntry { name: "all", options: || BenchOptions::default().threads(true), ..ENTRY },
        BenchEntry { name: "list", options: || BenchOptions::default().threads([4, 1, 4]), ..ENTRY },
        BenchEntry {
            name: "range",
            argument: "threads",
            instances: &INSTANCES,
            options: || BenchOptions::default().threads(0..=1),
            ..ENTRY
        },
    ];
    let (functions, generators) = catalog(&ENTRIES, &[]);
    let of = |name: &str| {
        let function = functions.iter().find(|function| function.path.ends_with(name)).expect("it is listed");
        let generator = generators.iter().find(|of| of.path == function.generators[0]).expect("it is listed");
        let names: Vec<&str> = generator.parameters.iter().map(|parameter| parameter.name.as_str()).collect();
        (function.native, names)
    };
    assert_eq!(of("single"), (false, vec![]));
    assert_eq!(of("all"), (true, vec![]));
    assert_eq!(of("list"), (true, vec!["threads"]));
    assert_eq!(of("range"), (true, vec!["threads", "threads (divan)"]));

    let list = list(&ENTRIES, &[]);
    let choose = |name: &str, arguments: &[(&str, Argument)]| {
        let arguments = arguments.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
        let chosen = list.find(&format!("sorting::{name}"))?.choose(&arguments)?;
        Ok::<_, String>((chosen.threads, chosen.argument))
    };
    let per_core = ("threads (divan)", Argument::Text("one per core".to_owned()));
    assert_eq!(choose("all", &[]), Ok((0, None)));
    assert_eq!(choose("list", &[("threads", Argument::Number(4.0))]), Ok((4, None)));
    assert_eq!(choose("range", &[("threads", Argument::Number(2.0)), per_core]), Ok((0, Some(1))));
    assert_eq!(choose("list", &[]), Err("the argument `threads` is missing".to_owned()));
    assert_eq!(choose("list", &[("threads", Argument::Number(3.0))]), Err("3 is not a value of `threads`".to_owned()));
}

#[test]
fn items_of_a_list_are_passed_as_the_function_takes_them() {
    static NUMBERS: ArgumentList = ArgumentList::new();
    let double = |number: u8| number * 2;
    let sum = |numbers: &[&'static u8]| numbers.iter().map(|number| u32::from(**number)).sum::<u32>();
    // An integer of the list has the type that the function takes.
    let list = NUMBERS.get(|| [1, 2]);
    assert_eq!(double(pass(&list[1])), 4);
    assert_eq!(sum(&[pass(&list[0]), pass(&list[1])]), 3);

    static TEXTS: ArgumentList = ArgumentList::new();
    static OWNED: ArgumentList = ArgumentList::new();
    static SHARED: ArgumentList = ArgumentList::new();
    let length = |text: &'static str| text.len();
    assert_eq!(length(pass(&TEXTS.get(|| ["abc"])[0])), 3);
    assert_eq!(length(pass(&OWNED.get(|| vec!["abc".to_owned()])[0])), 3);
    assert_eq!(length(pass(&SHARED.get(|| [Arc::<str>::from("abc")])[0])), 3);
}

#[test]
fn labels_prefer_display() {
    #[derive(Debug)]
    enum Order {
        Ascending,
    }
    let (text, number, list, order) = (&Label(&"text"), &Label(&&7), &Label(&[7]), &Label(&Order::Ascending));
    assert_eq!([text.label(), number.label(), list.label(), order.label()], ["text", "7", "[7]", "Ascending"]);
}

#[test]
fn a_list_of_constants_has_an_end() {
    const LIST: &[u8] = &[3, 4];
    assert_eq!([constant_at(LIST, 1), constant_at(LIST, 2)], [4, 3]);
    assert_eq!([has_constant_at(LIST, 1, 20), has_constant_at(LIST, 2, 20)], [true, false]);
}

#[test]
fn numbers_of_threads_have_several_forms() {
    const LIST: &[usize] = &[2, 8];
    assert_eq!(true.into_threads(), [0]);
    assert_eq!(false.into_threads(), [1]);
    assert_eq!(3.into_threads(), [3]);
    assert_eq!((0..=2).into_threads(), [0, 1, 2]);
    assert_eq!((1..3).into_threads(), [1, 2]);
    assert_eq!(LIST.into_threads(), [2, 8]);
    assert_eq!(vec![5].into_threads(), [5]);
}

#[test]
fn items_are_elements_and_characters_are_without_items() {
    let of = |options: BenchOptions| {
        let throughput = options.counted.throughput();
        (throughput.elements, throughput.bytes)
    };
    assert_eq!(of(BenchOptions::default().counter(CharsCount::of_str("äb"))), (Some(2), None));
    assert_eq!(of(BenchOptions::default().counter(7_usize).chars_count(9_u8)), (Some(7), None));
    assert_eq!(of(BenchOptions::default().counter(ItemsCount::of_iter(0..4))), (Some(4), None));
    assert_eq!(of(BenchOptions::default().counter(BytesCount::of_slice(&[1_u16, 2]))), (None, Some(4)));
    assert_eq!(of(BenchOptions::default().counter(BytesCount::u32(3))), (None, Some(12)));
    assert_eq!(of(BenchOptions::default().items_count(0_u8).cycles_count(5_u8)), (None, None));
}

#[test]
fn listing_calls_no_function() {
    let mut labels = Vec::new();
    without_argument(Visit(crate::entry::Purpose::List(&mut labels)), |_| panic!("it only lists"));
    assert!(labels.is_empty());
}
