-- Links that open one file without a password, made by a person or an API key. A link without a row opens nothing.
-- via, folded: who made it, as in sessions; for a key, the key's name. proof: what must still hold of the maker. made, expires: ticks.

CREATE TABLE signed_links (
    id      BIGINT PRIMARY KEY,
    item_id BIGINT NOT NULL,              -- a row of items; the link of a file that is gone opens nothing
    via     TEXT COLLATE "C" NOT NULL,
    folded  TEXT COLLATE "C" NOT NULL,
    name    TEXT COLLATE "C" NOT NULL,
    proof   TEXT COLLATE "C" NOT NULL,
    is_play BIGINT NOT NULL,              -- made for a player; the next one of the same maker for the same file extends it
    made    BIGINT NOT NULL,
    expires BIGINT NOT NULL
);

CREATE INDEX signed_links_maker ON signed_links (via, folded, item_id);
