//! The page of Benchbook.

mod address;
mod components;
mod host;
mod state;

fn main() {
    yew::Renderer::<components::app::App>::new().render();
}
