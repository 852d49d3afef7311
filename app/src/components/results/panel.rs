//! The column next to the plot: the ranking, or another panel in its place.

use yew::prelude::*;

use crate::components::widgets::unique_id::use_unique_id;

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

/// The open panel, and the receiver of another one.
#[derive(Clone, PartialEq)]
pub(crate) struct PanelChoice {
    pub(crate) open: SidePanel,
    pub(crate) on_open: Callback<SidePanel>,
}

impl PanelChoice {
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
    // A panel that this cell does not have cannot be open.
    let open = if panels.iter().any(|(panel, _)| *panel == choice.open) { choice.open } else { SidePanel::Ranking };
    let content = |panel: SidePanel| panels.iter().find(|(one, _)| *one == panel).map(|(_, content)| content.clone());
    html! {
        <div class="side-column">
            <div class="side">
                { for SidePanel::ALL.into_iter().filter_map(|panel| Some((panel, content(panel)?))).map(|(panel, content)| html! {
                    <div key={panel.name()} class="panel" role="group" aria-labelledby={format!("{id}-{}", panel.name())} data-test={format!("panel-{}", panel.name())} hidden={panel != open}>
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
