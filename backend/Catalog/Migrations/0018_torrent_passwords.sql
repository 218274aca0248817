-- The password that came with the job of a torrent: needed when the archives in it are laid out anew. Null: none came.
ALTER TABLE torrent_layouts ADD COLUMN password TEXT;
