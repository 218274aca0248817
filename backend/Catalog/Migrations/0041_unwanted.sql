-- Items that are not wanted any more, by cause: one table in place of columns of holds and health_posts, and of releases.
-- cause: library (no library has a link to the file any more), arr (an *arr gave the job up), replacement (another post plays in its place).
-- state: shown, hidden, kept (a person wants it to stay). An item is deleted by UnwantedDeleter alone.
CREATE TABLE unwanted (
    item_id     INTEGER NOT NULL REFERENCES items (id) ON DELETE CASCADE,
    cause       TEXT    NOT NULL,
    state       TEXT    NOT NULL,
    since       INTEGER NOT NULL,                  -- since when it is not wanted
    changed     INTEGER NOT NULL,                  -- since when it is in this state
    reason      TEXT,                              -- library: the link that was the last
    accepted    INTEGER,                           -- when a person confirmed that it may go
    job_id      INTEGER,                           -- arr: the job, which may be forgotten
    download_id TEXT,                              -- arr: the id of that job in the program that it was moved from
    PRIMARY KEY (item_id, cause)
) WITHOUT ROWID;

INSERT INTO unwanted (item_id, cause, state, since, changed, reason, accepted)
SELECT item_id, 'library', CASE WHEN kept IS NOT NULL THEN 'kept' WHEN hidden IS NOT NULL THEN 'hidden' ELSE 'shown' END,
    lost, COALESCE(kept, hidden, lost), holder, accepted
FROM holds WHERE lost IS NOT NULL;

INSERT INTO unwanted (item_id, cause, state, since, changed, job_id, download_id)
SELECT item_id, 'arr', 'shown', released, released, job_id, download_id FROM releases;

INSERT INTO unwanted (item_id, cause, state, since, changed, reason)
SELECT item_id, 'replacement', 'hidden', hidden, hidden, reason FROM health_posts WHERE hidden IS NOT NULL;

DROP TABLE releases;
DROP INDEX holds_by_holder;
DROP INDEX holds_lost;
ALTER TABLE holds DROP COLUMN lost;
ALTER TABLE holds DROP COLUMN hidden;
ALTER TABLE holds DROP COLUMN kept;
ALTER TABLE holds DROP COLUMN accepted;
ALTER TABLE health_posts DROP COLUMN hidden;
CREATE INDEX holds_by_holder ON holds (holder);
