//! The column next to the plot: the ranking, or another panel in its place.

use yew::prelude::*;

use crate::components::widgets::unique_id::use_unique_id;
use crate::effects::browser::focus;
use benchbook_report::results::Results;

/// A panel of the column.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum SidePanel {
    /// The functions in order.
    #[default]
    Ranking,
    /// The settings of the measurement.
    Setup,
    /// The documentation of the function.
    About,
    /// What the results say about each pair of functions.
    Comparisons,
    /// What affects the quality of the results, and where they come from.
    Notes,
}

impl SidePanel {
    const ALL: [Self; 5] = [Self::Ranking, Self::Setup, Self::About, Self::Comparisons, Self::Notes];

    fn title(self) -> &'static str {
        match self {
            Self::Ranking => "Ranking",
            Self::Setup => "Setup",
            Self::About => "Documentation",
            Self::Comparisons => "All comparisons",
            Self::Notes => "Notes",
        }
    }

    /// The name in the document.
    fn name(self) -> &'static str {
        match self {
            Self::Ranking => "ranking",
            Self::Setup => "setup",
            Self::About => "about",
            Self::Comparisons => "comparisons",
            Self::Notes => "notes",
        }
    }
}

/// The open panel, which the cell has, and the receiver of another one.
#[derive(Clone, PartialEq)]
pub(crate) struct PanelChoice {
    pub(crate) open: SidePanel,
    pub(crate) on_open: Callback<SidePanel>,
}

impl PanelChoice {
    /// The chosen panel, or the ranking if the cell does not have it: only results have documentation, comparisons and notes next to them.
    pub(crate) fn new(chosen: SidePanel, has_setup: bool, results: &Results, on_open: Callback<SidePanel>) -> Self {
        let is_present = match chosen {
            SidePanel::Ranking => true,
            SidePanel::Setup => has_setup,
            SidePanel::About => !results.is_empty(),
            SidePanel::Comparisons | SidePanel::Notes => !results.shown().is_empty(),
        };
        Self { open: if is_present { chosen } else { SidePanel::Ranking }, on_open }
    }

    /// A button that opens a panel, or closes it if it is open. It gets the focus back when the panel closes.
    pub(crate) fn button(&self, panel: SidePanel, class: Classes, test: &'static str, label: Html) -> Html {
        html! {
            <button {class} data-test={test} data-opens={panel.name()} aria-expanded={(self.open == panel).to_string()} onclick={self.toggle(panel)}>{ label }</button>
        }
    }

    /// Opens a panel, or closes it if it is open: then the ranking takes its place.
    pub(crate) fn toggle(&self, panel: SidePanel) -> Callback<MouseEvent> {
        let next = if self.open == panel { SidePanel::Ranking } else { panel };
        self.on_open.reform(move |_: MouseEvent| next)
    }
}

#[derive(PartialEq, Properties)]
pub(super) struct SideProps {
    pub(super) choice: PanelChoice,
    /// The panels with their contents. Those that are not open stay in the document, hidden.
    pub(super) panels: Vec<(SidePanel, Html)>,
    /// The figures under the cursor of the plot, whichever panel is open.
    pub(super) reading: Html,
}

#[component]
pub(super) fn Side(props: &SideProps) -> Html {
    let id = use_unique_id("side");
    let SideProps { choice, panels, .. } = props;
    let open = choice.open;
    let node = use_node_ref();
    {
        let node = node.clone();
        use_effect_with(open, move |_| focus::return_from_hidden(&node));
    }
    let content = |panel: SidePanel| panels.iter().find(|(one, _)| *one == panel).map(|(_, content)| content.clone());
    html! {
        <div class="side-column">
            <div class="side" ref={node}>
                { for SidePanel::ALL.into_iter().filter_map(|panel| Some((panel, content(panel)?))).map(|(panel, content)| html! {
                    <div key={panel.name()} class={classes!("panel", format!("panel-{}", panel.name()))} role="group" aria-labelledby={format!("{id}-{}", panel.name())} data-test={format!("panel-{}", panel.name())} data-name={panel.name()} hidden={panel != open}>
                        <div class={classes!("panel-head", (panel == SidePanel::Ranking).then_some("visually-hidden"))}>
                            <b id={format!("{id}-{}", panel.name())}>{ panel.title() }</b>
                            if panel != SidePanel::Ranking {
                                <button class="plain" aria-label={format!("Close {}", panel.title().to_lowercase())} data-test="close-panel" onclick={choice.toggle(panel)}>{ "✕" }</button>
                            }
                        </div>
                        { content }
                    </div>
                }) }
            </div>
            { props.reading.clone() }
        </div>
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::tests::fixed_results::comparison;

    #[test]
    fn a_panel_that_a_cell_does_not_have_is_not_open() {
        use SidePanel::{About, Comparisons, Notes, Ranking, Setup};
        let open =
            |chosen, has_setup, results: &Results| PanelChoice::new(chosen, has_setup, results, Callback::noop()).open;
        let (measured, none) = (comparison(), Results::default());
        for chosen in SidePanel::ALL {
            assert_eq!(open(chosen, true, &measured), chosen);
        }
        for chosen in [About, Comparisons, Notes] {
            assert_eq!(open(chosen, true, &none), Ranking, "{chosen:?}");
        }
        assert_eq!((open(Setup, true, &none), open(Setup, false, &measured)), (Setup, Ranking));
    }
}
