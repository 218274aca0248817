-- What users may do; those of before may do everything, as they could.
ALTER TABLE users ADD COLUMN role TEXT NOT NULL DEFAULT 'administrator';

-- The latest request, null for none yet.
ALTER TABLE users ADD COLUMN seen INTEGER;

-- Browsers that are signed in. A cookie whose session has no row opens nothing.
CREATE TABLE sessions (
    id      TEXT    PRIMARY KEY,
    folded  TEXT    NOT NULL,                      -- of the user's name; with via 'password' that of a row of users
    name    TEXT    NOT NULL,
    via     TEXT    NOT NULL,
    begun   INTEGER NOT NULL,
    seen    INTEGER NOT NULL,
    address TEXT,
    program TEXT
) WITHOUT ROWID;
