-- Which part of a Usenet account's connections each gateway on this database has. Always empty in SQLite, which serves one gateway.

CREATE TABLE connection_shares (
    account TEXT NOT NULL,      -- HOST:port:user name
    gateway TEXT NOT NULL,      -- made anew by each start of a gateway
    share   INTEGER NOT NULL,   -- the most connections that it may have
    wanted  INTEGER NOT NULL,   -- connections that its requests use or wait for
    until   INTEGER NOT NULL,   -- ticks, UTC, by the database server's clock: its connections are closed before
    PRIMARY KEY (account, gateway)
) WITHOUT ROWID;
