//! The download size of the page.

use anyhow::Result;
use benchbook_tests::server::dist;
use benchbook_tests::weight;

#[test]
fn page_is_within_its_size_limit() -> Result<()> {
    let page = weight::page(&dist()?)?;
    assert!(page <= weight::MAX_PAGE_BYTES, "{page} bytes");
    Ok(())
}
