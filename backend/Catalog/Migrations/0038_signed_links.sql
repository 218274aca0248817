-- Links that open one file without a password, made by a person or an API key. A link without a row opens nothing.
-- via, folded: who made it, as in sessions; for a key, the key's name. proof: what must still hold of the maker. made, expires: ticks.

CREATE TABLE signed_links (
    id      INTEGER PRIMARY KEY,
    item_id INTEGER NOT NULL,              -- a row of items; the link of a file that is gone opens nothing
    via     TEXT NOT NULL,
    folded  TEXT NOT NULL,
    name    TEXT NOT NULL,
    proof   TEXT NOT NULL,
    is_play INTEGER NOT NULL,              -- made for a player; the next one of the same maker for the same file extends it
    made    INTEGER NOT NULL,
    expires INTEGER NOT NULL
);

CREATE INDEX signed_links_maker ON signed_links (via, folded, item_id);
