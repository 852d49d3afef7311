//! The page as it is shipped stays small.

use anyhow::Result;
use benchbook_tests::server::dist;
use benchbook_tests::weight;

#[test]
fn a_visitor_downloads_little() -> Result<()> {
    let page = weight::page(&dist()?)?;
    assert!(page <= weight::MOST_OF_PAGE, "{page} bytes");
    Ok(())
}
