-- The history as the *arrs use it: entries that they have done with are put away, not forgotten, and the queue can be put in any order.

ALTER TABLE jobs ADD COLUMN archived INTEGER NOT NULL DEFAULT 0;
ALTER TABLE jobs ADD COLUMN turn INTEGER;          -- place among jobs of one priority; null: as it came, its id
ALTER TABLE jobs ADD COLUMN url TEXT;              -- where the .nzb was fetched from

CREATE INDEX jobs_by_end ON jobs (archived, finished DESC) WHERE finished IS NOT NULL;
CREATE INDEX jobs_by_place ON jobs (state, priority DESC, COALESCE(turn, id));
DROP INDEX jobs_by_turn;
