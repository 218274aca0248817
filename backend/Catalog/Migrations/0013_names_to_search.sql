-- Names as they are searched and sorted: in small letters, dots and underscores as spaces. The program writes them (FoldedName); what is here already gets the small letters of
-- ASCII, which is all that the engine knows.

ALTER TABLE items ADD COLUMN folded TEXT NOT NULL DEFAULT '';

UPDATE items SET folded = replace(replace(lower(name), '.', ' '), '_', ' ');

-- A collection's page in the order of names, and a search over all names: both are answered from the index alone.
CREATE INDEX items_by_listing ON items (parent_id, kind, folded, id);
CREATE INDEX items_by_folded ON items (kind, folded, id);
