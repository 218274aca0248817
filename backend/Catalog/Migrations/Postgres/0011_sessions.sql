-- What users may do; those of before may do everything, as they could.
ALTER TABLE users ADD COLUMN role TEXT COLLATE "C" NOT NULL DEFAULT 'administrator';

-- The latest request, null for none yet.
ALTER TABLE users ADD COLUMN seen BIGINT;

-- Browsers that are signed in. A cookie whose session has no row opens nothing.
CREATE TABLE sessions (
    id      TEXT COLLATE "C"    PRIMARY KEY,
    folded  TEXT COLLATE "C"    NOT NULL,                      -- of the user's name; with via 'password' that of a row of users
    name    TEXT COLLATE "C"    NOT NULL,
    via     TEXT COLLATE "C"    NOT NULL,
    begun   BIGINT NOT NULL,
    seen    BIGINT NOT NULL,
    address TEXT COLLATE "C",
    program TEXT COLLATE "C"
);
