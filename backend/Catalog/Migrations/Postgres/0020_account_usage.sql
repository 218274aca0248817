-- What Usenet accounts with a quota brought in its period.

CREATE TABLE account_usage (
    account TEXT COLLATE "C" NOT NULL PRIMARY KEY,  -- HOST:port:user name
    since   BIGINT NOT NULL,           -- ticks, UTC: when the period began; 0 for one without end
    bytes   BIGINT NOT NULL
);
