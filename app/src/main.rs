//! The page of Benchbook.

mod components;
mod host;
mod json;
mod messages;
mod share;
mod state;

/// What the standard library brings for wasm takes 2 KB more of the page as it is sent.
#[cfg(target_arch = "wasm32")]
#[global_allocator]
static ALLOCATOR: talc::wasm::WasmDynamicTalc = talc::wasm::new_wasm_dynamic_allocator();

fn main() {
    yew::Renderer::<components::app::App>::new().render();
}
