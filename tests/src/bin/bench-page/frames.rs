//! Frames while a hand zooms and moves a hundred thousand samples: what each costs the page's main thread, and how far
//! they are apart.

use anyhow::{Context, Result, ensure};
use benchbook_tests::notebook::Notebook;
use benchbook_tests::server::Site;
use benchbook_tests::{sites, suites};
use serde::Deserialize;
use serde_json::{Value, json};

use benchbook_tests::figures::Figures;

/// The least number of samples that are drawn.
const SAMPLES: usize = 100_000;

/// Frames of each gesture: five seconds of a screen that shows 60 a second.
const FRAMES: usize = 300;

/// The most that a frame may cost the main thread, in milliseconds.
const LIMIT_MS: f64 = 20.0;

/// What a hand does to a board, once a frame.
const GESTURES: [(&str, &str); 2] = [("wheel", "the wheel zooms"), ("drag", "Shift and drag moves")];

/// What a gesture came to: a value a frame, in milliseconds.
#[derive(Debug, Deserialize)]
struct Frames {
    /// What it cost the main thread: from the event until the browser has drawn and gives the thread back.
    work: Vec<f64>,
    /// From the frame before.
    intervals: Vec<f64>,
    /// After how many events another part of the plane was shown.
    moved: usize,
}

/// Makes a gesture of so many frames on a board. Each frame begins with an event, as those of a mouse do; what the page
/// does about it, and the drawing, are over when a message that was posted meanwhile arrives.
const GESTURE: &str = "
    const [board, gesture, count, done] = arguments;
    const plot = document.querySelector(`[data-test=${board}]`);
    const canvas = plot.querySelector('canvas');
    canvas.scrollIntoView({ block: 'center' });
    const box = canvas.getBoundingClientRect();
    const about_the_middle = (frame, radius) => {
      const angle = frame / 60 * 2 * Math.PI;
      return {
        bubbles: true, cancelable: true, pointerId: 1, isPrimary: true,
        clientX: box.left + box.width * (0.5 + radius * Math.cos(angle)),
        clientY: box.top + box.height * (0.5 + radius * Math.sin(angle)),
      };
    };
    const move = (frame, radius) => canvas.dispatchEvent(new PointerEvent('pointermove', about_the_middle(frame, radius)));
    const act = {
      // So many notches into the plane until a few hundred samples fill it, as many out of it, and so on. What is under
      // the pointer is read meanwhile.
      wheel: (frame) => {
        move(frame, 0.2);
        const deltaY = Math.floor(frame / 25) % 2 ? 120 : -120;
        canvas.dispatchEvent(new WheelEvent('wheel', { ...about_the_middle(frame, 0.2), deltaY }));
      },
      drag: (frame) => move(frame, 0.1),
    }[gesture];
    if (gesture === 'drag') {
      canvas.dispatchEvent(new PointerEvent('pointerdown', { ...about_the_middle(-1, 0.1), shiftKey: true }));
    }
    const frames = { work: [], intervals: [], moved: 0 };
    let before;
    function next(now) {
      if (before !== undefined) frames.intervals.push(now - before);
      before = now;
      const { view } = plot.dataset;
      const start = performance.now();
      act(frames.work.length);
      const channel = new MessageChannel();
      channel.port1.onmessage = () => {
        frames.work.push(performance.now() - start);
        frames.moved += plot.dataset.view !== view;
        if (frames.work.length < count) { requestAnimationFrame(next); return; }
        canvas.dispatchEvent(new PointerEvent('pointerup', about_the_middle(0, 0)));
        done(frames);
      };
      channel.port2.postMessage(0);
    }
    requestAnimationFrame(next);";

