-- Who may sign in to the interface. WebDAV has credentials of its own.

CREATE TABLE users (
    id BIGINT PRIMARY KEY,
    name TEXT COLLATE "C" NOT NULL,
    folded TEXT COLLATE "C" NOT NULL UNIQUE,   -- the name in capitals: names differ by more than case
    hash TEXT COLLATE "C" NOT NULL,            -- of the password
    stamp TEXT COLLATE "C" NOT NULL,           -- sessions hold it; a new one ends them
    created BIGINT NOT NULL
);
