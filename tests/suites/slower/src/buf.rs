//! A buffer that knows its size.

/// Items, of which all are counted.
pub(crate) struct Buf {
    pub(crate) items: Vec<u8>,
    len: usize,
}

impl Buf {
    pub(crate) fn new(items: Vec<u8>) -> Self {
        Self { len: items.len(), items }
    }

    #[inline(never)]
    pub(crate) fn size(&self) -> usize {
        // Otherwise, the compiler would merge it with another function.
        self.len.min(self.items.capacity())
    }
}
