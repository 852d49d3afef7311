//! The page of Benchbook.

mod components;
mod host;
mod settings;
mod share;
mod state;

fn main() {
    yew::Renderer::<components::app::App>::new().render();
}
