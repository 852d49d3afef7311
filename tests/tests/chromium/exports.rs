//! Exporting results: to the clipboard and to files.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use benchbook_chart::{Palette, css};
use benchbook_tests::appearance::Appearance;
use benchbook_tests::browser::{Browser, turn};
use benchbook_tests::notebook::Notebook;
use benchbook_tests::sites::demo;
use serde::Deserialize;
use serde_json::json;

/// Keeps what the page copies and downloads. A headless browser's clipboard cannot be read, and its downloads need a folder.
const INTERCEPT: &str = "
    navigator.clipboard.writeText = (text) => { window.copied = text; return Promise.resolve(); };
    navigator.clipboard.write = (items) => { window.copiedItems = items; return Promise.resolve(); };
    const create = URL.createObjectURL;
    URL.createObjectURL = (blob) => {
        window.fileBlob = blob;
        blob.text().then((text) => { window.file = { ...window.file, type: blob.type, text }; });
        return create(blob);
    };
    HTMLAnchorElement.prototype.click = function () { window.file = { ...window.file, name: this.download }; };";

/// A file that the page offered.
#[derive(Deserialize)]
struct OfferedFile {
    name: String,
    #[serde(rename = "type")]
    kind: String,
    text: String,
}

/// Intercepts the clipboard and downloads, and opens the menu.
async fn open_menu(notebook: &Notebook) -> Result<()> {
    notebook.browser.client.execute(INTERCEPT, Vec::new()).await?;
    notebook.browser.click("[data-test=export-menu] summary").await
}

/// Copies and downloads a format. Returns the file.
async fn copy_and_download(browser: &Browser, format: &str) -> Result<OfferedFile> {
    const RESET: &str = "delete window.copied; delete window.copiedItems; delete window.file; delete window.fileBlob;";
    browser.client.execute(RESET, Vec::new()).await?;
    for action in ["copy", "download"] {
        let button = format!("[data-test=export][data-format={format}] [data-test=export-{action}]");
        browser.click(&button).await?;
    }
    let is_complete = "(window.copied || window.copiedItems) && window.file && window.file.text && window.file.name";
    browser.until(is_complete).await?;
    Ok(serde_json::from_value(browser.value("window.file").await?)?)
}

/// Copies and downloads a text. Returns the file, whose text is the copied one.
async fn export(notebook: &Notebook, format: &str) -> Result<OfferedFile> {
    let browser = &notebook.browser;
    let file = copy_and_download(browser, format).await?;
    let copied = browser.value("window.copied").await?;
    assert_eq!(copied.as_str(), Some(file.text.as_str()), "{format}");
    Ok(file)
}

/// The names of the golden files of exports, without extensions.
const FIXED_RESULTS: [&str; 2] = ["comparison", "categories"];

/// A golden file of the page's exports.
fn golden(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../app/src/state/tests/golden").join(name)
}

/// Opens the notebook with the fixed results of the golden files, and its export menu.
async fn open_fixed(notebook: &Notebook, name: &str) -> Result<()> {
    notebook.click("home").await?;
    let path = golden(&format!("{name}.benchbook.json")).canonicalize()?;
    notebook.find("[data-test=file-picker]").await?.send_keys(path.to_str().context("the path is text")?).await?;
    notebook.browser.until("document.querySelector('[data-test=plot] canvas')?.width > 300").await?;
    open_menu(notebook).await
}

#[tokio::test]
async fn texts_of_an_opened_file_are_the_golden_files() -> Result<()> {
    let _turn = turn().await;
    let notebook = Notebook::open(demo()).await?;
    for name in FIXED_RESULTS {
        open_fixed(&notebook, name).await?;
        for (format, extension, kind) in [
            ("markdown", ".md", "text/markdown"),
            ("samples-csv", ".samples.csv", "text/csv"),
            ("json", ".benchbook.json", "application/json"),
        ] {
            let file = export(&notebook, format).await?;
            assert!(file.name.starts_with("sort-unstable-") && file.name.ends_with(extension), "{}", file.name);
            assert_eq!(file.kind, kind);
            assert_eq!(file.text, fs::read_to_string(golden(&format!("{name}{extension}")))?, "{name}{extension}");
        }
        let points = export(&notebook, "points-csv").await?;
        assert!(points.name.ends_with(".csv") && points.kind == "text/csv", "{}", points.name);
        assert_same_figures(&points.text, &fs::read_to_string(golden(&format!("{name}.csv")))?);
    }
    notebook.close().await
}

