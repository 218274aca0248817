using NzbDav.Host.Logging;

namespace NzbDav.Host.Settings;

/// <summary>How the server is kept running and watched: backups, logs, export of metrics. Immutable.</summary>
public sealed record OperationSettings
{
    /// <summary>Hours between backups, 0 … 8,760; 0: none on a schedule.</summary>
    public int BackupEveryHours { get; init; } = 24;

    /// <summary>Backups that are kept, 1 … 1,000. Those from before an upgrade are counted apart.</summary>
    public int BackupKeep { get; init; } = 7;

    /// <summary>Where backups go, absolute; null: <c>backups/</c> in the configuration folder.</summary>
    public string? BackupFolder { get; init; }

    /// <summary>What is logged.</summary>
    public LogLevels LogLevels { get; init; } = new();

    /// <summary>True: each line on the console is a JSON object.</summary>
    public bool LogJson { get; init; }

    /// <summary>Where metrics and traces are sent; null: nowhere.</summary>
    public OtlpSettings? Otlp { get; init; }
}
