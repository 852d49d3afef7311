//! The versions of the schema, and the migrations between them.

use std::ops::RangeInclusive;

use rusqlite::{Connection, TransactionBehavior};

/// The application id in the header of the file: `BnBk`.
pub(super) const APPLICATION: i32 = 0x426e_426b;

/// The version that the first script creates. Earlier ones were never released.
const FIRST: usize = 3;

/// The script that creates the tables, and each one that leads to the next version. Released ones never change. The second one has to bring back what one
/// version needs not: foreign keys are off while a step replaces a table, and a database that no runner has migrated yet is not read.
pub(super) const MIGRATIONS: &[&str] = &[include_str!("schema.sql"), include_str!("histories.sql")];

/// The versions that a program with these migrations can use.
pub(super) fn supported(migrations: &[&str]) -> RangeInclusive<usize> {
    FIRST..=FIRST + migrations.len() - 1
}

/// The version of a database.
pub(super) fn version(database: &Connection) -> rusqlite::Result<usize> {
    database.pragma_query_value(None, "user_version", |row| row.get(0))
}

/// Creates the tables in an empty database, or brings a supported one to the latest version, each step in a separate transaction.
pub(super) fn migrate(database: &mut Connection, migrations: &[&str]) -> rusqlite::Result<()> {
    let done = (version(database)? + 1).saturating_sub(FIRST);
    for (index, migration) in migrations.iter().enumerate().skip(done) {
        let step = database.transaction_with_behavior(TransactionBehavior::Immediate)?;
        step.execute_batch(migration)?;
        step.pragma_update(None, "application_id", APPLICATION)?;
        step.pragma_update(None, "user_version", FIRST + index)?;
        step.commit()?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_migration_leaves_the_version_before_it_and_is_repeated() {
        let add =
            "ALTER TABLE machines ADD COLUMN note TEXT NOT NULL DEFAULT 'none'; UPDATE machines SET note = 'old';";
        let (created, broken) = (MIGRATIONS[0], "CREATE TABLE notes (id INTEGER PRIMARY KEY) STRICT; SELECT nothing;");
        let mut database = Connection::open_in_memory().expect("an in-memory database opens");
        migrate(&mut database, &[created]).expect("the tables are created");
        database.execute("INSERT INTO machines (identity) VALUES ('reference')", ()).expect("valid SQL");

        assert!(migrate(&mut database, &[created, add, broken]).is_err());
        assert_eq!(version(&database), Ok(FIRST + 1));
        assert!(!database.table_exists(None, "notes").expect("the query succeeds"));
        for _ in 0..2 {
            migrate(&mut database, &[created, add, "CREATE TABLE notes (id INTEGER PRIMARY KEY) STRICT;"])
                .expect("the fixed migrations succeed, and then there is nothing to do");
            assert_eq!(version(&database), Ok(FIRST + 2));
            let note = database.query_row("SELECT note FROM machines", (), |row| row.get(0));
            assert_eq!(note, Ok("old".to_owned()));
        }
    }
}
