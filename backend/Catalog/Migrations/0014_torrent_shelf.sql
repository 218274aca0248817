-- The torrents that the user has: how each is to be treated, and what it has moved. A row is made with the torrent's job and goes with its last file.

CREATE TABLE torrents (
    hash            TEXT    PRIMARY KEY,               -- info-hash, 40 lower-case hex digits
    name            TEXT,                              -- given by the user; null: the torrent's own
    category        TEXT    NOT NULL,
    tags            TEXT    NOT NULL DEFAULT '',       -- separated by commas, in order
    save_path       TEXT,                              -- as the client that added it gave it; null: the category's
    layout          TEXT,                              -- content layout as the client gave it; null: original
    added           INTEGER NOT NULL,
    ready           INTEGER,                           -- when it counted as complete for whoever imports it
    completed       INTEGER,                           -- when all that was wanted was there
    last_active     INTEGER,                           -- when a peer gave or took a byte
    removed         INTEGER,                           -- off the list, though a library still has links to its files
    downloaded      INTEGER NOT NULL DEFAULT 0,        -- bytes
    uploaded        INTEGER NOT NULL DEFAULT 0,        -- bytes
    active_time     INTEGER NOT NULL DEFAULT 0,        -- seconds in the swarm
    seeding_time    INTEGER NOT NULL DEFAULT 0,        -- seconds in the swarm while complete
    idle_time       INTEGER NOT NULL DEFAULT 0,        -- seconds of that since a peer last took a byte
    keep            INTEGER,                           -- 0 stream, 1 keep whole; null: as its category
    ratio_limit     REAL,                              -- uploaded / downloaded; -1: none; null: as its category
    seed_minutes    INTEGER,                           -- -1: none; null: as its category
    idle_minutes    INTEGER,                           -- -1: none; null: as its category
    at_limit        TEXT,                              -- 'stop', 'remove', 'removeData'; null: as its category
    stopped         INTEGER NOT NULL DEFAULT 0,
    forced          INTEGER NOT NULL DEFAULT 0,
    sequential      INTEGER NOT NULL DEFAULT 0,
    edges_first     INTEGER NOT NULL DEFAULT 0,
    turn            INTEGER NOT NULL,                  -- lower goes first
    upload_limit    INTEGER,                           -- bytes per second; null: none
    download_limit  INTEGER,                           -- bytes per second; null: none
    files           TEXT,                              -- a digit per file: 0 skip … 3 highest; null: all normal
    error           TEXT                               -- why it stands still, in a few words
);

-- As clients create them through an API and expect them back after a restart.
CREATE TABLE torrent_categories (
    name      TEXT PRIMARY KEY,
    save_path TEXT NOT NULL DEFAULT ''
);

CREATE TABLE torrent_tags (
    name TEXT PRIMARY KEY
);

-- Torrents that were there before: what was published counted as complete at once.
INSERT INTO torrents (hash, category, added, ready, completed, turn)
SELECT hash, category, added, ready, ready, id FROM (
    SELECT i.torrent AS hash, COALESCE(MAX(j.category), '') AS category, MIN(i.created) AS added, MIN(i.created) AS ready, MIN(i.id) AS id
    FROM items AS i LEFT JOIN jobs AS j ON j.id = i.job_id WHERE i.torrent IS NOT NULL GROUP BY i.torrent
    UNION ALL
    SELECT content_hash, MAX(category), MIN(created), NULL, MIN(id)
    FROM jobs WHERE kind <> 'nzb' AND content_hash IS NOT NULL AND state IN ('queued', 'running', 'failed') AND content_hash NOT IN (SELECT torrent FROM items WHERE torrent IS NOT NULL)
    GROUP BY content_hash) AS found WHERE true
ON CONFLICT (hash) DO NOTHING;
