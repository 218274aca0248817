using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Moving;
using NzbDav.Catalog.Torrents;

namespace NzbDav.Import.Intake;

/// <summary>How to add an .nzb or a torrent.</summary>
public sealed record IntakeRequest
{
    /// <summary>File name. The job is named after it. It may hold a password: <c>name{{password}}.nzb</c>, <c>name password=secret.nzb</c>.</summary>
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
    /// True: a post that is queued, running or published in the same category makes no second job; the result is the existing one. Posts are the same if their
    /// message-ids are. Except in the watched folder, the job's name has to be the same too. Meant for what users add (the tree, the watched folder, the
    /// command line). False for the SABnzbd interface: its clients follow each grab to its end by an id of its own, and would never see the end of a job that
    /// ended long ago.
    /// </summary>
    public bool ReuseDuplicates { get; init; }

    /// <summary>True: a torrent that cannot be read is recorded as a failed job, for users who see no answer to what they dropped.</summary>
    public bool RecordsRefusals { get; init; } = true;
}
