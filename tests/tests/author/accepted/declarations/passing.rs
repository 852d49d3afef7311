//! Every way to take an input.

use std::borrow::Cow;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use benchbook::prelude::*;

// No parameter, no input.

/// Returns a new value in each call.
#[measured]
fn without_input() -> String {
    "text".to_owned()
}

/// Returns nothing.
#[measured(native)]
fn without_input_and_output() {}

// One parameter takes the input.

/// Takes a reference.
#[measured(generators(text))]
fn by_reference(text: &String) -> usize {
    text.len()
}

/// Takes a mutable reference.
#[measured(generators(text))]
fn by_mutable_reference(text: &mut String) {
    text.clear();
}

/// Takes a value.
#[measured(generators(text, shared_text))]
fn by_value(text: String) -> String {
    text
}

/// Takes a value and changes it.
#[measured(generators(text, shared_text))]
fn mutable_by_value(mut text: String) -> String {
    text.push('!');
    text
}

/// Takes the contents of a `String`.
#[measured(generators(text, shared_text))]
fn as_str(text: &str) -> &str {
    text.trim()
}

/// Names a lifetime.
#[measured(generators(text, shared_text))]
fn with_a_named_lifetime<'t>(text: &'t str) -> Option<Cow<'t, str>> {
    text.strip_prefix(' ').map(Cow::Borrowed)
}

/// Returns a borrow of a mutable input.
#[measured(generators(text))]
fn borrows_from_mutable(text: &mut String) -> &mut str {
    text.as_mut_str()
}

/// Returns an opaque type.
#[measured(generators(text, shared_text))]
fn opaque_result(text: &str) -> impl Iterator<Item = char> {
    text.chars()
}

/// Takes the contents of a `PathBuf`.
#[measured(generators(path))]
fn as_path(path: &Path) -> bool {
    path.is_absolute()
}

/// Takes a tuple as a whole.
#[measured(generators(pair))]
fn whole_tuple(pair: &(u64, u64)) -> u64 {
    pair.0 ^ pair.1
}

/// Takes a pattern.
#[measured(generators(pair))]
fn pattern((one, other): (u64, u64)) -> u64 {
    one ^ other
}

// Several take the elements of a tuple.

/// Takes the contents of an `Rc`.
#[measured(generators(map_and_key))]
fn through_rc(map: &HashMap<u64, u64>, key: u64) -> Option<&u64> {
    map.get(&key)
}

/// Takes each element in another way.
#[measured(generators(many))]
fn mixed(list: &mut Vec<u64>, keys: &[u64], text: &str, key: u64, float: &f64) -> usize {
    list.extend(keys);
    list.len() + text.len() + key as usize + *float as usize
}

/// Changes no element.
#[measured(generators(many))]
fn only_borrowed(list: &[u64], keys: &[u64], _text: &str, _key: u64, _float: &f64) -> bool {
    list == keys
}

/// Takes the most parameters.
#[measured(generators(eight))]
fn eight_parameters(a: u64, b: u64, c: u64, d: u64, e: u64, f: u64, g: u64, h: &mut u64) {
    *h = a ^ b ^ c ^ d ^ e ^ f ^ g;
}

// Inputs without `Clone` are passed by value from `Owned`.

struct Task(u64);

/// Consumes its input.
#[measured(generators(task))]
fn by_value_without_clone(task: Task) -> u64 {
    task.0
}

/// Consumes its input and returns it.
#[measured(generators(task))]
fn mutable_without_clone(mut task: Task) -> Task {
    task.0 += 1;
    task
}

/// Consumes the elements of a tuple.
#[measured(generators(task_and_number))]
fn several_without_clone(task: Task, number: u64) -> u64 {
    task.0 + number
}

/// Takes a large input that all calls share.
#[measured(generators(one_text))]
fn single_input(text: &str) -> usize {
    text.len()
}

/// A task.
#[generator(name = "Task")]
fn task(_service: &Service) -> Owned<Task> {
    Owned::new(|rng| Task(rng.random())).elements(1).bytes(8).one_call_per_batch()
}

/// A task and a number.
#[generator(name = "Task and number")]
fn task_and_number(_service: &Service) -> Owned<(Task, u64)> {
    Owned::new(|rng| (Task(rng.random()), 1))
}

/// A text that all calls share.
#[generator(name = "One text")]
fn one_text(_service: &Service) -> Shared<String> {
    Shared::new(|_| String::new()).one()
}

// Functions without a body in wasm.

/// Has no body in wasm.
#[measured(native, generators(native_text))]
fn native(text: &str) -> std::io::Result<String> {
    std::fs::read_to_string(text)
}

/// A text.
#[generator(name = "Text")]
fn text(_service: &Service) -> Fresh<String> {
    Fresh::new(|_| "text".to_owned()).after_call(|text| text.clear()).after_all(|| {}).one_call_per_batch()
}

/// A shared text.
#[generator(name = "Shared text")]
fn shared_text(_service: &Service) -> Shared<String> {
    Shared::new(|_| "text".to_owned()).after_call(|_| {}).after_all(|| {}).one_call_per_batch()
}

/// A text for native functions.
#[generator(name = "Native text", native)]
fn native_text(_service: &Service) -> Shared<String> {
    Shared::new(|_| "text".to_owned())
}

/// A path.
#[generator(name = "Path")]
fn path(service: &Service) -> Shared<PathBuf> {
    let folder = service.scratch().map_or_else(PathBuf::new, PathBuf::from);
    Shared::new(move |_| folder.clone())
}

/// Two numbers.
#[generator(name = "Whole tuple")]
fn pair(_service: &Service) -> Fresh<(u64, u64)> {
    Fresh::new(|rng| (rng.random(), 1))
}

/// A map and its keys.
#[generator(name = "Map and key")]
fn map_and_key(_service: &Service) -> Calls<(Rc<HashMap<u64, u64>>, u64)> {
    let map = Rc::new(HashMap::from([(1, 2)]));
    Calls::new(move |_| vec![(Rc::clone(&map), 1)]).after_call(|_| {}).after_all(|| {})
}

/// An input for each way to take one.
#[generator(name = "Many")]
fn many(_service: &Service) -> Fresh<(Vec<u64>, Vec<u64>, String, u64, f64)> {
    Fresh::new(|_| (Vec::new(), vec![1], String::new(), 1, 0.0))
}

/// Eight numbers.
#[generator(name = "Eight")]
fn eight(_service: &Service) -> Fresh<(u64, u64, u64, u64, u64, u64, u64, u64)> {
    Fresh::new(|_| (1, 0, 0, 0, 0, 0, 0, 0))
}
