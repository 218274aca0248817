-- Trackers that the user gave a torrent in place of those of its .torrent: an address in each line, an empty line between two tiers. Null: those of the .torrent.
ALTER TABLE torrents ADD COLUMN trackers TEXT;
