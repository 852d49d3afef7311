//! The code of many functions.

use serde::{Deserialize, Serialize};

use crate::listing::Listing;

/// The name of the custom section of a counting module that contains a [`ListingTable`] of the module before it was changed, as JSON.
pub const LISTINGS_SECTION: &str = "benchbook_listings";

/// The version of [`ListingTable`] and [`Listing`]. Pages reject other versions.
pub const LISTINGS_FORMAT: u32 = 1;

/// The code that is measured for the functions of a suite. `L`: a [`Listing`], or the JSON of one where only that is needed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListingTable<L = Listing> {
    /// [`LISTINGS_FORMAT`].
    pub format: u32,
    /// The functions that have code.
    pub functions: Vec<ListedFunction>,
    /// The code.
    pub listings: Vec<L>,
}

/// A function with a generator.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListedFunction {
    /// Its path.
    pub function: String,
    /// The path of the generator. The code of a function that was inlined into its timed loop depends on it.
    pub generator: String,
    /// The index of its code.
    pub listing: usize,
}

impl<L> ListingTable<L> {
    /// The code that is measured for a function with a generator; `None` if it has none.
    pub fn find(&self, function: &str, generator: &str) -> Option<&L> {
        let found = self.functions.iter().find(|one| one.function == function && one.generator == generator)?;
        self.listings.get(found.listing)
    }
}
