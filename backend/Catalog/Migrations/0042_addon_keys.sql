-- Keys in the addresses of the add-on for Stremio. A key without a row opens nothing.
-- hash: SHA-256 of the key, hexadecimal; the key itself is shown once and not stored. made: ticks.

CREATE TABLE addon_keys (
    id   INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    hash TEXT NOT NULL UNIQUE,
    made INTEGER NOT NULL
);
