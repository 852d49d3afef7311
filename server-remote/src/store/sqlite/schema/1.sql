-- Version 1. Texts that hold JSON are named in docs/store.md; nothing is ever changed but the counts of `subjects`.

-- Builds of suites.
CREATE TABLE suites (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    card TEXT NOT NULL UNIQUE
) STRICT;

-- Machines, by what makes them the same one.
CREATE TABLE machines (
    id INTEGER PRIMARY KEY,
    identity TEXT NOT NULL UNIQUE
) STRICT;

-- What people browse by, with counts, since counting a million results takes too long.
CREATE TABLE subjects (
    id INTEGER PRIMARY KEY,
    suite TEXT NOT NULL,
    function TEXT NOT NULL,
    generator TEXT NOT NULL,
    results INTEGER NOT NULL,
    newest INTEGER NOT NULL,
    UNIQUE (suite, function, generator)
) STRICT;

-- What points have in common that answer the same question, but for its axis values and its quality.
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

-- AUTOINCREMENT: numbers ascend even when all was forgotten.
CREATE TABLE results (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    stored INTEGER NOT NULL,
    suite INTEGER NOT NULL REFERENCES suites,
    priority INTEGER NOT NULL,
    points INTEGER NOT NULL,
    request TEXT NOT NULL,
    quality TEXT NOT NULL,
    machine TEXT NOT NULL,
    comparisons TEXT NOT NULL
) STRICT;

-- The subjects of each result: one for each function.
CREATE TABLE listed (
    subject INTEGER NOT NULL REFERENCES subjects,
    result INTEGER NOT NULL REFERENCES results,
    PRIMARY KEY (subject, result)
) STRICT, WITHOUT ROWID;

-- In the order measured. The qualities are those of the result, repeated for the index.
CREATE TABLE points (
    id INTEGER PRIMARY KEY,
    result INTEGER NOT NULL REFERENCES results,
    series INTEGER NOT NULL REFERENCES series,
    x REAL NOT NULL,
    priority INTEGER NOT NULL,
    precision REAL NOT NULL,
    point_ms REAL NOT NULL,
    processes INTEGER NOT NULL,
    measured TEXT,
    failed TEXT,
    CHECK ((measured IS NULL) <> (failed IS NULL))
) STRICT;

CREATE INDEX points_of_result ON points (result);

-- All that finding looks at, so that it reads no rows of points that will not do: the newest of a series at an axis value
-- comes first. With the failures, which are few: an index WHERE measured IS NOT NULL is not read alone.
CREATE INDEX points_found ON points (series, x, result DESC, precision, point_ms, processes, failed);

-- Apart, so that looking for points reads none of them. JSON, compressed by zstd.
CREATE TABLE samples (
    point INTEGER PRIMARY KEY REFERENCES points,
    runs BLOB NOT NULL
) STRICT;
