-- Repairs of files that did not come to their end, and those that failed and are not worth trying again yet. A file that was repaired has no row.

CREATE TABLE repairs (
    item_id   INTEGER NOT NULL PRIMARY KEY REFERENCES items (id) ON DELETE CASCADE,
    article   TEXT    NOT NULL, -- what stands for the article in the file's map
    reason    TEXT,             -- why it failed; null: it did not
    until     INTEGER NOT NULL, -- ticks, UTC: not tried again before
    providers TEXT    NOT NULL  -- who was asked: with others it is tried again at once
);
