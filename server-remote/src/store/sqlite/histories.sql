-- The history of each machine: what its reference kernel and its points took at earlier occasions, as JSON. It has no results.
CREATE TABLE histories (
    machine TEXT PRIMARY KEY,
    history TEXT NOT NULL
) STRICT, WITHOUT ROWID;
