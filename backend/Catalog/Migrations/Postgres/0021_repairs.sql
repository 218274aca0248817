-- Repairs of files that did not come to their end, and those that failed and are not worth trying again yet. A file that was repaired has no row.

CREATE TABLE repairs (
    item_id   BIGINT NOT NULL PRIMARY KEY REFERENCES items (id) ON DELETE CASCADE DEFERRABLE,
    article   TEXT COLLATE "C"    NOT NULL, -- what stands for the article in the file's map
    reason    TEXT COLLATE "C",             -- why it failed; null: it did not
    until     BIGINT NOT NULL, -- ticks, UTC: not tried again before
    providers TEXT COLLATE "C"    NOT NULL  -- who was asked: with others it is tried again at once
);
