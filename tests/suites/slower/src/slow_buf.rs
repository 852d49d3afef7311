//! A buffer that counts its items.

use std::hint::black_box;

/// Items, of which all are counted.
pub(crate) struct Buf {
    pub(crate) items: Vec<u8>,
}

impl Buf {
    pub(crate) fn new(items: Vec<u8>) -> Self {
        Self { items }
    }

    #[inline(never)]
    pub(crate) fn size(&self) -> usize {
        self.items.iter().filter(|item| black_box(**item) < u8::MAX).count()
    }
}
