using NzbDav.Catalog;

namespace NzbDav.Host.Operations;

/// <summary>Answer of <c>GET /api/v1/backups</c>.</summary>
internal sealed record BackupList(string Folder, BackupInfo[] Backups);
