-- Files that lie inside archives of a torrent: where, as spans of the torrent's bytes. A file without a row is a file of the torrent as it is.

CREATE TABLE torrent_layouts (
    item_id INTEGER PRIMARY KEY REFERENCES items (id) ON DELETE CASCADE,
    spans   BLOB NOT NULL                                            -- see TorrentLayout
);
