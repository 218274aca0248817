namespace NzbDav.Api.Sab;

/// <summary>A job in the history, or one that is about to be there. Types as clients parse them.</summary>
internal sealed record HistorySlot
{
    public required string NzoId { get; init; }

    public required string Name { get; init; }

    public required string NzbName { get; init; }

    public required string Category { get; init; }

    public required string Status { get; init; }

    public required long Bytes { get; init; }

    public required string Size { get; init; }

    public required string Storage { get; init; }

    public string Path => Storage;

    public required string FailMessage { get; init; }

    public required long Completed { get; init; }

    public required int DownloadTime { get; init; }

    public required int PostprocTime { get; init; }

    public long Downloaded => Bytes;

    public object? Completeness => null;

    public required IReadOnlyList<StageLog> StageLog { get; init; }

    public string Script => "None";

    public string ScriptLine => "";

    public string Pp => "D";

    public string Report => "";

    public required string Url { get; init; }

    public string UrlInfo => "";

    public object? Meta => null;

    public string? Series => null;

    public required string Md5sum { get; init; }

    public string DuplicateKey => "";

    public required string Password { get; init; }

    public required string ActionLine { get; init; }

    public required bool Loaded { get; init; }

    public required bool Retry { get; init; }

    public required bool Archive { get; init; }

    public required long TimeAdded { get; init; }
}
