//! Measures correctly, but reports missing protections.

use benchbook_contract::protocol::SuiteMessage;

fn main() {
    impostors::converse(|message| {
        let mut reply = impostors::proper(message);
        if let SuiteMessage::Catalog { unguarded, .. } = &mut reply {
            *unguarded = Some(vec!["niceness: there is none".to_owned(), "memory: not counted".to_owned()]);
        }
        vec![reply]
    });
}
