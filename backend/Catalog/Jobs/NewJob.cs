using NzbDav.Catalog.Moving;
using NzbDav.Catalog.Torrents;

namespace NzbDav.Catalog.Jobs;

/// <summary>A job to be enqueued.</summary>
public sealed record NewJob
{
    /// <summary>For people, and the name of the collection it is published as: the .nzb's name without its ending, made safe.</summary>
    public required string Name { get; init; }

    /// <summary>The collection below <c>/content</c>.</summary>
    public required string Category { get; init; }

    /// <summary>Who brings it.</summary>
    public required JobSource Source { get; init; }

    /// <summary>What is brought.</summary>
    public JobKind Kind { get; init; }

    /// <summary>Higher goes first; default 0.</summary>
    public int Priority { get; init; }

    /// <summary>For encrypted archives; null: none known.</summary>
    public string? Password { get; init; }

    /// <summary>Paused from the start.</summary>
    public bool Paused { get; init; }

    /// <summary>SHA-256 over the sorted message-ids in lower-case hex: the same post has the same, whatever its .nzb looks like. For a
    /// torrent its info-hash, 40 digits. Null: not known.</summary>
    public string? ContentHash { get; init; }

    /// <summary>How a torrent is to be treated; null: as its category says. Counts only for torrents.</summary>
    public NewTorrent? Torrent { get; init; }

    /// <summary>Bytes of all files, as far as known before the import; 0: not known.</summary>
    public long TotalBytes { get; init; }

    /// <summary>Number of files, as far as known before the import; 0: not known.</summary>
    public int FileCount { get; init; }

    /// <summary>Where the .nzb was fetched from; null: it was brought.</summary>
    public string? Url { get; init; }

    /// <summary>The job's id, from <see cref="JobStore.NewId"/>, when it was told to somebody before; null: a new one.</summary>
    public long? Id { get; init; }

    /// <summary>
    /// Why it cannot be used, for programs: the job goes straight into the history as failed, for clients that drop files and see no
    /// response. Null: it is queued.
    /// </summary>
    public string? FailureCode { get; init; }

    /// <summary>The same for people.</summary>
    public string? FailureMessage { get; init; }

    /// <summary>The title in another program that it was migrated from, with the paths that keep leading to its files; null: it comes from
    /// no other program.</summary>
    public MovedTitle? Moved { get; init; }

    /// <summary>A failed job that this one is another attempt of: it inherits what that one was in another program. The caller deletes the
    /// old one. Null: none.</summary>
    public long? Replaces { get; init; }

    /// <summary>Without the password: this is for logs.</summary>
    public override string ToString() => $"{Category}/{Name}";
}
