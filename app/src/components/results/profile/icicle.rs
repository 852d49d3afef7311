//! The chart of the frames: each below its caller, as wide as its share.

use std::rc::Rc;

use benchbook_chart::{IcicleCell, icicle};
use benchbook_profile::{ProfileGrowth, brief_name, in_percent, short_number};
use yew::prelude::*;

use super::model::{Part, ProfileModel};
use super::{amount, changed, fill};
use crate::effects::browser::focus;

/// Up to so many rows, frames have two lines.
const TALL_ROWS: usize = 7;

#[derive(PartialEq, Properties)]
pub(super) struct IcicleProps {
    pub(super) model: Rc<ProfileModel>,
    /// The path of the frame that is as wide as the chart.
    pub(super) zoom: Vec<usize>,
    pub(super) on_zoom: Callback<Vec<usize>>,
    /// In lower case; empty for no search.
    pub(super) search: String,
}

#[component]
pub(super) fn Icicle(props: &IcicleProps) -> Html {
    let IcicleProps { model, zoom, on_zoom, search } = props;
    let tree = use_node_ref();
    // The frame with the tab stop, and the one under the pointer.
    let current = use_state_eq(Vec::<usize>::new);
    let hovered = use_state_eq(|| None::<Vec<usize>>);
    let cells = icicle(&model.root, zoom, |part| &part.children, |part| part.extent);
    let is_drawn = |path: &[usize]| cells.iter().any(|cell| cell.path == path);
    let tab_stop = if is_drawn(&current) { (*current).clone() } else { zoom.clone() };
    let read = hovered.as_ref().filter(|path| is_drawn(path)).cloned().unwrap_or_else(|| tab_stop.clone());
    let rows = cells.iter().map(IcicleCell::row).max().unwrap_or(0) + 1;
    let onkeydown = {
        let paths: Vec<Vec<usize>> = cells.iter().map(|cell| cell.path.clone()).collect();
        let (tab_stop, zoom, on_zoom, current, tree) =
            (tab_stop.clone(), zoom.clone(), on_zoom.clone(), current.setter(), tree.clone());
        Callback::from(move |event: KeyboardEvent| {
            let key = event.key();
            if key == "Escape" && !zoom.is_empty() {
                // It does not stop a measurement, too.
                event.prevent_default();
                event.stop_propagation();
                return on_zoom.emit(zoom[..zoom.len() - 1].to_vec());
            }
            let Some(next) = next(&paths, &tab_stop, &key) else { return };
            event.prevent_default();
            focus::on_first(&tree, &format!("[data-path='{}']", written(&next)));
            current.set(next);
        })
    };
    let on_hover = {
        let hovered = hovered.setter();
        use_callback((), move |path: Option<Vec<usize>>, ()| hovered.set(path))
    };
    let on_current = {
        let current = current.setter();
        use_callback((), move |path: Vec<usize>, ()| current.set(path))
    };
    let is_tall = rows <= TALL_ROWS;
    html! {
        <>
            <div class={classes!("icicle", is_tall.then_some("tall"))} ref={tree} role="tree" aria-label="Calls" style={format!("--rows:{rows}")}
                data-test="icicle" {onkeydown} onpointerleave={on_hover.reform(|_: PointerEvent| None)}>
                <Frames model={Rc::clone(model)} zoom={zoom.clone()} {tab_stop} search={search.clone()} on_zoom={on_zoom.clone()} {on_current} {on_hover} />
            </div>
            <p class="profile-reading" data-test="profile-reading">{ model.root.at(&read).map(|part| described(model, part)) }</p>
        </>
    }
}

#[derive(PartialEq, Properties)]
struct FramesProps {
    model: Rc<ProfileModel>,
    zoom: Vec<usize>,
    /// The path of the frame that the Tab key reaches.
    tab_stop: Vec<usize>,
    search: String,
    on_zoom: Callback<Vec<usize>>,
    /// Receives the frame with the focus.
    on_current: Callback<Vec<usize>>,
    /// Receives the frame under the pointer.
    on_hover: Callback<Option<Vec<usize>>>,
}

