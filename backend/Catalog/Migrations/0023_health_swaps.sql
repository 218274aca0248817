-- Files that were given the map of another post of the same release, with the map that they had, so that it can be put back.

CREATE TABLE health_swaps (
    item_id    INTEGER PRIMARY KEY REFERENCES items (id) ON DELETE CASCADE,
    map        TEXT    NOT NULL,                   -- blob, or a row of maps
    encryption TEXT,
    source_id  INTEGER NOT NULL,                   -- the file whose map it has now
    at         INTEGER NOT NULL
);

CREATE INDEX health_swaps_map ON health_swaps (map);

-- Every column that names a blob. A blob that is not in this view is garbage; what is a row needs no blob.
DROP VIEW blob_references;

CREATE VIEW blob_references AS
    SELECT extent_map AS hash FROM items WHERE extent_map IS NOT NULL AND NOT EXISTS (SELECT 1 FROM maps WHERE maps.hash = items.extent_map)
    UNION ALL
    SELECT map AS hash FROM health_swaps WHERE NOT EXISTS (SELECT 1 FROM maps WHERE maps.hash = health_swaps.map)
    UNION ALL
    SELECT nzb AS hash FROM jobs WHERE nzb IS NOT NULL;
