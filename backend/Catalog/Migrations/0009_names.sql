-- Jobs by their names: WebDAV asks for one several times per upload. Without it each of these reads all jobs of the category.

CREATE INDEX jobs_by_name ON jobs (name, category, state);
