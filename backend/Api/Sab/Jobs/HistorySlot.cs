namespace NzbDav.Api.Sab.Jobs;

/// <summary>A job in the history, or one that is about to be there. Types are those that clients parse.</summary>
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

    public object? Completeness { get; init; }

    public required IReadOnlyList<StageLog> StageLog { get; init; }

    public string Script { get; init; } = "None";

    public string ScriptLine { get; init; } = "";

    public string Pp { get; init; } = "D";

    public string Report { get; init; } = "";

    public required string Url { get; init; }

    public string UrlInfo { get; init; } = "";

    public object? Meta { get; init; }

    public string? Series { get; init; }

    public required string Md5sum { get; init; }

    public string DuplicateKey { get; init; } = "";

    public required string Password { get; init; }

    public required string ActionLine { get; init; }

    public required bool Loaded { get; init; }

    public required bool Retry { get; init; }

    public required bool Archive { get; init; }

    public required long TimeAdded { get; init; }

    /// <summary>
    /// A copy without the archive's password, and with only scheme and host of the address: its path or query may contain an indexer's key.
    /// </summary>
    public HistorySlot WithoutSecrets() => this with
    {
        Password = "",
        Url = Uri.TryCreate(Url, UriKind.Absolute, out var address) ? $"{address.Scheme}://{address.Authority}/" : ""
    };
}

/// <summary>The log of one stage, as text.</summary>
internal sealed record StageLog(string Name, IReadOnlyList<string> Actions);
