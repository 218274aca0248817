-- The tree, the jobs, the settings. The tables of SQLite, with PostgreSQL's types: the tests hold the two schemas against each other. Texts compare byte by byte. Ids are made by the program; times are UTC ticks (100 ns since 0001); hashes are lower-case hex.

CREATE TABLE jobs (
    id              BIGINT PRIMARY KEY,
    name            TEXT COLLATE "C"    NOT NULL,
    category        TEXT COLLATE "C"    NOT NULL,
    state           TEXT COLLATE "C"    NOT NULL CHECK (state IN ('queued', 'running', 'completed', 'failed')),
    priority        BIGINT NOT NULL,
    source          TEXT COLLATE "C"    NOT NULL,
    nzb             TEXT COLLATE "C",                          -- blob
    nzb_size        BIGINT NOT NULL,
    password        TEXT COLLATE "C",
    created         BIGINT NOT NULL,
    started         BIGINT,
    finished        BIGINT,
    owner           TEXT COLLATE "C",
    lease_until     BIGINT,
    not_before      BIGINT NOT NULL DEFAULT 0,
    attempts        BIGINT NOT NULL DEFAULT 0,    -- also the fencing token of a claim
    step            TEXT COLLATE "C",
    progress        BIGINT NOT NULL DEFAULT 0,    -- per mille of the step
    total_bytes     BIGINT NOT NULL DEFAULT 0,
    file_count      BIGINT NOT NULL DEFAULT 0,
    failure_code    TEXT COLLATE "C",
    failure_message TEXT COLLATE "C",
    item_id         BIGINT
);

CREATE INDEX jobs_by_turn ON jobs (state, priority DESC, id);
CREATE INDEX jobs_by_category ON jobs (category, state, id);
CREATE INDEX jobs_by_nzb ON jobs (nzb);
CREATE INDEX jobs_by_item ON jobs (item_id);

CREATE TABLE items (
    id           BIGINT PRIMARY KEY,
    parent_id    BIGINT REFERENCES items (id) DEFERRABLE,    -- null for the root only
    name         TEXT COLLATE "C"    NOT NULL,
    kind         TEXT COLLATE "C"    NOT NULL CHECK (kind IN ('collection', 'file')),
    size         BIGINT NOT NULL CHECK (size >= 0),
    created      BIGINT NOT NULL,
    modified     BIGINT NOT NULL,
    content_type TEXT COLLATE "C",
    extent_map   TEXT COLLATE "C",                             -- blob; files only
    job_id       BIGINT REFERENCES jobs (id) ON DELETE SET NULL DEFERRABLE,
    UNIQUE (parent_id, name),
    CHECK ((kind = 'file') = (extent_map IS NOT NULL))
);

ALTER TABLE jobs ADD FOREIGN KEY (item_id) REFERENCES items (id) ON DELETE SET NULL DEFERRABLE;

CREATE INDEX items_by_extent_map ON items (extent_map);
CREATE INDEX items_by_job ON items (job_id);

INSERT INTO items (id, parent_id, name, kind, size, created, modified) VALUES (1, NULL, '', 'collection', 0, 0, 0);

CREATE TABLE settings (
    key   TEXT COLLATE "C" PRIMARY KEY,
    value TEXT COLLATE "C" NOT NULL
);

-- One counter per kind of data that is cached outside; whoever changes that data counts up in the same transaction.
CREATE TABLE versions (
    name  TEXT COLLATE "C" PRIMARY KEY,
    value BIGINT NOT NULL
);

INSERT INTO versions (name, value) VALUES ('tree', 1), ('settings', 1);

-- Has no rows. Transactions that write references to blobs lock it in one mode, those that remove blobs in another, so that they wait for each other.
CREATE TABLE blob_lock ();

-- Every column that names a blob. A blob that is not in this view is garbage.
CREATE VIEW blob_references AS
    SELECT extent_map AS hash FROM items WHERE extent_map IS NOT NULL
    UNION ALL
    SELECT nzb AS hash FROM jobs WHERE nzb IS NOT NULL;
