-- Imports: what a post is by its articles, jobs that are held back, how long each step took, and how a file's bytes are encrypted.

ALTER TABLE jobs ADD COLUMN paused INTEGER NOT NULL DEFAULT 0;
ALTER TABLE jobs ADD COLUMN content_hash TEXT;     -- SHA-256 over the sorted message-ids, lower-case hex
ALTER TABLE jobs ADD COLUMN timings TEXT;          -- 'parse:1200,probe:35000': microseconds per step, in the order in which they ran

CREATE INDEX jobs_by_content ON jobs (content_hash);

ALTER TABLE items ADD COLUMN encryption TEXT;      -- 'aes-cbc;stored:skip:length:key:iv;…': how the file comes out of what its extent map holds; null: as it is
