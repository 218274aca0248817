-- Which part of a Usenet account's connections each gateway on this database has.

CREATE TABLE connection_shares (
    account TEXT COLLATE "C" NOT NULL,  -- HOST:port:user name
    gateway TEXT COLLATE "C" NOT NULL,  -- made anew by each start of a gateway
    share   BIGINT NOT NULL,            -- the most connections that it may have
    wanted  BIGINT NOT NULL,            -- connections that its requests use or wait for
    until   BIGINT NOT NULL,            -- ticks, UTC, by the database server's clock: its connections are closed before
    PRIMARY KEY (account, gateway)
);
