using NzbDav.Import.Limits;

namespace NzbDav.Import.Options;

/// <summary>Settings of the importer.</summary>
public sealed record ImportOptions
{
    /// <summary>Categories that exist from the start. Others are created when something is dropped into them.</summary>
    public IReadOnlyList<string> Categories { get; init; } = ["books", "movies", "music", "other", "tv"];

    /// <summary>Category of jobs that name none.</summary>
    public string DefaultCategory { get; init; } = "other";

    /// <summary>
    /// Jobs at a time, at least 1. Default 4: a small job waits for the network most of its time. Large jobs also wait for each other
    /// (<see cref="LargePosts"/>).
    /// </summary>
    public int Workers { get; init; } = 4;

    /// <summary>
    /// Largest .nzb in bytes, packed and unpacked. Default 512 MiB, which the server lowers on machines with little memory; a post of 500
    /// GB takes about 80 MB.
    /// </summary>
    public long MaxNzbBytes { get; init; } = 512L << 20;

    /// <summary>Passwords to try on every encrypted archive, after those that come with the job.</summary>
    public IReadOnlyList<string> Passwords { get; init; } = [];

    /// <summary>
    /// File names to leave out, with <c>*</c> and <c>?</c>; case does not matter. The biggest file of a job is never left out.
    /// </summary>
    public IReadOnlyList<string> Blocklist { get; init; } = ["*.par2", "*.sfv", "*.srr", "*.srs", "*.url", "*.lnk"];

    /// <summary>Names of videos to leave out if the job has a video at least ten times as big.</summary>
    public IReadOnlyList<string> Samples { get; init; } = ["*sample*"];

    /// <summary>Categories that refuse a post without a video.</summary>
    public IReadOnlyList<string> VideoCategories { get; init; } = ["movies", "tv"];

    /// <summary>
    /// Largest share of a post's articles that may be gone, 0 … 1. A post that has lost more is refused. Default 0.1: about as much as
    /// recovery data can repair.
    /// </summary>
    public double MostMissing { get; init; } = 0.1;

    /// <summary>
    /// Bytes of an archive that may be read once for its checksums, if nothing else proves the order of its volumes; 0: none. The default
    /// is larger than any film: reading it takes minutes, but a refused post cannot be played at all.
    /// </summary>
    public long MostChecked { get; init; } = 256L << 30;

    /// <summary>Repair a post from its recovery data when a reader meets an article that no provider has.</summary>
    public bool RepairsReads { get; init; } = true;

    /// <summary>Accept torrents and magnet links.</summary>
    public bool Torrents { get; init; } = true;

    /// <summary>How long a magnet link may wait for a peer that sends its metadata. Default 10 minutes.</summary>
    public TimeSpan MetadataTimeout { get; init; } = TimeSpan.FromMinutes(10);

    /// <summary>
    /// How long a job is retried after a temporary failure (no provider answers, the disk is full) before it fails. After that it can be
    /// retried by hand. Default a day: longer than most outages of providers, and short enough that a stuck queue is noticed.
    /// </summary>
    public TimeSpan RetryPeriod { get; init; } = TimeSpan.FromDays(1);

    /// <summary>
    /// How long a job waits for an account that refuses the login, where all others lack its articles. Default 10 minutes.
    /// </summary>
    public TimeSpan RefusedLoginTimeout { get; init; } = TimeSpan.FromMinutes(10);

    /// <summary>A folder on disk from which dropped .nzb files are imported, directly inside it or in one folder per category; null: no
    /// folder is watched.</summary>
    public string? WatchFolder { get; init; }
}
