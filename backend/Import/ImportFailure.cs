namespace NzbDav.Import;

/// <summary>Why a job cannot be imported. The factories are the whole list of reasons; each says what is wrong and where.</summary>
/// <param name="Code">For programs; stable.</param>
/// <param name="Message">For people: what is wrong, and where.</param>
/// <param name="Passing">True when trying again later may work: the job stays in the queue.</param>
public sealed record ImportFailure(string Code, string Message, bool Passing = false)
{
    /// <summary>The .nzb cannot be read.</summary>
    public const string Malformed = "malformed-nzb";

    /// <summary>Articles are gone from every provider.</summary>
    public const string Missing = "missing-articles";

    /// <summary>Articles are damaged on every provider.</summary>
    public const string Corrupt = "corrupt-articles";

    /// <summary>The .nzb does not hold all parts of a file.</summary>
    public const string Incomplete = "incomplete-nzb";

    /// <summary>No provider answers.</summary>
    public const string Unavailable = "providers-unavailable";

    /// <summary>An archive is compressed: it cannot be read from the middle.</summary>
    public const string Compressed = "compressed-archive";

    /// <summary>An archive is encrypted and no password fits.</summary>
    public const string Encrypted = "encrypted-archive";

    /// <summary>An archive cannot be read, or is of a kind that is not supported.</summary>
    public const string BadArchive = "bad-archive";

    /// <summary>Volumes of an archive are not in the post.</summary>
    public const string MissingVolumes = "missing-volumes";

    /// <summary>A category for videos got a post without one.</summary>
    public const string NoVideo = "no-video";

    /// <summary>The .torrent or magnet link cannot be read.</summary>
    public const string MalformedTorrent = "malformed-torrent";

    /// <summary>No peer told what the magnet link's torrent holds.</summary>
    public const string NoMetadata = "no-metadata";

    /// <summary>Torrents are switched off.</summary>
    public const string TorrentsOff = "torrents-off";

    /// <summary>The catalog cannot take it: disk full, not writable.</summary>
    public const string Storage = "storage";

    /// <summary>A fault of the program.</summary>
    public const string Internal = "internal-error";

    /// <summary>Not the end of a job: what was reckoned of its volumes does not hold, and all of them are to be looked at.</summary>
    internal static ImportFailure Doubtful { get; } = new("doubtful-layout", "The volumes are not as regular as they looked.");

    /// <summary>What cannot be had of a file, by what its articles' end was.</summary>
    internal static ImportFailure OfArticles(string code, string file, string? reason) => new(code, $"'{file}': {reason}", Passing: code == Unavailable);
}
