-- What holds files: links in libraries, as of the last complete reading of all of them. A file has a row from the first time that it is held.
-- lost: nothing holds it any more; hidden: it is not shown any more; kept: a person wants it to stay. All are times, null for not.
CREATE TABLE holds (
    item_id INTEGER PRIMARY KEY REFERENCES items (id) ON DELETE CASCADE,
    holder  TEXT    NOT NULL,                      -- the link, or where it was last
    held    INTEGER NOT NULL,
    lost    INTEGER,
    hidden  INTEGER,
    kept    INTEGER
);

CREATE INDEX holds_by_holder ON holds (holder) WHERE lost IS NULL;
CREATE INDEX holds_lost ON holds (lost) WHERE lost IS NOT NULL;

-- Jobs that an *arr gave up, until it is known whether a library has something of them.
CREATE TABLE releases (
    item_id  INTEGER PRIMARY KEY REFERENCES items (id) ON DELETE CASCADE,
    job_id   INTEGER,                              -- also of a job that is forgotten
    released INTEGER NOT NULL
);

-- The complete readings: the first, the last, and the categories whose *arr was read, separated by '/'.
CREATE TABLE readings (
    id         INTEGER PRIMARY KEY CHECK (id = 1),
    first      INTEGER NOT NULL,
    last       INTEGER NOT NULL,
    categories TEXT    NOT NULL
);
