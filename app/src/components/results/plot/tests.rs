//! The exported image of a plot.

use benchbook_chart::Palette;
use roxmltree::Document;

use super::*;
use crate::state::tests::fixed_results::{categories, comparison};
use crate::state::tests::golden::assert_golden;
use benchbook_report::ranking::MachineRanking;
use benchbook_report::results::Results;

/// The plot of these results as the page exports it from a canvas of this width.
fn image(results: &Results, palette: Palette, width: u32) -> String {
    let shown = results.shown();
    let (view, positions) = (CellView::default(), Positions::of(&shown));
    let series = model::series(&shown, &positions, view.metric(), view.show_samples);
    let curves = (series, model::crossings(&shown, &MachineRanking::all(&shown), &view));
    let (chart, _) = model::chart(&shown, curves, &positions, &view, palette.comparing(), 2.0);
    let drawn = DrawnPlot::default();
    drawn.0.replace(Some(DrawnChart { chart: Rc::new(chart), size: (width, 320), canvas: NodeRef::default() }));
    drawn.svg().expect("the plot has a size")
}

#[test]
fn images_have_golden_files_and_are_valid() {
    for (name, results) in [("comparison", comparison()), ("categories", categories())] {
        for (appearance, palette) in [("light", Palette::light()), ("dark", Palette::dark())] {
            let image = image(&results, palette, 900);
            assert_golden(&format!("{name}-{appearance}.svg"), &image);
            let document = Document::parse(&image).expect("it is valid XML");
            assert!(document.root_element().has_tag_name(("http://www.w3.org/2000/svg", "svg")));
            let texts: Vec<&str> = document.descendants().filter_map(|node| node.text()).map(str::trim).collect();
            for shown in results.shown() {
                assert!(texts.contains(&shown.label.as_str()), "no {} in {texts:?}", shown.label);
            }
        }
    }
}

#[test]
fn an_image_of_a_narrow_plot_has_room_for_the_names() {
    let narrow = image(&comparison(), Palette::light(), 320);
    assert_eq!(narrow, image(&comparison(), Palette::light(), MIN_EXPORT_WIDTH));
    assert!(narrow.contains("sort_unstable"), "{narrow}");
    assert!(DrawnPlot::default().svg().is_none(), "no plot was drawn");
}

#[test]
fn curves_and_crossings_of_a_machine_or_a_function_can_be_hidden() {
    let shown = comparison().shown();
    let rankings = MachineRanking::all(&shown);
    let machines = model::machines(&shown);
    assert_eq!((machines.len(), shown.len()), (1, 2), "both curves are from one machine");
    let text = |text: &str| vec![text.to_owned()];
    let table = [
        (machines, vec![], 0, true),
        (text("another machine"), vec![], 2, false),
        (vec![], text(&shown[0].trace.path), 1, true),
        (vec![], text("another::function"), 2, false),
    ];
    for (hidden_machines, hidden_functions, visible, hides_crossings) in table {
        let view = CellView { hidden_machines, hidden_functions, ..CellView::default() };
        assert_eq!(model::visible(&shown, &view).len(), visible, "{view:?}");
        assert_eq!(model::crossings(&shown, &rankings, &view).is_empty(), hides_crossings, "{view:?}");
    }
}

#[test]
fn the_first_crossing_names_the_function_that_overtakes() {
    let shown = comparison().shown();
    let crossings = model::crossings(&shown, &MachineRanking::all(&shown), &CellView::default());
    let label = crossings[0].label.as_ref().expect("the first one has a label");
    assert!(label.text.starts_with("sort<u64, \"a|b\"> overtakes sort_unstable between "), "{label:?}");
    assert!(label.text.ends_with(&label.short), "{label:?}");
    assert!(crossings[1..].iter().all(|crossing| crossing.label.is_none()), "{crossings:?}");
}
