using System.Security.Cryptography;
using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Moving;
using NzbDav.Catalog.Torrents;

namespace NzbDav.Import.Intake;

/// <summary>How to add an .nzb or a torrent.</summary>
public sealed record IntakeRequest
{
    /// <summary>
    /// File name. The job is named after it. It may contain a password: <c>name{{password}}.nzb</c>, <c>name password=secret.nzb</c>.
    /// </summary>
    public required string FileName { get; init; }

    /// <summary>
    /// Requested name in place of the file's name (<c>nzbname</c>); null: none. It may contain a password like the file's name, or as
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
    /// are the same if their message-ids are. Except in the watched folder, the job's name must be the same too. Meant for files that users
    /// add (the tree, the watched folder, the command line). False for the SABnzbd interface: its clients track each grab by an id of its
    /// own, and would never see the end of a job that ended long ago.
    /// </summary>
    public bool ReuseDuplicates { get; init; }

    /// <summary>
    /// True: a torrent that cannot be read is recorded as a failed job, for users who get no response when they drop a file.
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

    /// <summary>If a zip was accepted in part: what is wrong with each refused .nzb, starting with its name.</summary>
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

    /// <summary>True if the upload was larger than an .nzb may be. Then nothing is stored.</summary>
    public bool IsTooLarge { get; }

    internal FileStream Content { get; }

    /// <summary>SHA-256 of the stored content.</summary>
    public async ValueTask<byte[]> HashAsync(CancellationToken cancellationToken)
    {
        Content.Position = 0;
        return await SHA256.HashDataAsync(Content, cancellationToken);
    }

    /// <inheritdoc/>
    public ValueTask DisposeAsync() => Content.DisposeAsync();
}
