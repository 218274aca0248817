-- Scheduled checks of posts: what is known of each, what is missing and since when, what was done and why.

CREATE TABLE health_posts (
    item_id  INTEGER PRIMARY KEY REFERENCES items (id) ON DELETE CASCADE,  -- the job's collection
    verdict  TEXT    NOT NULL,                     -- see HealthVerdict
    stage    TEXT    NOT NULL,                     -- see HealthStage
    due      INTEGER NOT NULL,                     -- next check
    urgent   INTEGER NOT NULL DEFAULT 0,           -- 1: before those that are merely due
    checked  INTEGER,                              -- last check that told something
    checks   INTEGER NOT NULL DEFAULT 0,
    whole    INTEGER,                              -- last check that found everything it asked for
    place    INTEGER NOT NULL DEFAULT 0,           -- where the sweep over all articles goes on
    articles INTEGER NOT NULL DEFAULT 0,
    had      TEXT    NOT NULL DEFAULT '',          -- accounts that had articles of it when last asked, one a line
    reason   TEXT,
    changed  INTEGER NOT NULL,                     -- when the verdict or the stage last changed
    kept     INTEGER,                              -- a person wants it left alone
    hidden   INTEGER,                              -- not shown any more: a replacement plays
    search   TEXT                                  -- the search under way in an *arr, as JSON
);

CREATE INDEX health_posts_due ON health_posts (urgent DESC, due);
CREATE INDEX health_posts_verdict ON health_posts (verdict, changed);

-- Articles that no account had when they were asked for. No row: present, or never asked.
CREATE TABLE health_gone (
    item_id  INTEGER NOT NULL REFERENCES health_posts (item_id) ON DELETE CASCADE,
    article  TEXT    NOT NULL,                     -- as the file's map names it
    file_id  INTEGER NOT NULL,
    first    INTEGER NOT NULL,
    last     INTEGER NOT NULL,
    times    INTEGER NOT NULL,                     -- counted once in the time between two pieces of evidence
    accounts TEXT    NOT NULL,                     -- who said 430, one a line
    PRIMARY KEY (item_id, article)
) WITHOUT ROWID;

-- What was found and done, with its reasons. Outlives the post.
CREATE TABLE health_events (
    id       INTEGER PRIMARY KEY,
    item_id  INTEGER,                              -- null: not about one post
    name     TEXT    NOT NULL,
    at       INTEGER NOT NULL,
    kind     TEXT    NOT NULL,                     -- see HealthEventKind
    reason   TEXT    NOT NULL
);

CREATE INDEX health_events_item ON health_events (item_id, id);

-- What was learned of accounts.
CREATE TABLE health_accounts (
    account  TEXT    PRIMARY KEY,
    day      INTEGER NOT NULL,                     -- days since 0001-01-01 UTC
    asked    INTEGER NOT NULL,                     -- posts of that day that it had before
    denied   INTEGER NOT NULL,                     -- of these, those of which it has nothing now
    doubted  INTEGER,                              -- since when its 430 does not count
    agreed   INTEGER NOT NULL,                     -- articles whose BODY was a 430 too, since
    returned INTEGER NOT NULL,                     -- posts that it has again, since
    bodies   INTEGER NOT NULL,                     -- articles fetched after its STAT said yes
    lies     INTEGER NOT NULL                      -- of these, those that it does not have
) WITHOUT ROWID;

-- What was used of the daily limits.
CREATE TABLE health_days (
    day      INTEGER PRIMARY KEY,
    stats    INTEGER NOT NULL DEFAULT 0,
    bodies   INTEGER NOT NULL DEFAULT 0,
    removals INTEGER NOT NULL DEFAULT 0
);

CREATE TABLE health_state (
    id       INTEGER PRIMARY KEY CHECK (id = 1),
    paused   INTEGER,                              -- since when
    braked   INTEGER,                              -- since when removals wait for a person
    released INTEGER                               -- the removals of this day that a person allowed beyond the limit
);

INSERT INTO health_state (id) VALUES (1);
