-- Torrents: what a job was brought as, and files whose bytes come from a swarm. Of such a file extent_map is the blob of its .torrent, which every
-- file of the torrent shares.

ALTER TABLE jobs ADD COLUMN kind TEXT NOT NULL DEFAULT 'nzb';    -- 'nzb', 'torrent', 'magnet'; content_hash of the latter two is the info-hash, 40 hex digits

ALTER TABLE items ADD COLUMN torrent TEXT;                       -- info-hash, 40 hex digits; null: from Usenet
ALTER TABLE items ADD COLUMN torrent_file INTEGER;               -- which file of the torrent, from 0, padding counted

CREATE INDEX items_by_torrent ON items (torrent) WHERE torrent IS NOT NULL;
