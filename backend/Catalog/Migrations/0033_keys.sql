-- Keys that all gateways of a catalog share: those of the interfaces, of signed links, and those that encrypt sessions and stored secrets. Empty with SQLite, where they are files.

CREATE TABLE keys (
    name  TEXT NOT NULL PRIMARY KEY,                                 -- its file in keys/
    value BLOB NOT NULL
);
