-- Version 3. Axis values may be texts, or NULL if the request has no axis. The type ANY stores each value as it is.

CREATE TABLE new_points (
    id INTEGER PRIMARY KEY,
    result INTEGER NOT NULL REFERENCES results,
    series INTEGER NOT NULL REFERENCES series,
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

INSERT INTO new_points
    SELECT id, result, series, x, priority, precision, point_ms, processes, measured, failed, method FROM points;

DROP TABLE points;
ALTER TABLE new_points RENAME TO points;

CREATE INDEX points_of_result ON points (result);
CREATE INDEX points_found ON points (series, x, result DESC, method, precision, point_ms, processes, failed);
