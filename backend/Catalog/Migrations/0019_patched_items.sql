-- Files of which some articles were made again: whose patches they need, by the name of the post's folder.

CREATE TABLE patched_items (
    item_id INTEGER NOT NULL REFERENCES items (id) ON DELETE CASCADE,
    post    TEXT NOT NULL,
    PRIMARY KEY (item_id, post)
) WITHOUT ROWID;
