-- The tree, the jobs, the settings. Steps are written for SQLite, and the runner replaces the types for PostgreSQL; every
-- statement outside this folder stays in the subset that both share. Ids are made by the program; times are UTC ticks
-- (100 ns since 0001); hashes are lower-case hex.

CREATE TABLE jobs (
    id              INTEGER PRIMARY KEY,
    name            TEXT    NOT NULL,
    category        TEXT    NOT NULL,
    state           TEXT    NOT NULL CHECK (state IN ('queued', 'running', 'completed', 'failed')),
    priority        INTEGER NOT NULL,
    source          TEXT    NOT NULL,
    nzb             TEXT,                          -- blob
    nzb_size        INTEGER NOT NULL,
    password        TEXT,
    created         INTEGER NOT NULL,
    started         INTEGER,
    finished        INTEGER,
    owner           TEXT,
    lease_until     INTEGER,
    not_before      INTEGER NOT NULL DEFAULT 0,
    attempts        INTEGER NOT NULL DEFAULT 0,    -- also the fencing token of a claim
    step            TEXT,
    progress        INTEGER NOT NULL DEFAULT 0,    -- per mille of the step
    total_bytes     INTEGER NOT NULL DEFAULT 0,
    file_count      INTEGER NOT NULL DEFAULT 0,
    failure_code    TEXT,
    failure_message TEXT,
    item_id         INTEGER REFERENCES items (id) ON DELETE SET NULL
);

CREATE INDEX jobs_by_turn ON jobs (state, priority DESC, id);
CREATE INDEX jobs_by_category ON jobs (category, state, id);
CREATE INDEX jobs_by_nzb ON jobs (nzb);
CREATE INDEX jobs_by_item ON jobs (item_id);

CREATE TABLE items (
    id           INTEGER PRIMARY KEY,
    parent_id    INTEGER REFERENCES items (id),    -- null for the root only
    name         TEXT    NOT NULL,
    kind         TEXT    NOT NULL CHECK (kind IN ('collection', 'file')),
    size         INTEGER NOT NULL CHECK (size >= 0),
    created      INTEGER NOT NULL,
    modified     INTEGER NOT NULL,
    content_type TEXT,
    extent_map   TEXT,                             -- blob; files only
    job_id       INTEGER REFERENCES jobs (id) ON DELETE SET NULL,
    UNIQUE (parent_id, name),
    CHECK ((kind = 'file') = (extent_map IS NOT NULL))
);

CREATE INDEX items_by_extent_map ON items (extent_map);
CREATE INDEX items_by_job ON items (job_id);

INSERT INTO items (id, parent_id, name, kind, size, created, modified) VALUES (1, NULL, '', 'collection', 0, 0, 0);

CREATE TABLE settings (
    key   TEXT PRIMARY KEY,
    value TEXT NOT NULL
);

-- One counter per kind of data that is cached outside; whoever changes that data counts up in the same transaction.
CREATE TABLE versions (
    name  TEXT PRIMARY KEY,
    value INTEGER NOT NULL
);

INSERT INTO versions (name, value) VALUES ('tree', 1), ('settings', 1);

-- Every column that names a blob. A blob that is not in this view is garbage.
CREATE VIEW blob_references AS
    SELECT extent_map AS hash FROM items WHERE extent_map IS NOT NULL
    UNION ALL
    SELECT nzb AS hash FROM jobs WHERE nzb IS NOT NULL;
