//! The page of Benchbook.

mod address;
mod components;
mod effects;
mod state;

fn main() {
    yew::Renderer::<components::shell::App>::new().render();
}
