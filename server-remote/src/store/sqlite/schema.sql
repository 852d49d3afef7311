-- Version 3, the first that was released. docs/store.md lists the columns with JSON. Rows never change, except for the counts in `subjects`.

-- Builds of suites.
CREATE TABLE suites (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    card TEXT NOT NULL UNIQUE
) STRICT;

-- Machines, by identity.
CREATE TABLE machines (
    id INTEGER PRIMARY KEY,
    identity TEXT NOT NULL UNIQUE
) STRICT;

-- The keys for browsing, with counts, since counting a million results takes too long.
CREATE TABLE subjects (
    id INTEGER PRIMARY KEY,
    suite TEXT NOT NULL,
    function TEXT NOT NULL,
    generator TEXT NOT NULL,
    results INTEGER NOT NULL,
    newest INTEGER NOT NULL,
    UNIQUE (suite, function, generator)
) STRICT;

-- The search key that points have in common, without axis value and quality.
CREATE TABLE series (
    id INTEGER PRIMARY KEY,
    fingerprint TEXT NOT NULL,
    machine INTEGER NOT NULL REFERENCES machines,
    function TEXT NOT NULL,
    generator TEXT NOT NULL,
    arguments TEXT NOT NULL,
    axis TEXT NOT NULL,
    seed INTEGER NOT NULL,
    UNIQUE (seed, function, fingerprint, machine, generator, axis, arguments)
) STRICT;

-- AUTOINCREMENT: numbers ascend even after all results were deleted.
CREATE TABLE results (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    stored INTEGER NOT NULL,
    suite INTEGER NOT NULL REFERENCES suites,
    priority INTEGER NOT NULL,
    points INTEGER NOT NULL,
    request TEXT NOT NULL,
    quality TEXT NOT NULL,
    machine TEXT NOT NULL,
    comparisons TEXT NOT NULL,
    -- Figures of an older method do not respond to new requests.
    method INTEGER NOT NULL
) STRICT;

-- The subjects of each result: one per function.
CREATE TABLE listed (
    subject INTEGER NOT NULL REFERENCES subjects,
    result INTEGER NOT NULL REFERENCES results,
    PRIMARY KEY (subject, result)
) STRICT, WITHOUT ROWID;

-- In the order of measurement. The columns of the quality repeat the result's, for the index.
CREATE TABLE points (
    id INTEGER PRIMARY KEY,
    result INTEGER NOT NULL REFERENCES results,
    series INTEGER NOT NULL REFERENCES series,
    -- A number, a text, or NULL if the request has no axis. The type ANY stores each value as it is.
    x ANY,
    priority INTEGER NOT NULL,
    precision REAL NOT NULL,
    point_ms REAL NOT NULL,
    processes INTEGER NOT NULL,
    measured TEXT,
    failed TEXT,
    method INTEGER NOT NULL,
    CHECK ((measured IS NULL) <> (failed IS NULL))
) STRICT;

CREATE INDEX points_of_result ON points (result);

-- Covers the search for points, newest first, so that it reads no rows of other points. Includes the few failed points: SQLite
-- would not use an index WHERE measured IS NOT NULL as a covering index.
CREATE INDEX points_found ON points (series, x, result DESC, method, precision, point_ms, processes, failed);

-- A separate table, so that the search for points reads no samples. JSON, compressed with zstd.
CREATE TABLE samples (
    point INTEGER PRIMARY KEY REFERENCES points,
    runs BLOB NOT NULL
) STRICT;
