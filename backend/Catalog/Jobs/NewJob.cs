using NzbDav.Catalog.Moving;
using NzbDav.Catalog.Torrents;

namespace NzbDav.Catalog.Jobs;

/// <summary>A job to enqueue.</summary>
public sealed record NewJob
{
    /// <summary>
    /// Display name, and the name of the collection it is published as: the .nzb's name without its extension, safe for clients.
    /// </summary>
    public required string Name { get; init; }

    /// <summary>The collection below <c>/content</c>.</summary>
    public required string Category { get; init; }

    /// <summary>Where it comes from.</summary>
    public required JobSource Source { get; init; }

    /// <summary>The type of input.</summary>
    public JobKind Kind { get; init; }

    /// <summary>Higher goes first; default 0.</summary>
    public int Priority { get; init; }

    /// <summary>For encrypted archives; null: unknown.</summary>
    public string? Password { get; init; }

    /// <summary>True if it starts paused.</summary>
    public bool Paused { get; init; }

    /// <summary>
    /// SHA-256 over the sorted message-ids in lower-case hex: the same for the same post, whatever its .nzb looks like. For a torrent: its
    /// info-hash, 40 digits. Null: unknown.
    /// </summary>
    public string? ContentHash { get; init; }

    /// <summary>How to treat a torrent; null: as its category says. Ignored for other jobs.</summary>
    public NewTorrent? Torrent { get; init; }

    /// <summary>Bytes of all files, as far as known before the import; 0: unknown.</summary>
    public long TotalBytes { get; init; }

    /// <summary>Number of files, as far as known before the import; 0: unknown.</summary>
    public int FileCount { get; init; }

    /// <summary>Where the .nzb was fetched from; null: it was submitted directly.</summary>
    public string? Url { get; init; }

    /// <summary>The job's id, from <see cref="JobStore.NewId"/>, if somebody has been given it already; null: a new one.</summary>
    public long? Id { get; init; }

    /// <summary>
    /// Why it cannot be used, for programs: the job goes straight into the history as failed, for clients that drop files and see no
    /// response. Null: it is queued.
    /// </summary>
    public string? FailureCode { get; init; }

    /// <summary>The same reason for people.</summary>
    public string? FailureMessage { get; init; }

    /// <summary>
    /// The title in another program that it was migrated from, with the paths that keep leading to its files; null: not migrated.
    /// </summary>
    public MovedTitle? Moved { get; init; }

    /// <summary>
    /// The failed job that this one retries. This job inherits its link to another program; the caller deletes the old job. Null: none.
    /// </summary>
    public long? Replaces { get; init; }

    /// <summary>Omits the password, for logs.</summary>
    public override string ToString() => $"{Category}/{Name}";
}
