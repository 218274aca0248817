-- What holds files: links in libraries, as of the last complete reading of all of them. A file has a row from the first time that it is held.
-- lost: nothing holds it any more; hidden: it is not shown any more; kept: a person wants it to stay. All are times, null for not.
CREATE TABLE holds (
    item_id BIGINT PRIMARY KEY REFERENCES items (id) ON DELETE CASCADE DEFERRABLE,
    holder  TEXT COLLATE "C"    NOT NULL,                      -- the link, or where it was last
    held    BIGINT NOT NULL,
    lost    BIGINT,
    hidden  BIGINT,
    kept    BIGINT
);

CREATE INDEX holds_by_holder ON holds (holder) WHERE lost IS NULL;
CREATE INDEX holds_lost ON holds (lost) WHERE lost IS NOT NULL;

-- Jobs that an *arr gave up, until it is known whether a library has something of them.
CREATE TABLE releases (
    item_id  BIGINT PRIMARY KEY REFERENCES items (id) ON DELETE CASCADE DEFERRABLE,
    job_id   BIGINT,                              -- also of a job that is forgotten
    released BIGINT NOT NULL
);

-- The complete readings: the first, the last, and the categories whose *arr was read, separated by '/'.
CREATE TABLE readings (
    id         BIGINT PRIMARY KEY CHECK (id = 1),
    first      BIGINT NOT NULL,
    last       BIGINT NOT NULL,
    categories TEXT COLLATE "C"    NOT NULL
);
