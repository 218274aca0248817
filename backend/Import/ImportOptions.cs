namespace NzbDav.Import;

/// <summary>How jobs are taken in.</summary>
public sealed record ImportOptions
{
    /// <summary>Categories that exist from the start; others come to be when something is dropped into them.</summary>
    public IReadOnlyList<string> Categories { get; init; } = ["books", "movies", "music", "other", "tv"];

    /// <summary>Where a job goes that names no category.</summary>
    public string DefaultCategory { get; init; } = "other";

    /// <summary>Jobs at a time, at least 1.</summary>
    public int Workers { get; init; } = 3;

    /// <summary>Largest .nzb in bytes. Default 512 MiB; a post of 500 GB takes about 80 MB.</summary>
    public long MaxNzbBytes { get; init; } = 512L << 20;
}
