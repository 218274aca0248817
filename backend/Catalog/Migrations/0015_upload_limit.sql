-- The upload limit of torrents is named as the download limit is. A value under the new name is newer than one under the old.
INSERT INTO settings (key, value) SELECT 'option.Torrents:UploadLimit', value FROM settings WHERE lower(key) = lower('option.Torrents:UploadKiBps') ON CONFLICT (key) DO NOTHING;
DELETE FROM settings WHERE lower(key) = lower('option.Torrents:UploadKiBps');
