//! The schema and its versions: how a database becomes one of this runner.

use rusqlite::{Connection, TransactionBehavior};

/// What SQLite keeps in the file's header to tell whose database it is: `BnBk`.
pub(super) const APPLICATION: i32 = 0x426e_426b;

/// What makes each version of the one before, the first from nothing. What was released is never changed.
pub(super) const MIGRATIONS: &[&str] = &[include_str!("schema/1.sql")];

/// Which version a database has.
pub(super) fn version(database: &Connection) -> rusqlite::Result<usize> {
    database.pragma_query_value(None, "user_version", |row| row.get(0))
}

/// Brings a database to the latest version, each step in a transaction of its own.
pub(super) fn migrate(database: &mut Connection, migrations: &[&str]) -> rusqlite::Result<()> {
    for (done, migration) in migrations.iter().enumerate().skip(version(database)?) {
        let step = database.transaction_with_behavior(TransactionBehavior::Immediate)?;
        step.execute_batch(migration)?;
        step.pragma_update(None, "application_id", APPLICATION)?;
        step.pragma_update(None, "user_version", done + 1)?;
        step.commit()?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a version after the first might be.
    const LATER: &[&str] = &[
        MIGRATIONS[0],
        "ALTER TABLE machines ADD COLUMN note TEXT NOT NULL DEFAULT 'none'; UPDATE machines SET note = 'old';",
        "CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT;",
    ];

    /// A database as version 1 left it.
    fn of_version_1() -> Connection {
        let database = Connection::open_in_memory().expect("it needs no file");
        database
            .execute_batch(
                "PRAGMA application_id = 1114522219; PRAGMA user_version = 1;
                 CREATE TABLE machines (id INTEGER PRIMARY KEY, identity TEXT NOT NULL UNIQUE) STRICT;
                 INSERT INTO machines (identity) VALUES ('reference');",
            )
            .expect("it is SQL");
        database
    }

    fn notes(database: &Connection) -> rusqlite::Result<String> {
        database.query_row("SELECT note FROM machines", (), |row| row.get(0))
    }

    #[test]
    fn a_database_gets_every_version_that_it_misses() {
        let mut database = of_version_1();
        migrate(&mut database, LATER).expect("they fit");
        assert_eq!(version(&database), Ok(3));
        assert_eq!(notes(&database), Ok("old".to_owned()));
        migrate(&mut database, LATER).expect("nothing is left to do");
        assert_eq!(notes(&database), Ok("old".to_owned()));
    }

    #[test]
    fn a_step_that_fails_leaves_the_version_before_it() {
        let mut database = of_version_1();
        let broken = [LATER[0], LATER[1], "CREATE TABLE notes (id INTEGER PRIMARY KEY) STRICT; SELECT nothing;"];
        assert!(migrate(&mut database, &broken).is_err());
        assert_eq!(version(&database), Ok(2));
        assert!(!database.table_exists(None, "notes").expect("it can be asked"));
        migrate(&mut database, LATER).expect("mended, they fit");
        assert_eq!(version(&database), Ok(3));
    }

    #[test]
    fn the_same_tables_come_of_both_ways() {
        let tables = |database: &Connection| -> Vec<String> {
            let mut statement = database.prepare("SELECT sql FROM sqlite_schema ORDER BY name").expect("it is SQL");
            let rows = statement.query_map((), |row| row.get::<_, Option<String>>(0)).expect("it can be asked");
            rows.map(|sql| sql.expect("it can be read").unwrap_or_default()).collect()
        };
        let mut anew = Connection::open_in_memory().expect("it needs no file");
        migrate(&mut anew, LATER).expect("they fit");
        let mut step_by_step = Connection::open_in_memory().expect("it needs no file");
        for count in 1..=LATER.len() {
            migrate(&mut step_by_step, &LATER[..count]).expect("they fit");
        }
        assert_eq!(tables(&anew), tables(&step_by_step));
        let application: i32 =
            anew.pragma_query_value(None, "application_id", |row| row.get(0)).expect("it can be asked");
        assert_eq!(application, APPLICATION);
    }
}
