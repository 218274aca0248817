using System.Text.Json;
using System.Text.Json.Serialization;

namespace NzbDav.Catalog.Backup;

/// <summary>The description of a backup: <c>manifest.json</c> in its file. Immutable.</summary>
public sealed record BackupInfo
{
    /// <summary>The file's name; not in the manifest.</summary>
    public string Name { get; init; } = "";

    /// <summary>Bytes of the file, without the blobs beside it; not in the manifest.</summary>
    public long Size { get; init; }

    /// <summary>When the backup started, UTC.</summary>
    public DateTimeOffset Created { get; init; }

    /// <summary>Why: <c>schedule</c>, <c>request</c> or <c>upgrade</c>.</summary>
    public string Reason { get; init; } = "";

    /// <summary>The schema number of its database.</summary>
    public int Schema { get; init; }

    /// <summary>Number of its blobs.</summary>
    public int Blobs { get; init; }

    /// <summary>Compressed bytes of its blobs.</summary>
    public long BlobBytes { get; init; }

    /// <summary>Number of referenced blobs that were already missing when the backup was made.</summary>
    public int MissingBlobs { get; init; }

    /// <summary>Number of its reconstructed articles; 0 for backups made by an older version.</summary>
    public int Patches { get; init; }

    /// <summary>Bytes of its reconstructed articles.</summary>
    public long PatchBytes { get; init; }

    /// <summary>Rows by table.</summary>
    public IReadOnlyDictionary<string, long> Rows { get; init; } = new Dictionary<string, long>(StringComparer.Ordinal);
}

/// <summary>Why a backup is made: <see cref="BackupInfo.Reason"/>.</summary>
public static class BackupReason
{
    /// <summary>Made on schedule.</summary>
    public const string Schedule = "schedule";

    /// <summary>Made on request.</summary>
    public const string Request = "request";

    /// <summary>Made before a schema upgrade, which cannot be undone.</summary>
    public const string Upgrade = "upgrade";
}

[JsonSourceGenerationOptions(JsonSerializerDefaults.Web, WriteIndented = true)]
[JsonSerializable(typeof(BackupInfo))]
[JsonSerializable(typeof(PendingRestore))]
[JsonSerializable(typeof(RestoreJournal))]
[JsonSerializable(typeof(RestoreOutcome))]
internal sealed partial class BackupJson : JsonSerializerContext;
