-- accepted: when a person confirmed that the file may go. It counts no more when many go at once.
ALTER TABLE holds ADD COLUMN accepted INTEGER;
