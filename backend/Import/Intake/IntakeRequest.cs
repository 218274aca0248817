using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Moving;
using NzbDav.Catalog.Torrents;

namespace NzbDav.Import.Intake;

/// <summary>How to add an .nzb or a torrent.</summary>
public sealed record IntakeRequest
{
    /// <summary>File name. The job is named after it. It may hold a password: <c>name{{password}}.nzb</c>, <c>name
    /// password=secret.nzb</c>.</summary>
    public required string FileName { get; init; }

    /// <summary>
    /// Name that was asked for in place of the file's (<c>nzbname</c>); null: none. It may hold a password as the file's may, or as
    /// <c>name/password</c>. If a zip holds several .nzb files, each keeps its own name.
    /// </summary>
    public string? Title { get; init; }

    /// <summary>Where it comes from.</summary>
    public required JobSource Source { get; init; }

    /// <summary>A safe name; null for the default category.</summary>
    public string? Category { get; init; }

    /// <summary>
    /// Password for encrypted archives. Takes precedence over those in names and in the .nzb, except in the names of several .nzb files in
    /// a zip. Null: none given.
    /// </summary>
    public string? Password { get; init; }

    /// <summary>Jobs with a higher priority are imported first.</summary>
    public int Priority { get; init; }

    /// <summary>See <see cref="NewJob.Id"/>. If a zip holds several .nzb files, only the first gets it.</summary>
    public long? Id { get; init; }

    /// <summary>See <see cref="NewJob.Url"/>.</summary>
    public string? Url { get; init; }

    /// <summary>See <see cref="NewJob.Moved"/>. If a zip holds several .nzb files, only the first gets it.</summary>
    public MovedTitle? Moved { get; init; }

    /// <summary>True: the job is paused until it is resumed.</summary>
    public bool Paused { get; init; }

    /// <summary>See <see cref="NewJob.Torrent"/>.</summary>
    public NewTorrent? Torrent { get; init; }

    /// <summary>
    /// True: a post that is queued, running or published in the same category makes no second job; the result is the existing one. Posts
    /// are the same if their message-ids are. Except in the watched folder, the job's name has to be the same too. Meant for what users add
    /// (the tree, the watched folder, the command line). False for the SABnzbd interface: its clients follow each grab to its end by an id
    /// of its own, and would never see the end of a job that ended long ago.
    /// </summary>
    public bool ReuseDuplicates { get; init; }

    /// <summary>
    /// True: a torrent that cannot be read is recorded as a failed job, for users who see no answer to what they dropped.
    /// </summary>
    public bool RecordsRefusals { get; init; } = true;
}

/// <summary>The result of adding an .nzb or a torrent: a job, or why there is none.</summary>
/// <param name="Job">The queued job, the first one if a zip held several; null on failure.</param>
/// <param name="Error">What is wrong with the file, for an .nzb with line and column; null on success.</param>
/// <param name="TooLarge">True if it was refused for its size.</param>
public sealed record IntakeResult(CatalogJob? Job, string? Error, bool TooLarge = false)
{
    /// <summary>All jobs that were created or already existed. On failure none, or the failed job that records the reason.</summary>
    public IReadOnlyList<CatalogJob> Jobs { get; init; } = Job is null ? [] : [Job];

    /// <summary>Bytes that were uploaded, before unpacking; 0 on failure.</summary>
    public long Received { get; init; }

    /// <summary>True if the job already existed (<see cref="IntakeRequest.ReuseDuplicates"/>).</summary>
    public bool Duplicate { get; init; }

    /// <summary>If a zip was accepted in part: what is wrong with each refused .nzb, beginning with its name.</summary>
    public IReadOnlyList<string> Refused { get; init; } = [];
}

/// <summary>
/// An upload that has been received but not checked: a temporary file in the configuration folder, deleted on disposal. Owned by the caller
/// that received it.
/// </summary>
public sealed class IntakeFile : IAsyncDisposable
{
    internal IntakeFile(FileStream content, bool isTooLarge)
    {
        Content = content;
        IsTooLarge = isTooLarge;
    }

    /// <summary>Length of the stored content in bytes.</summary>
    public long Length => Content.Length;

    /// <summary>True if the upload was larger than an .nzb may be. Then nothing of it is stored.</summary>
    public bool IsTooLarge { get; }

    internal FileStream Content { get; }

    /// <inheritdoc/>
    public ValueTask DisposeAsync() => Content.DisposeAsync();
}
