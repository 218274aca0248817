namespace NzbDav.Host.Operations;

/// <summary>The existing backups.</summary>
/// <param name="Folder">The folder with the backups.</param>
/// <param name="Backups">Newest first.</param>
internal sealed record BackupListBody(string Folder, IReadOnlyList<BackupBody> Backups);
