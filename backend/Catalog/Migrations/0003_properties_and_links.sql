-- What WebDAV clients attach to items that keep it, by path: one row per property. Names of a path are joined by '/', percent-encoded; the
-- root is ''. The parent stands beside it so that a listing costs one question.
CREATE TABLE properties (
    path      TEXT    NOT NULL,
    parent    TEXT    NOT NULL,
    namespace TEXT    NOT NULL,
    name      TEXT    NOT NULL,
    value     TEXT    NOT NULL,                -- the element, as XML
    PRIMARY KEY (path, namespace, name)
);

CREATE INDEX properties_by_parent ON properties (parent);

-- What became of the links to items that the *arrs take from /completed-symlinks. given: one was read, so a library may point to the
-- item from now on. dropped: it is not shown there any more. Both are times, null for not yet.
CREATE TABLE links (
    item_id INTEGER PRIMARY KEY REFERENCES items (id) ON DELETE CASCADE,
    given   INTEGER,
    dropped INTEGER
);

-- /.ids: files by the low 20 bits of their id, five hexadecimal digits.
CREATE INDEX items_by_shard ON items ((id % 1048576)) WHERE kind = 'file';
