//! An icicle: a tree as rows of rectangles, where those of a node's children are below it, as wide as their shares of it.

/// The narrowest rectangle, as a share of the chart. Narrower ones cannot be seen.
const MIN_WIDTH: f64 = 0.0015;

/// The rectangle of a node.
#[derive(Clone, Debug, PartialEq)]
pub struct IcicleCell<'t, T> {
    /// The node.
    pub node: &'t T,
    /// The way from the root to the node: the index of each child.
    pub path: Vec<usize>,
    /// The left edge, as a share of the chart's width.
    pub start: f64,
    /// Its width, as a share of the chart's.
    pub width: f64,
}

impl<T> IcicleCell<'_, T> {
    /// The row, from 0.
    pub fn row(&self) -> usize {
        self.path.len()
    }
}

/// The rectangles of a tree, each node before its children. `zoom`: the path of the node that is as wide as the chart, and so are those that it is below of; an
/// index that leads nowhere ends it. `children`: those of a node. `value`: that of a node with all below it; what exceeds its children is free space at the end.
pub fn icicle<'t, T>(
    root: &'t T,
    zoom: &[usize],
    children: impl Fn(&'t T) -> &'t [T],
    value: impl Fn(&'t T) -> f64,
) -> Vec<IcicleCell<'t, T>> {
    let mut cells = Vec::new();
    let (mut node, mut path) = (root, Vec::new());
    for index in zoom {
        let Some(child) = children(node).get(*index) else { break };
        cells.push(IcicleCell { node, path: path.clone(), start: 0.0, width: 1.0 });
        node = child;
        path.push(*index);
    }
    let mut left = vec![IcicleCell { node, path, start: 0.0, width: 1.0 }];
    while let Some(cell) = left.pop() {
        let all = value(cell.node).max(children(cell.node).iter().map(|child| value(child).max(0.0)).sum());
        let mut start = cell.start;
        let below = children(cell.node).iter().enumerate().map(|(index, child)| {
            let width = if all > 0.0 { cell.width * value(child).max(0.0) / all } else { 0.0 };
            start += width;
            let path = [&cell.path[..], &[index]].concat();
            IcicleCell { node: child, path, start: start - width, width }
        });
        let mut below: Vec<_> = below.filter(|cell| cell.width >= MIN_WIDTH).collect();
        below.reverse();
        left.append(&mut below);
        cells.push(cell);
    }
    cells
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[derive(Clone, Debug, PartialEq)]
    struct Node(f64, Vec<Node>);

    fn total(node: &Node) -> f64 {
        node.0 + node.1.iter().map(total).sum::<f64>()
    }

    fn cells<'n>(root: &'n Node, zoom: &[usize]) -> Vec<IcicleCell<'n, Node>> {
        icicle(root, zoom, |node| &node.1, total)
    }

    #[test]
    fn children_are_below_their_node_and_as_wide_as_their_shares() {
        let root =
            Node(10.0, vec![Node(30.0, vec![Node(30.0, Vec::new())]), Node(0.01, Vec::new()), Node(29.99, Vec::new())]);
        let shown: Vec<_> = cells(&root, &[]).iter().map(|cell| (cell.path.clone(), cell.start, cell.width)).collect();
        let expected = [(vec![], 0.0, 1.0), (vec![0], 0.0, 0.6), (vec![0, 0], 0.0, 0.3), (vec![2], 0.6001, 0.2999)];
        assert_eq!(shown.len(), expected.len());
        for (shown, expected) in shown.iter().zip(expected) {
            assert_eq!(shown.0, expected.0);
            assert!((shown.1 - expected.1).abs() < 1e-9 && (shown.2 - expected.2).abs() < 1e-9, "{shown:?}");
        }
    }

    #[test]
    fn a_zoomed_node_and_those_above_are_as_wide_as_the_chart() {
        let root = Node(90.0, vec![Node(5.0, vec![Node(5.0, Vec::new())])]);
        let of = |zoom| cells(&root, zoom).iter().map(|cell| (cell.row(), cell.width)).collect::<Vec<_>>();
        assert_eq!(of(&[0]), [(0, 1.0), (1, 1.0), (2, 0.5)]);
        assert_eq!(of(&[0, 7]), of(&[0]));
    }

    fn tree() -> impl Strategy<Value = Node> {
        let leaf = (-5.0..100.0).prop_map(|own| Node(own, Vec::new()));
        leaf.prop_recursive(5, 40, 5, |node| {
            (-5.0..100.0, prop::collection::vec(node, 0..5)).prop_map(|(own, children)| Node(own, children))
        })
    }

    proptest! {
        /// Amounts may be negative: what a loop costs is subtracted.
        #[test]
        fn no_two_rectangles_overlap(root in tree()) {
            let cells = cells(&root, &[]);
            for cell in &cells {
                prop_assert!(cell.start >= 0.0 && cell.start + cell.width <= 1.0 + 1e-9);
                let below = cells.iter().filter(|other| other.row() == cell.row() + 1 && other.path.starts_with(&cell.path));
                let mut end = cell.start;
                for child in below {
                    prop_assert!(child.start >= end - 1e-9);
                    end = child.start + child.width;
                }
                prop_assert!(end <= cell.start + cell.width + 1e-9);
            }
        }
    }
}
