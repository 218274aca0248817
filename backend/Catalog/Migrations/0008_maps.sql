-- Small extent maps are rows, written in the transaction that refers to them: a file for each cost a wait for the disk. Larger ones, and those of
-- earlier versions, are blobs.

CREATE TABLE maps (
    hash    TEXT PRIMARY KEY,                      -- SHA-256 of the map, lower-case hex
    content BLOB NOT NULL                          -- as a blob file has it: header, then compressed
);

-- Every column that names a blob. A blob that is not in this view is garbage; what is a row needs no blob.
DROP VIEW blob_references;

CREATE VIEW blob_references AS
    SELECT extent_map AS hash FROM items WHERE extent_map IS NOT NULL AND NOT EXISTS (SELECT 1 FROM maps WHERE maps.hash = items.extent_map)
    UNION ALL
    SELECT nzb AS hash FROM jobs WHERE nzb IS NOT NULL;
