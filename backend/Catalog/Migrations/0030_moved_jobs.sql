-- download_id: the id by which download clients know a job that came from another program; null: the job's own.
ALTER TABLE jobs ADD COLUMN download_id TEXT;

CREATE INDEX jobs_by_download_id ON jobs (download_id) WHERE download_id IS NOT NULL;

-- keys: what opens the file by its address in a .strm file of the other program: 32 hexadecimal digits each, separated by blanks. Null: nothing does.
ALTER TABLE aliases ADD COLUMN keys TEXT;

-- download_id: the job's, kept beyond its entry.
ALTER TABLE releases ADD COLUMN download_id TEXT;
