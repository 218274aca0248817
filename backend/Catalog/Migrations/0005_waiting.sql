-- Since when a job waits for what passes: providers that do not answer, a full disk. Its failure_code and failure_message say for what.

ALTER TABLE jobs ADD COLUMN waiting_since INTEGER;
