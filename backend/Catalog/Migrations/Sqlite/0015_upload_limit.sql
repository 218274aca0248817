-- The upload limit of torrents is named as the download limit is. A value under the new name is newer than one under the old.
INSERT OR IGNORE INTO settings (key, value) SELECT 'option.Torrents:UploadLimit', value FROM settings WHERE key = 'option.Torrents:UploadKiBps' COLLATE NOCASE;
DELETE FROM settings WHERE key = 'option.Torrents:UploadKiBps' COLLATE NOCASE;
