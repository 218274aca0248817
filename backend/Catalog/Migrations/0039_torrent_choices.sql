-- selection: the files that a magnet link selected (so=, BEP 53), as numbers and ranges that count every file of the metainfo. Null: none, or replaced by files.
-- web_seeds: web seeds that the user gave a torrent in place of those of its .torrent or link, an address in each line. Null: those of the .torrent or link.
ALTER TABLE torrents ADD COLUMN selection TEXT;
ALTER TABLE torrents ADD COLUMN web_seeds TEXT;
