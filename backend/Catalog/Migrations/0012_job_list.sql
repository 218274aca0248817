-- The history by its end, with all that lists filter and sort by: a substring of 50,000 names is looked for in this index alone.

CREATE INDEX jobs_ended ON jobs (finished DESC, id DESC, state, kind, category, name, total_bytes) WHERE finished IS NOT NULL;