/// Measures and prints both boards that show so many samples.
pub(crate) async fn bench() -> Result<()> {
    println!("\nframes, isolated");
    println!(
        "{:44} {:>24} {:>12} {:>24}",
        "ms: median / 95 % / worst",
        "main thread",
        format!("over {LIMIT_MS}"),
        "between frames"
    );
    let notebook = measured(9, SAMPLES.div_ceil(9)).await?;
    notebook.click("show-samples").await?;
    let drawn = drawn(&notebook).await?;
    gestures(&notebook, "plot", &format!("all of {drawn} samples")).await?;
    notebook.close().await?;

    let notebook = measured(2, SAMPLES).await?;
    notebook.click("tab-samples").await?;
    let drawn: usize = notebook.data("in-order").await?["count"].parse()?;
    ensure!(drawn >= SAMPLES, "one point has {drawn} samples");
    gestures(&notebook, "in-order", &format!("{drawn} samples in order")).await?;
    notebook.close().await?;
    println!("to reach: no frame over {LIMIT_MS} ms of the main thread");
    Ok(())
}

/// The page after it measured so many points of so many samples each.
async fn measured(points: usize, samples: usize) -> Result<Notebook> {
    let notebook = Notebook::open(plenty(points, samples)?).await?;
    notebook.choose("walk").await?;
    notebook.click("measure").await?;
    for done in 1..=points {
        let progress = "document.querySelector('[data-test=progress]').dataset";
        notebook
            .browser
            .until(&format!(
                "{progress}.state === 'done' || {progress}.priority === '4' && {progress}.points >= {done}"
            ))
            .await?;
    }
    notebook.until_state("done").await?;
    Ok(notebook)
}

/// The suite that gives many samples, and a notebook whose last priority asks for them.
fn plenty(points: usize, samples: usize) -> Result<Site> {
    let quality = |points: usize, samples: usize, point_ms: f64| {
        json!({
            "points": points,
            // No number of samples reaches it.
            "precision": 1e-9,
            "point_ms": point_ms,
            "warm_up": { "at_least": 5, "at_most": 20, "ms": point_ms / 4.0 },
            "samples": { "at_least": 5, "at_most": samples },
            "processes": 1,
        })
    };
    let quick = quality(2, 10, 10.0);
    let qualities: Value = json!([quick, quick, quick, quality(points, samples, 120_000.0)]);
    let notebook = json!({ "suites": ["suites/plenty.wasm"], "qualities": qualities });
    let module = suites::fixture("plenty")?.module;
    Ok(Site { suites: vec![("plenty.wasm".to_owned(), module)], ..sites::with_notebook(&notebook) })
}

/// How many samples the plot shows: those of all points.
async fn drawn(notebook: &Notebook) -> Result<usize> {
    const COLUMN: &str = "(() => {
        const heads = [...document.querySelectorAll('[data-test=table] thead th')].map(head => head.textContent);
        const rows = [...document.querySelectorAll('[data-test=table] tbody tr')];
        const counts = rows.map(row => row.children[heads.indexOf('samples')].textContent);
        return counts.map(count => Number(count.replace(/[^0-9]/g, ''))).reduce((sum, count) => sum + count, 0);
    })()";
    let drawn: usize = serde_json::from_value(notebook.browser.value(COLUMN).await?)?;
    ensure!(drawn >= SAMPLES, "the plot has {drawn} samples");
    Ok(drawn)
}

async fn gestures(notebook: &Notebook, board: &str, name: &str) -> Result<()> {
    // A board that was hidden learns its size first, and then draws.
    notebook
        .browser
        .until(&format!("document.querySelector('[data-test={board}] canvas').hasAttribute('width')"))
        .await?;
    for (gesture, does) in GESTURES {
        let answer = notebook.browser.client.execute_async(GESTURE, vec![json!(board), json!(gesture), json!(FRAMES)]);
        let frames: Frames = serde_json::from_value(answer.await?).with_context(|| format!("{gesture} on {board}"))?;
        // A frame without a change is no frame of a gesture.
        ensure!(frames.moved == FRAMES, "{} of {FRAMES} events of {gesture} moved {board}", frames.moved);
        let work: Figures = frames.work.into_iter().collect();
        let intervals: Figures = frames.intervals.into_iter().collect();
        println!(
            "{:44} {:>24} {:>12} {:>24}",
            format!("{name}, {does}"),
            work.spread(),
            work.over(LIMIT_MS),
            intervals.spread()
        );
    }
    Ok(())
}
