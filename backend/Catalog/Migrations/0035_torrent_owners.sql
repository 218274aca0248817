-- Which gateway works with a torrent: one at a time, where several share the catalog. Stays empty in SQLite.

-- gateway: a name that differs at each start. address: where the other gateways read the torrent's files; empty: nowhere.
-- until: end of the lease in milliseconds since 1970, by the clock of the database server.
CREATE TABLE torrent_owners (
    hash    TEXT    PRIMARY KEY,
    gateway TEXT    NOT NULL,
    address TEXT    NOT NULL,
    until   INTEGER NOT NULL
) WITHOUT ROWID;
