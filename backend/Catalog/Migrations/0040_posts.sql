-- post_id: the post that an item belongs to: the collection or file below /content/CATEGORY that it is or lies in. Null for what is above. The program keeps
-- it true when it adds and moves items; an item goes with its post.
ALTER TABLE items ADD COLUMN post_id INTEGER;

WITH RECURSIVE inside (id, post_id) AS (
    SELECT post.id, post.id FROM items AS post JOIN items AS category ON category.id = post.parent_id
    JOIN items AS content ON content.id = category.parent_id WHERE content.parent_id = 1
    UNION ALL
    SELECT items.id, inside.post_id FROM items JOIN inside ON items.parent_id = inside.id)
UPDATE items SET post_id = inside.post_id FROM inside WHERE inside.id = items.id;

CREATE INDEX items_by_post ON items (post_id) WHERE post_id IS NOT NULL;
