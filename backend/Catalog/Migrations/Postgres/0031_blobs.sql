-- Blobs, unless they are in a folder: files as BlobFile has them, in pieces. SQLite has no such tables; its blobs are always files.

CREATE TABLE blobs (
    hash    TEXT COLLATE "C" PRIMARY KEY,                      -- SHA-256 of the content, lower-case hex
    length  BIGINT NOT NULL,                                   -- bytes of the content
    size    BIGINT NOT NULL,                                   -- bytes of the file
    touched BIGINT NOT NULL,                                   -- when it was last put
    expires BIGINT                                             -- when it may be removed, if nothing refers to it then; null: not at all
);

-- The row of blobs is written after its pieces, so that nobody waits for one that is being uploaded. The pieces are compressed already.
CREATE TABLE blob_chunks (
    hash   TEXT COLLATE "C" NOT NULL REFERENCES blobs (hash) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
    number BIGINT NOT NULL,                                    -- from 0
    bytes  BYTEA  NOT NULL,
    PRIMARY KEY (hash, number)
);

ALTER TABLE blob_chunks ALTER COLUMN bytes SET STORAGE EXTERNAL;
