//! The versions of the schema, and the migrations between them.

use rusqlite::{Connection, TransactionBehavior};

/// The application id in the header of the file: `BnBk`.
pub(super) const APPLICATION: i32 = 0x426e_426b;

/// Each migration creates one version from the previous one; the first creates the tables. Released ones never change.
pub(super) const MIGRATIONS: &[&str] =
    &[include_str!("schema/1.sql"), include_str!("schema/2.sql"), include_str!("schema/3.sql")];

/// The version of a database.
pub(super) fn version(database: &Connection) -> rusqlite::Result<usize> {
    database.pragma_query_value(None, "user_version", |row| row.get(0))
}

/// Brings a database to the latest version, each step in a separate transaction. Foreign keys are not enforced meanwhile, since
/// a step may replace a table that others refer to.
pub(super) fn migrate(database: &mut Connection, migrations: &[&str]) -> rusqlite::Result<()> {
    let enforced: bool = database.pragma_query_value(None, "foreign_keys", |row| row.get(0))?;
    database.pragma_update(None, "foreign_keys", false)?;
    let migrated = run(database, migrations);
    database.pragma_update(None, "foreign_keys", enforced)?;
    migrated
}

fn run(database: &mut Connection, migrations: &[&str]) -> rusqlite::Result<()> {
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

    /// Two fictitious later versions.
    const LATER: &[&str] = &[
        MIGRATIONS[0],
        "ALTER TABLE machines ADD COLUMN note TEXT NOT NULL DEFAULT 'none'; UPDATE machines SET note = 'old';",
        "CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT;",
    ];

    /// A database of version 1.
    fn version_1() -> Connection {
        let database = Connection::open_in_memory().expect("an in-memory database opens");
        database
            .execute_batch(
                "PRAGMA application_id = 1114522219; PRAGMA user_version = 1;
                 CREATE TABLE machines (id INTEGER PRIMARY KEY, identity TEXT NOT NULL UNIQUE) STRICT;
                 INSERT INTO machines (identity) VALUES ('reference');",
            )
            .expect("valid SQL");
        database
    }

    fn notes(database: &Connection) -> rusqlite::Result<String> {
        database.query_row("SELECT note FROM machines", (), |row| row.get(0))
    }

    #[test]
    fn migrates_through_every_missing_version() {
        let mut database = version_1();
        migrate(&mut database, LATER).expect("the migrations succeed");
        assert_eq!(version(&database), Ok(3));
        assert_eq!(notes(&database), Ok("old".to_owned()));
        migrate(&mut database, LATER).expect("there is nothing to migrate");
        assert_eq!(notes(&database), Ok("old".to_owned()));
    }

    #[test]
    fn results_of_version_1_have_the_first_method_and_keep_their_points_and_samples() {
        let mut database = Connection::open_in_memory().expect("an in-memory database opens");
        database.pragma_update(None, "foreign_keys", true).expect("SQLite has foreign keys");
        migrate(&mut database, &MIGRATIONS[..1]).expect("the migration succeeds");
        database
            .execute_batch(
                "INSERT INTO suites VALUES (1, 'demo', 'f', '{}'); INSERT INTO machines VALUES (1, 'reference');
                 INSERT INTO series VALUES (1, 'f', 1, 'a', 'g', '{}', 'size', 0);
                 INSERT INTO results VALUES (1, 0, 1, 1, 1, '{}', '{}', '{}', '[]');
                 INSERT INTO points VALUES (7, 1, 1, 5.0, 1, 0.01, 40.0, 1, '{}', NULL);
                 INSERT INTO samples VALUES (7, x'00');",
            )
            .expect("valid SQL");
        migrate(&mut database, MIGRATIONS).expect("the migrations succeed");
        for table in ["results", "points"] {
            let method = database.query_row(&format!("SELECT method FROM {table}"), (), |row| row.get(0));
            assert_eq!(method, Ok(1), "{table}");
        }
        let found = database.query_row(
            "SELECT x, typeof(x), runs FROM points JOIN samples ON samples.point = points.id WHERE x IS 5.0",
            (),
            |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)),
        );
        assert_eq!(found, Ok((5.0, "real".to_owned(), vec![0_u8])));
        database.execute("INSERT INTO samples VALUES (8, x'00')", ()).expect_err("no point has this number");
    }

    #[test]
    fn a_failed_migration_leaves_the_previous_version() {
        let mut database = version_1();
        let broken = [LATER[0], LATER[1], "CREATE TABLE notes (id INTEGER PRIMARY KEY) STRICT; SELECT nothing;"];
        assert!(migrate(&mut database, &broken).is_err());
        assert_eq!(version(&database), Ok(2));
        assert!(!database.table_exists(None, "notes").expect("the query succeeds"));
        migrate(&mut database, LATER).expect("the fixed migrations succeed");
        assert_eq!(version(&database), Ok(3));
    }

    #[test]
    fn migrating_step_by_step_creates_the_same_tables() {
        let tables = |database: &Connection| -> Vec<String> {
            let mut statement = database.prepare("SELECT sql FROM sqlite_schema ORDER BY name").expect("valid SQL");
            let rows = statement.query_map((), |row| row.get::<_, Option<String>>(0)).expect("the query succeeds");
            rows.map(|sql| sql.expect("the row can be read").unwrap_or_default()).collect()
        };
        let mut at_once = Connection::open_in_memory().expect("an in-memory database opens");
        migrate(&mut at_once, LATER).expect("the migrations succeed");
        let mut step_by_step = Connection::open_in_memory().expect("an in-memory database opens");
        for count in 1..=LATER.len() {
            migrate(&mut step_by_step, &LATER[..count]).expect("the migrations succeed");
        }
        assert_eq!(tables(&at_once), tables(&step_by_step));
        let application: i32 =
            at_once.pragma_query_value(None, "application_id", |row| row.get(0)).expect("the query succeeds");
        assert_eq!(application, APPLICATION);
    }
}
