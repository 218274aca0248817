-- lost: how many claims of the job in a row ended with their process, which reported nothing.
ALTER TABLE jobs ADD COLUMN lost INTEGER NOT NULL DEFAULT 0;
