using System.Diagnostics.CodeAnalysis;

namespace NzbDav.Import.Progress;

/// <summary>Why a job cannot be imported. The constants are the complete list of reasons.</summary>
/// <param name="Code">Stable code for programs.</param>
/// <param name="Message">Text for people: what is wrong, and where.</param>
/// <param name="IsTransient">True if a later attempt may succeed: the job stays in the queue.</param>
public sealed record ImportFailure(string Code, string Message, bool IsTransient = false)
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

    /// <summary>An archive is encrypted and none of the passwords opens it.</summary>
    public const string Encrypted = "encrypted-archive";

    /// <summary>An archive cannot be read, or is of a kind that is not supported.</summary>
    public const string BadArchive = "bad-archive";

    /// <summary>Volumes of an archive are missing from the post.</summary>
    public const string MissingVolumes = "missing-volumes";

    /// <summary>The category is for videos, and the post has none.</summary>
    public const string NoVideo = "no-video";

    /// <summary>The .torrent or magnet link cannot be read.</summary>
    public const string MalformedTorrent = "malformed-torrent";

    /// <summary>No peer sent the metadata of the magnet link's torrent.</summary>
    public const string NoMetadata = "no-metadata";

    /// <summary>Torrents are switched off.</summary>
    public const string TorrentsOff = "torrents-off";

    /// <summary>Another gateway has the torrent.</summary>
    public const string TorrentElsewhere = "torrent-elsewhere";

    /// <summary>The catalog cannot store it: the disk is full or not writable.</summary>
    public const string Storage = "storage";

    /// <summary>A bug: an unexpected exception.</summary>
    public const string Internal = "internal-error";

    /// <summary>
    /// True if a torrent's job that failed with this code will never be imported because of the torrent itself: another release may be
    /// better. False where the cause is on this machine.
    /// </summary>
    public static bool IsOfRelease(string code) => code is not (Storage or Internal or TorrentsOff or TorrentElsewhere);

    /// <summary>
    /// Used only inside an import, never the end of a job: the layout inferred for a set's volumes is wrong, so all of them have to be
    /// read.
    /// </summary>
    internal static ImportFailure DoubtfulLayout { get; } = new("doubtful-layout", "The volumes are not as regular as they looked.");

    /// <summary>The failure of a file whose articles cannot be fetched.</summary>
    internal static ImportFailure OfArticles(string code, string file, string? reason) =>
        new(code, $"'{file}': {reason}", IsTransient: code == Unavailable);
}

/// <summary>The result of a step, or why it failed.</summary>
/// <param name="Value">Null on failure.</param>
/// <param name="Failure">Null on success.</param>
internal readonly record struct StepResult<T>(T? Value, ImportFailure? Failure)
    where T : class
{
    [MemberNotNullWhen(true, nameof(Value))]
    [MemberNotNullWhen(false, nameof(Failure))]
    public bool Succeeded => Failure is null;

    public static implicit operator StepResult<T>(T value) => new(value, Failure: null);

    public static implicit operator StepResult<T>(ImportFailure failure) => new(Value: null, failure);
}
