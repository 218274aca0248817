-- Who may sign in to the interface. WebDAV has credentials of its own.

CREATE TABLE users (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    folded TEXT NOT NULL UNIQUE,   -- the name in capitals: names differ by more than case
    hash TEXT NOT NULL,            -- of the password
    stamp TEXT NOT NULL,           -- sessions hold it; a new one ends them
    created INTEGER NOT NULL
);
