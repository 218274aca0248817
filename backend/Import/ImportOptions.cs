namespace NzbDav.Import;

/// <summary>How jobs are taken in.</summary>
public sealed record ImportOptions
{
    /// <summary>Categories that exist from the start; others come to be when something is dropped into them.</summary>
    public IReadOnlyList<string> Categories { get; init; } = ["books", "movies", "music", "other", "tv"];

    /// <summary>Where a job goes that names no category.</summary>
    public string DefaultCategory { get; init; } = "other";

    /// <summary>Jobs at a time, at least 1. Default 4: a small one waits for the network most of its time. Large ones wait for each other (<see cref="LargePosts"/>).</summary>
    public int Workers { get; init; } = 4;

    /// <summary>Largest .nzb in bytes, packed and unpacked. Default 512 MiB; a post of 500 GB takes about 80 MB.</summary>
    public long MaxNzbBytes { get; init; } = 512L << 20;

    /// <summary>Passwords that are tried on every encrypted archive, after those that come with the job.</summary>
    public IReadOnlyList<string> Passwords { get; init; } = [];

    /// <summary>
    /// File names that are left out, with <c>*</c> and <c>?</c>, compared without regard to case. The biggest file of a job is never left out.
    /// </summary>
    public IReadOnlyList<string> Blocklist { get; init; } = ["*.par2", "*.sfv", "*.srr", "*.srs", "*.url", "*.lnk"];

    /// <summary>Names of videos that are left out when a video at least ten times as big is there.</summary>
    public IReadOnlyList<string> Samples { get; init; } = ["*sample*"];

    /// <summary>Categories that refuse a post without a video.</summary>
    public IReadOnlyList<string> VideoCategories { get; init; } = ["movies", "tv"];

    /// <summary>Share of a post's articles that may be gone, 0 … 1: with more it is refused. Default 0.1, about what recovery data makes good.</summary>
    public double MostMissing { get; init; } = 0.1;

    /// <summary>Repair a post from its recovery data when a reader meets an article of it that no provider has.</summary>
    public bool RepairsReads { get; init; } = true;

    /// <summary>Take torrents and magnet links.</summary>
    public bool Torrents { get; init; } = true;

    /// <summary>How long a magnet link may wait for a peer that tells what it holds. Default 10 minutes.</summary>
    public TimeSpan MetadataPatience { get; init; } = TimeSpan.FromMinutes(10);

    /// <summary>
    /// How long a job waits for what passes (no provider answers, the disk is full) before it is given up; it can be tried again then. Default a day: longer than
    /// providers are down, and a queue that is stuck gets noticed.
    /// </summary>
    public TimeSpan Patience { get; init; } = TimeSpan.FromDays(1);

    /// <summary>A folder of the disk where .nzb files are dropped, at its top or in one folder per category; null: none is watched.</summary>
    public string? WatchFolder { get; init; }
}
