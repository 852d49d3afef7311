//! A profile as JSON: its frames in a list, since readers of JSON limit how deep values are nested.

use serde::{Deserialize, Serialize};

use crate::amounts::Amounts;
use crate::counts::ProfilePoint;
use crate::frame::{Frame, Place};

/// The deepest chain of calls that is read: deeper ones than programs have could exhaust the stack.
const MAX_DEPTH: usize = 500;

/// What the calls of a function execute at each axis value.
#[derive(Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Profile"))]
pub(crate) struct WrittenProfile {
    /// The function's path in its suite.
    pub function: String,
    /// The crate of the function, as in the names of its frames; empty if it is unknown.
    pub crate_name: String,
    /// The name of the varied parameter; empty without an axis.
    pub axis: String,
    /// The axis values, ascending.
    pub points: Vec<ProfilePoint>,
    /// The frames, each after its caller. The first one is the function itself.
    pub frames: Vec<WrittenFrame>,
    /// Whether functions of the standard library are part of their callers.
    #[serde(default)]
    pub includes_library: bool,
}

/// A function in a chain of calls, with what it executed there at each axis value.
#[derive(Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Frame"))]
pub(crate) struct WrittenFrame {
    /// The index of the frame of its caller, or of the function that it was inlined into; absent for the first one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    caller: Option<usize>,
    /// Its name: demangled, without its hash.
    name: String,
    /// Its first line that was compiled; absent without debug information.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    place: Option<Place>,
    /// The line of its caller that calls it; absent where the calls of all lines are together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    call_site: Option<Place>,
    /// Whether the compiler has inlined it here, at least once. Absent: no.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    is_inlined: bool,
    /// What it executed itself, by the points of the profile.
    own: Vec<Amounts>,
}

/// A frame and all below it as a list.
pub(crate) fn listed(root: Frame) -> Vec<WrittenFrame> {
    let mut frames = Vec::new();
    let mut left = vec![(None, root)];
    while let Some((caller, Frame { name, place, call_site, is_inlined, own, children })) = left.pop() {
        let index = frames.len();
        frames.push(WrittenFrame { caller, name, place, call_site, is_inlined, own });
        left.extend(children.into_iter().rev().map(|child| (Some(index), child)));
    }
    frames
}

/// The tree of a list. `points`: how many amounts each frame has.
///
/// # Errors
/// If the list is no tree, or something is missing.
pub(crate) fn tree(frames: Vec<WrittenFrame>, points: usize) -> Result<Frame, &'static str> {
    if points == 0 || frames.iter().any(|frame| frame.own.len() != points) {
        return Err("each frame needs its amounts at each point");
    }
    let mut depths: Vec<usize> = Vec::new();
    for (index, frame) in frames.iter().enumerate() {
        let depth = match frame.caller {
            None if index == 0 => 0,
            Some(caller) if caller < index => depths[caller] + 1,
            _ => return Err("a frame comes before its caller"),
        };
        if depth > MAX_DEPTH {
            return Err("the frames are too deep");
        }
        depths.push(depth);
    }
    // Callees come last, so each frame is complete when it is its caller's turn.
    let mut complete: Vec<Vec<Frame>> = frames.iter().map(|_| Vec::new()).collect();
    let mut root = None;
    for (index, frame) in frames.into_iter().enumerate().rev() {
        let WrittenFrame { caller, name, place, call_site, is_inlined, own } = frame;
        let mut children = std::mem::take(&mut complete[index]);
        children.reverse();
        let frame = Frame { name, place, call_site, is_inlined, own, children };
        match caller {
            Some(caller) => complete[caller].push(frame),
            None => root = Some(frame),
        }
    }
    root.ok_or("there are no frames")
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::profile::Profile;

    fn written() -> Value {
        let frame = |caller: Option<usize>, name: &str, instructions: i64| {
            let own = json!([{"instructions": instructions}]);
            match caller {
                Some(caller) => json!({"caller": caller, "name": name, "own": own}),
                None => json!({"name": name, "own": own}),
            }
        };
        json!({
            "function": "sort", "crate_name": "demo", "axis": "", "points": [{"x": null, "calls": 16}],
            "frames": [frame(None, "sort", 1), frame(Some(0), "merge", 2), frame(Some(1), "lt", 3), frame(Some(0), "drop", 4)],
            "includes_library": false,
        })
    }

    #[test]
    fn a_profile_is_read_as_it_was_written() {
        let profile: Profile = serde_json::from_value(written()).unwrap();
        let names: Vec<&str> = profile.root.children.iter().map(|child| child.name.as_str()).collect();
        assert_eq!((names, profile.total(0).instructions), (vec!["merge", "drop"], 10));
        assert_eq!(serde_json::to_value(&profile).unwrap(), written());
    }

    #[test]
    fn a_damaged_profile_is_rejected() {
        let read = |change: &dyn Fn(&mut Value)| {
            let mut changed = written();
            change(&mut changed);
            serde_json::from_value::<Profile>(changed).map(drop).map_err(|error| error.to_string())
        };
        let early = "a frame comes before its caller";
        for (frame, caller) in [(1, json!(1)), (1, Value::Null), (2, json!(9)), (0, json!(0))] {
            let outcome = read(&|written| written["frames"][frame]["caller"] = caller.clone());
            assert_eq!(outcome, Err(early.to_owned()), "{frame} {caller}");
        }
        let short = "each frame needs its amounts at each point";
        assert_eq!(read(&|written| written["frames"] = json!([])), Err("there are no frames".to_owned()));
        assert_eq!(read(&|written| written["points"] = json!([])), Err(short.to_owned()));
        assert_eq!(read(&|written| written["frames"][3]["own"] = json!([])), Err(short.to_owned()));
        let chain = |length: usize| {
            let frame = |index: usize| json!({"name": "f", "caller": index.checked_sub(1), "own": [{}]});
            read(&|written| written["frames"] = (0..length).map(frame).collect())
        };
        assert_eq!(chain(MAX_DEPTH + 1), Ok(()));
        assert_eq!(chain(MAX_DEPTH + 2), Err("the frames are too deep".to_owned()));
    }
}
