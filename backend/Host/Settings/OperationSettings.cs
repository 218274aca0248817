using NzbDav.Host.Logging;

namespace NzbDav.Host.Settings;

/// <summary>Settings for operating and monitoring the server: backups, logs, export of metrics. Immutable.</summary>
public sealed record OperationSettings
{
    /// <summary>Hours between backups, 0 … 8,760; 0: no scheduled backups.</summary>
    public int BackupEveryHours { get; init; } = 24;

    /// <summary>Number of backups that are kept, 1 … 1,000. Those made before an upgrade are counted separately.</summary>
    public int BackupKeep { get; init; } = 7;

    /// <summary>Folder of backups, absolute; null: <c>backups/</c> in the configuration folder.</summary>
    public string? BackupFolder { get; init; }

    /// <summary>Log levels.</summary>
    public LogLevels LogLevels { get; init; } = new();

    /// <summary>True: each line on the console is a JSON object.</summary>
    public bool LogJson { get; init; }

    /// <summary>Collector of metrics and traces; null: none.</summary>
    public OtlpSettings? Otlp { get; init; }
}
