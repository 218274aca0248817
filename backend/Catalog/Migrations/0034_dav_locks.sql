-- WebDAV locks that all gateways of a catalog hold. Empty with SQLite, where the one server keeps them in memory.
-- root: a path, encoded as in an href. owner: XML of the client. timeout, expires: ticks.

CREATE TABLE dav_locks (
    token         TEXT    NOT NULL PRIMARY KEY,
    root          TEXT    NOT NULL,
    is_collection INTEGER NOT NULL,
    is_shared     INTEGER NOT NULL,
    is_deep       INTEGER NOT NULL,
    owner         TEXT,
    timeout       INTEGER NOT NULL,
    expires       INTEGER NOT NULL
);
