namespace NzbDav.Host.Operations;

/// <summary>The backups that are kept.</summary>
/// <param name="Folder">Where they are.</param>
/// <param name="Backups">Newest first.</param>
internal sealed record BackupListBody(string Folder, IReadOnlyList<BackupBody> Backups);