/// Compares CSV files. The last digits of ratios may differ, since the logarithms of wasm and of the native target do.
fn assert_same_figures(actual: &str, expected: &str) {
    let (actual_fields, expected_fields) = (actual.split([',', '\n']), expected.split([',', '\n']));
    assert_eq!(actual_fields.clone().count(), expected_fields.clone().count(), "{actual}");
    for (one, other) in actual_fields.zip(expected_fields) {
        let is_same = match (one.parse::<f64>(), other.parse::<f64>()) {
            (Ok(one), Ok(other)) => (one - other).abs() <= 1e-12 * other.abs(),
            _ => one == other,
        };
        assert!(is_same, "{one}, expected {other}, in {actual}");
    }
}

/// How far apart some pixels are on the canvas and in the image.
#[derive(Debug, Deserialize)]
struct PixelDistance {
    /// The number of pixels on the canvas.
    on_canvas: u32,
    /// The number of pixels in the image.
    in_image: u32,
    /// The distance within which 95% of the pixels of each have a pixel of the other, in page pixels. Distances of 8 or more
    /// count as 8. Where lines overlap, slivers may be hidden in one of them.
    distance: f64,
}

/// Draws an SVG image at the size of the canvas, and compares the pixels of each group of colours. An empty group has all pixels
/// that differ from the surface. Before, a shift moves the shapes and texts of the first group down by some page pixels.
const COMPARE: &str = r#"
    const [text, groups, shift] = arguments;
    const canvas = (document.querySelector('[data-current]') ?? document).querySelector('[data-test=plot] canvas');
    const { width, height } = canvas;
    const density = width / canvas.clientWidth;
    const parsed = new DOMParser().parseFromString(text, 'image/svg+xml');
    const svg = parsed.documentElement;
    if (parsed.querySelector('parsererror')) throw new Error(svg.textContent);
    for (const shape of svg.querySelectorAll('*')) {
        const has = (name) => groups[0].includes(shape.getAttribute(name)?.toLowerCase());
        if (has('fill') || has('stroke')) shape.setAttribute('transform', `translate(0 ${shift})`);
    }
    const size = [svg.getAttribute('width'), svg.getAttribute('height')].map(Number);
    if (size[0] !== canvas.clientWidth || size[1] !== canvas.clientHeight) throw new Error(`the image has the size ${size}`);
    const pixels = (source) => {
        const context = new OffscreenCanvas(width, height).getContext('2d');
        context.drawImage(source, 0, 0, width, height);
        return context.getImageData(0, 0, width, height).data;
    };
    const mask = (pixels, group) => {
        const isNear = (pixel, [red, green, blue], tolerance) => Math.abs(pixels[4 * pixel] - red) <= tolerance
            && Math.abs(pixels[4 * pixel + 1] - green) <= tolerance && Math.abs(pixels[4 * pixel + 2] - blue) <= tolerance;
        const wanted = group.map((colour) => [1, 3, 5].map((start) => parseInt(colour.slice(start, start + 2), 16)));
        const surface = [...pixels.slice(0, 3)];
        // The edges of shapes are blends of two colours. The bands are only slightly different from the surface.
        const isSet = group.length === 0
            ? (pixel) => !isNear(pixel, surface, 4)
            : (pixel) => wanted.some((colour) => isNear(pixel, colour, 24));
        const mask = new Uint8Array(width * height);
        for (let pixel = 0; pixel < mask.length; pixel += 1) mask[pixel] = isSet(pixel);
        return mask;
    };
    const limit = 8 * density;
    const isWithin = (other, x, y, distance) => {
        for (let row = Math.max(y - distance, 0); row <= Math.min(y + distance, height - 1); row += 1) {
            for (let column = Math.max(x - distance, 0); column <= Math.min(x + distance, width - 1); column += 1) {
                if (other[row * width + column]) return true;
            }
        }
        return false;
    };
    const count = (mask) => mask.reduce((sum, isSet) => sum + isSet, 0);
    const distance = (one, other) => {
        const isFar = (distance) => {
            let far = 0;
            one.forEach((isSet, pixel) => {
                if (isSet && !isWithin(other, pixel % width, Math.floor(pixel / width), distance)) far += 1;
            });
            return far > 0.05 * count(one);
        };
        let distance = 0;
        while (distance < limit && isFar(distance)) distance += 1;
        return distance / density;
    };
    return (async () => {
        const image = new Image();
        image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(svg))}`;
        await image.decode();
        const sources = [canvas, image].map(pixels);
        return groups.map((group) => {
            const [one, other] = sources.map((pixels) => mask(pixels, group));
            return {
                on_canvas: count(one),
                in_image: count(other),
                distance: Math.max(distance(one, other), distance(other, one)),
            };
        });
    })();"#;

async fn compare(browser: &Browser, svg: &str, groups: &[Vec<String>], shift: f64) -> Result<Vec<PixelDistance>> {
    let distances = browser.client.execute(COMPARE, vec![json!(svg), json!(groups), json!(shift)]).await?;
    Ok(serde_json::from_value(distances)?)
}

/// The copied and the downloaded PNG image, compared with the canvas.
#[derive(Debug, Deserialize)]
struct CopiedImage {
    /// The media types of the clipboard's items.
    types: Vec<Vec<String>>,
    /// The size in pixels.
    size: (u32, u32),
    /// The size of the canvas in canvas pixels.
    canvas_size: (u32, u32),
    /// The colour of the pixel in the upper left corner.
    corner: String,
    /// The number of pixels in which the copied image differs from the canvas.
    different: u32,
    /// Whether the file has the same bytes.
    is_same_file: bool,
}

const DECODE: &str = "
    const canvas = (document.querySelector('[data-current]') ?? document).querySelector('[data-test=plot] canvas');
    const pixels = (source) => {
        const context = new OffscreenCanvas(source.width, source.height).getContext('2d');
        context.drawImage(source, 0, 0);
        return new Uint32Array(context.getImageData(0, 0, source.width, source.height).data.buffer);
    };
    return (async () => {
        const items = window.copiedItems;
        const blob = await items[0].getType('image/png');
        const image = await createImageBitmap(blob);
        const [one, other] = [image, canvas].map(pixels);
        const bytes = async (blob) => new Uint8Array(await blob.arrayBuffer()).join();
        const corner = [0, 8, 16].map((shift) => ((one[0] >> shift) & 255).toString(16).padStart(2, '0'));
        return {
            types: items.map((item) => item.types),
            size: [image.width, image.height],
            canvas_size: [canvas.width, canvas.height],
            corner: `#${corner.join('')}`,
            different: one.reduce((sum, pixel, index) => sum + (pixel !== other[index]), 0),
            is_same_file: await bytes(blob) === await bytes(window.fileBlob),
        };
    })();";

