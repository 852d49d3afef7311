-- Version 2. The version of the method, since figures of an older method do not respond to new requests.

ALTER TABLE results ADD COLUMN method INTEGER NOT NULL DEFAULT 1;
ALTER TABLE points ADD COLUMN method INTEGER NOT NULL DEFAULT 1;

DROP INDEX points_found;
CREATE INDEX points_found ON points (series, x, result DESC, method, precision, point_ms, processes, failed);
