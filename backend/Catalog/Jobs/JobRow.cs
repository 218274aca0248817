using NzbDav.Catalog.Blobs;

namespace NzbDav.Catalog.Jobs;

/// <summary>A row of <c>jobs</c> as the engine returns it.</summary>
internal sealed class JobRow
{
    /// <summary>The columns, for a SELECT or RETURNING.</summary>
    public const string Columns =
        "id AS Id, name AS Name, category AS Category, state AS State, priority AS Priority, source AS Source, nzb AS Nzb, " +
        "nzb_size AS NzbSize, password AS Password, created AS Created, started AS Started, finished AS Finished, owner AS Owner, " +
        "lease_until AS LeaseUntil, not_before AS NotBefore, attempts AS Attempts, step AS Step, progress AS Progress, " +
        "total_bytes AS TotalBytes, file_count AS FileCount, failure_code AS FailureCode, failure_message AS FailureMessage, item_id AS " +
        "ItemId, " +
        "paused AS Paused, content_hash AS ContentHash, timings AS Timings, kind AS Kind, waiting_since AS WaitingSince, archived AS " +
        "Archived, " +
        "COALESCE(turn, id) AS Turn, url AS Url, download_id AS DownloadId, lost AS Lost";

    private static readonly string[] States = ["queued", "running", "completed", "failed"];
    private static readonly string[] Sources = ["dav", "cli", "demo", "api", "folder"];

    private static readonly string[] Kinds = ["nzb", "torrent", "magnet"];

    public long Id { get; set; }

    public string Name { get; set; } = "";

    public string Category { get; set; } = "";

    public string State { get; set; } = "";

    public int Priority { get; set; }

    public string Source { get; set; } = "";

    public string? Nzb { get; set; }

    public long NzbSize { get; set; }

    public string? Password { get; set; }

    public long Created { get; set; }

    public long? Started { get; set; }

    public long? Finished { get; set; }

    public string? Owner { get; set; }

    public long? LeaseUntil { get; set; }

    public long NotBefore { get; set; }

    public int Attempts { get; set; }

    public int Lost { get; set; }

    public string? Step { get; set; }

    public int Progress { get; set; }

    public long TotalBytes { get; set; }

    public int FileCount { get; set; }

    public string? FailureCode { get; set; }

    public string? FailureMessage { get; set; }

    public long? ItemId { get; set; }

    public long Paused { get; set; }

    public string? ContentHash { get; set; }

    public string? Timings { get; set; }

    public long Archived { get; set; }

    public long Turn { get; set; }

    public string? Url { get; set; }

    public string? DownloadId { get; set; }

    public long? WaitingSince { get; set; }

    public static string Text(JobState state) => States[(int)state];

    public string Kind { get; set; } = "nzb";

    public static string Text(JobKind kind) => Kinds[(int)kind];

    public static string Text(JobSource source) => Sources[(int)source];

    public static JobState StateOf(string text) => (JobState)Array.IndexOf(States, text);

    public CatalogJob ToJob() => new()
    {
        Id = Id,
        Name = Name,
        Category = Category,
        State = StateOf(State),
        Kind = (JobKind)Array.IndexOf(Kinds, Kind),
        Priority = Priority,
        Source = (JobSource)Array.IndexOf(Sources, Source),
        Nzb = Nzb is null ? null : BlobHash.Parse(Nzb),
        NzbSize = NzbSize,
        Password = Password,
        Created = Time(Created)!.Value,
        Started = Time(Started),
        Finished = Time(Finished),
        Owner = Owner,
        LeaseUntil = Time(LeaseUntil),
        NotBefore = NotBefore == 0 ? null : Time(NotBefore),
        Attempts = Attempts,
        Lost = Lost,
        Step = Step,
        Progress = Progress,
        TotalBytes = TotalBytes,
        FileCount = FileCount,
        FailureCode = FailureCode,
        FailureMessage = FailureMessage,
        ItemId = ItemId,
        Paused = Paused != 0,
        ContentHash = ContentHash,
        Timings = StepTiming.Parse(Timings),
        Archived = Archived != 0,
        Url = Url,
        DownloadId = DownloadId,
        WaitingSince = Time(WaitingSince),
    };

    private static DateTimeOffset? Time(long? ticks) => ticks is { } value ? new DateTimeOffset(value, TimeSpan.Zero) : null;
}