/// The largest distance in page pixels between the same shape on the canvas and in the SVG image: `plotters` rounds to whole page
/// pixels in the image, and to canvas pixels on the canvas.
const MAX_DISTANCE: f64 = 1.5;

#[tokio::test]
async fn images_look_like_the_canvas_in_light_and_dark() -> Result<()> {
    let _turn = turn().await;
    let notebook = Notebook::open(demo()).await?;
    let browser = &notebook.browser;
    // An image is at least 720 pixels wide.
    browser.resize(1600, 900).await?;
    for name in FIXED_RESULTS {
        open_fixed(&notebook, name).await?;
        for (appearance, palette) in [(Appearance::Light, Palette::light()), (Appearance::Dark, Palette::dark())] {
            let palette = palette.comparing();
            browser.emulate(appearance).await?;
            let corner =
                "document.querySelector('[data-test=plot] canvas').getContext('2d').getImageData(0, 0, 1, 1).data";
            let (surface, at) = (palette.surface, format!("{name}, {appearance:?}"));
            browser.until(&format!("[...{corner}].join() === '{},{},{},255'", surface.0, surface.1, surface.2)).await?;

            let svg = copy_and_download(browser, "svg").await?;
            assert!(svg.name.ends_with(".svg") && svg.kind == "image/svg+xml", "{}", svg.name);
            let function = |ordinal: usize| vec![css(palette.mean(ordinal)), css(palette.median(ordinal))];
            let groups = [function(0), function(1), vec![css(palette.text)], Vec::new()];
            let distances = compare(browser, &svg.text, &groups, 0.0).await?;
            for (group, found) in groups.iter().zip(&distances) {
                ensure!(found.on_canvas > 100 && found.in_image > 100, "{at}: no {group:?}: {found:?}");
                ensure!(found.distance <= MAX_DISTANCE, "{at}: {group:?} is elsewhere: {found:?}");
            }
            let shifted = compare(browser, &svg.text, &groups[..1], 5.0).await?;
            ensure!(shifted[0].distance > 2.0 * MAX_DISTANCE, "{at}: a shift by 5 pixels is not found: {shifted:?}");

            copy_and_download(browser, "png").await?;
            let png: CopiedImage = serde_json::from_value(browser.client.execute(DECODE, Vec::new()).await?)?;
            assert_eq!(png.types, [["image/png"]], "{at}");
            assert_eq!((png.size, &png.corner), (png.canvas_size, &css(surface)), "{at}");
            assert!(png.different == 0 && png.is_same_file, "{at}: {png:?}");
        }
        browser.emulate(Appearance::Light).await?;
    }
    notebook.close().await
}
