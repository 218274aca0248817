-- WebDAV locks that all gateways of a catalog hold. Empty with SQLite, where the one server keeps them in memory.
-- root: a path, encoded as in an href. owner: XML of the client. timeout, expires: ticks.

CREATE TABLE dav_locks (
    token         TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    root          TEXT COLLATE "C" NOT NULL,
    is_collection BIGINT           NOT NULL,
    is_shared     BIGINT           NOT NULL,
    is_deep       BIGINT           NOT NULL,
    owner         TEXT COLLATE "C",
    timeout       BIGINT           NOT NULL,
    expires       BIGINT           NOT NULL
);
