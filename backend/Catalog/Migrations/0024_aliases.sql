-- What was brought over from another program: the paths that its files had there, which links in libraries still name, and which of its titles came.

-- path: from the root, without a '/' before it ('.ids/8/f/3/e/3/8f3e356e-…', 'content/tv/Job/a.mkv').
-- item_id: null while the job is not published, and for good if it has no such file.
-- size, name, article: tell which file of the job is meant. article: the message-id of its first article; null: not known.
CREATE TABLE aliases (
    path    TEXT    PRIMARY KEY,
    job_id  INTEGER NOT NULL,
    item_id INTEGER REFERENCES items (id) ON DELETE CASCADE,
    size    INTEGER NOT NULL,
    name    TEXT    NOT NULL,
    article TEXT
) WITHOUT ROWID;

CREATE INDEX aliases_waiting ON aliases (job_id) WHERE item_id IS NULL;
CREATE INDEX aliases_by_item ON aliases (item_id) WHERE item_id IS NOT NULL;

-- title: its id in the other program. job_id: also of a job that is forgotten.
CREATE TABLE moved_titles (
    source TEXT    NOT NULL,
    title  TEXT    NOT NULL,
    job_id INTEGER NOT NULL,
    PRIMARY KEY (source, title)
) WITHOUT ROWID;

INSERT INTO versions (name, value) VALUES ('aliases', 1);
