using NzbDav.Catalog;

namespace NzbDav.Import;

/// <summary>How an .nzb or a torrent is to be taken in.</summary>
public sealed record IntakeRequest
{
    /// <summary>Its file name; gives the job its own, and may hold a password: <c>name{{password}}.nzb</c>, <c>name password=secret.nzb</c>.</summary>
    public required string FileName { get; init; }

    /// <summary>Who brings it.</summary>
    public required JobSource Source { get; init; }

    /// <summary>A safe name; null for the default category.</summary>
    public string? Category { get; init; }

    /// <summary>For encrypted archives; goes before what the name and the .nzb say. Null: none given.</summary>
    public string? Password { get; init; }

    /// <summary>Higher goes first.</summary>
    public int Priority { get; init; }

    /// <summary>See <see cref="NewJob.Id"/>; for a file that holds one .nzb.</summary>
    public long? Id { get; init; }

    /// <summary>See <see cref="NewJob.Url"/>.</summary>
    public string? Url { get; init; }

    /// <summary>See <see cref="NewJob.Moved"/>; for a file that holds one .nzb.</summary>
    public MovedTitle? Moved { get; init; }

    /// <summary>Held back until it is resumed.</summary>
    public bool Paused { get; init; }

    /// <summary>See <see cref="NewJob.Torrent"/>.</summary>
    public NewTorrent? Torrent { get; init; }

    /// <summary>
    /// True: a post that waits, runs or is published in the same category already makes no second job; the result is the one there is. What a post is,
    /// its message-ids say, not its name; outside the watched folder the name counts too. For what people bring (the tree, the watched folder, the command line). False for the SABnzbd interface: who grabs by it follows each grab by an id of
    /// its own to its end, and a job that ended long ago would never end for it.
    /// </summary>
    public bool ReuseDuplicates { get; init; }

    /// <summary>True: a torrent that cannot be read becomes a failed job as well, for those who see no answer to what they dropped.</summary>
    public bool RecordsRefusals { get; init; } = true;
}
