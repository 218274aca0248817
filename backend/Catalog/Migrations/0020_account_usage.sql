-- What Usenet accounts with a quota brought in its period.

CREATE TABLE account_usage (
    account TEXT NOT NULL PRIMARY KEY,  -- HOST:port:user name
    since   INTEGER NOT NULL,           -- ticks, UTC: when the period began; 0 for one without end
    bytes   INTEGER NOT NULL
) WITHOUT ROWID;
