//! Clipping of lines and areas at the edges of the view.
//!
//! `plotters` moves each point outside the view to the nearest edge, which bends the lines that lead there.

use crate::scale::Span;

/// A point of the plane, in positions.
pub(super) type PlanePoint = (f64, f64);

/// The view as a rectangle of positions.
#[derive(Clone, Copy, Debug)]
pub(super) struct ClipRect {
    pub(super) x: Span,
    pub(super) y: Span,
}

impl ClipRect {
    pub(super) fn contains(&self, (x, y): PlanePoint) -> bool {
        self.x.contains(x) && self.y.contains(y)
    }

    /// The visible pieces of a line through these points.
    pub(super) fn line(&self, points: &[PlanePoint]) -> Vec<Vec<PlanePoint>> {
        let mut pieces: Vec<Vec<PlanePoint>> = Vec::new();
        for pair in points.windows(2) {
            let Some((from, to)) = self.segment(pair[0], pair[1]) else { continue };
            match pieces.last_mut() {
                Some(piece) if piece.last() == Some(&from) => piece.push(to),
                _ => pieces.push(vec![from, to]),
            }
        }
        pieces
    }

    /// The visible part of a segment: Liang and Barsky, "A New Concept and Method for Line Clipping" (1984).
    fn segment(&self, from: PlanePoint, to: PlanePoint) -> Option<(PlanePoint, PlanePoint)> {
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        let (mut enter, mut leave) = (0.0_f64, 1.0_f64);
        let edges = [
            (-dx, from.0 - self.x.low),
            (dx, self.x.high - from.0),
            (-dy, from.1 - self.y.low),
            (dy, self.y.high - from.1),
        ];
        for (outward, inside_by) in edges {
            if outward == 0.0 && inside_by < 0.0 {
                return None;
            } else if outward < 0.0 {
                enter = enter.max(inside_by / outward);
            } else if outward > 0.0 {
                leave = leave.min(inside_by / outward);
            }
        }
        let at = |t: f64| (from.0 + t * dx, from.1 + t * dy);
        let start = if enter > 0.0 { at(enter) } else { from };
        let end = if leave < 1.0 { at(leave) } else { to };
        (enter <= leave).then_some((start, end))
    }

    /// The visible part of an area: Sutherland and Hodgman, "Reentrant Polygon Clipping" (1974). Empty if no part is
    /// visible.
    pub(super) fn area(&self, outline: Vec<PlanePoint>) -> Vec<PlanePoint> {
        let Self { x, y } = *self;
        let outline = cut(&outline, |point| point.0 - x.low);
        let outline = cut(&outline, |point| x.high - point.0);
        let outline = cut(&outline, |point| point.1 - y.low);
        cut(&outline, |point| y.high - point.1)
    }
}

/// The part of an area in the half-plane in which `inside_by` is not negative.
fn cut(outline: &[PlanePoint], inside_by: impl Fn(PlanePoint) -> f64) -> Vec<PlanePoint> {
    let mut inside = Vec::with_capacity(outline.len() + 4);
    for (i, &to) in outline.iter().enumerate() {
        let from = outline[(i + outline.len() - 1) % outline.len()];
        let (before, after) = (inside_by(from), inside_by(to));
        if (before < 0.0) != (after < 0.0) {
            let t = before / (before - after);
            inside.push((from.0 + t * (to.0 - from.0), from.1 + t * (to.1 - from.1)));
        }
        if after >= 0.0 {
            inside.push(to);
        }
    }
    inside
}

#[cfg(test)]
mod tests {
    use super::*;

    const UNIT: ClipRect = ClipRect { x: Span { low: 0.0, high: 1.0 }, y: Span { low: 0.0, high: 1.0 } };

    #[test]
    fn line_is_cut_at_edges() {
        let inside = [(0.0, 0.0), (0.5, 1.0), (1.0, 0.25)];
        assert_eq!(UNIT.line(&inside), [inside]);
        let pieces = UNIT.line(&[(0.0, 0.5), (0.5, 1.5), (1.0, 0.5)]);
        assert_eq!(pieces, [[(0.0, 0.5), (0.25, 1.0)], [(0.75, 1.0), (1.0, 0.5)]], "it leaves and returns");
        assert!(UNIT.line(&[(-1.0, 2.0), (2.0, 2.0)]).is_empty(), "it is outside");
        assert_eq!(UNIT.line(&[(-1.0, 0.5), (2.0, 0.5)]), [[(0.0, 0.5), (1.0, 0.5)]], "it crosses both edges");
    }

    #[test]
    fn cuts_area_at_edges() {
        let area = UNIT.area(vec![(-1.0, -1.0), (0.5, -1.0), (0.5, 0.5), (-1.0, 0.5)]);
        assert_eq!(area.len(), 4);
        assert!([(0.0, 0.0), (0.5, 0.0), (0.5, 0.5), (0.0, 0.5)].iter().all(|corner| area.contains(corner)));
        assert!(UNIT.area(vec![(2.0, 2.0), (3.0, 2.0), (3.0, 3.0)]).is_empty());
    }
}