/// The frames, which are not rendered again while the pointer moves.
#[component]
fn Frames(props: &FramesProps) -> Html {
    let FramesProps { model, zoom, tab_stop, search, on_zoom, on_current, on_hover } = props;
    let frame = |cell: &IcicleCell<'_, Part>| {
        let (part, path) = (cell.node, cell.path.clone());
        let is_above = zoom.len() > path.len() && zoom.starts_with(&path);
        let is_other = !search.is_empty() && !part.matches(search);
        let onclick = {
            // The frame that is as wide as the chart gives way to its caller.
            let target = if path == *zoom { path[..path.len().saturating_sub(1)].to_vec() } else { path.clone() };
            on_zoom.reform(move |_: MouseEvent| target.clone())
        };
        let onfocus = {
            let path = path.clone();
            on_current.reform(move |_: FocusEvent| path.clone())
        };
        let onpointerenter = {
            let path = path.clone();
            on_hover.reform(move |_: PointerEvent| Some(path.clone()))
        };
        let style = format!("left:{:.3}%;width:{:.3}%;--row:{}", 100.0 * cell.start, 100.0 * cell.width, cell.row());
        html! {
            <button key={written(&path)} role="treeitem" aria-level={(path.len() + 1).to_string()} tabindex={if path == *tab_stop { "0" } else { "-1" }}
                class={classes!("frame", fill(part), is_above.then_some("above"), is_other.then_some("dim"))} {style}
                title={described(model, part)} data-path={written(&path)} {onclick} {onfocus} {onpointerenter}>
                <b>{ brief_name(&part.short_name) }</b><span>{ amount(model, part) }</span>
            </button>
        }
    };
    let cells = icicle(&model.root, zoom, |part| &part.children, |part| part.extent);
    html! { { for cells.iter().map(frame) } }
}

/// The frame that a key leads to; `None` for other keys, and at the edges.
fn next(paths: &[Vec<usize>], from: &[usize], key: &str) -> Option<Vec<usize>> {
    let in_row: Vec<&Vec<usize>> = paths.iter().filter(|path| path.len() == from.len()).collect();
    let index = in_row.iter().position(|path| *path == from)?;
    match key {
        "ArrowUp" => Some(from[..from.len().checked_sub(1)?].to_vec()),
        "ArrowDown" => paths.iter().find(|path| path.len() == from.len() + 1 && path.starts_with(from)).cloned(),
        "ArrowLeft" => in_row.get(index.checked_sub(1)?).map(|path| (*path).clone()),
        "ArrowRight" => in_row.get(index + 1).map(|path| (*path).clone()),
        "Home" => paths.first().cloned(),
        _ => None,
    }
}

/// A path in an attribute.
fn written(path: &[usize]) -> String {
    path.iter().map(ToString::to_string).collect::<Vec<_>>().join(".")
}

/// Everything about a frame on one line.
fn described(model: &ProfileModel, part: &Part) -> String {
    let of_crate = model.crates.get(part.package).filter(|name| !name.is_empty());
    let amounts = match (&part.total[..], &part.own[..]) {
        ([before, after], _) => {
            format!("{} → {}, {}", short_number(*before), short_number(*after), changed(after - before, *before))
        }
        ([total], [own]) => format!(
            "{} ({}), itself {} ({})",
            in_percent(model.share(*total)),
            short_number(*total),
            in_percent(model.share(*own)),
            short_number(*own)
        ),
        _ => String::new(),
    };
    let calls = match (part.calls, part.is_inlined) {
        (0.0, true) => "inlined".to_owned(),
        (count, is_inlined) => {
            let noun = if count == 1.0 { "call" } else { "calls" };
            format!("{} {noun}{}", short_number(count), if is_inlined { ", also inlined" } else { "" })
        }
    };
    let row = model.rows.iter().find(|row| row.name == part.name);
    let growth = row.and_then(|row| row.growth).map(ProfileGrowth::phrase);
    let place = part.place.as_ref().map(ToString::to_string);
    let parts = [Some(part.short_name.clone()), of_crate.cloned(), Some(amounts), Some(calls), growth, place];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" · ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_lead_along_callers_callees_and_rows() {
        let paths = [vec![], vec![0], vec![0, 0], vec![1], vec![1, 2]];
        for (from, key, expected) in [
            (&[][..], "ArrowDown", Some(vec![0])),
            (&[], "ArrowUp", None),
            (&[0], "ArrowRight", Some(vec![1])),
            (&[1], "ArrowDown", Some(vec![1, 2])),
            (&[0, 0], "ArrowRight", Some(vec![1, 2])),
            (&[1, 2], "ArrowLeft", Some(vec![0, 0])),
            (&[0, 0], "ArrowDown", None),
            (&[1, 2], "Home", Some(vec![])),
            (&[1, 2], "ArrowUp", Some(vec![1])),
            (&[1], "a", None),
        ] {
            assert_eq!(next(&paths, from, key), expected, "{from:?} {key}");
        }
    }
}
