namespace NzbDav.FullNzbTester.Soak;

/// <summary>Options of a soak. Immutable.</summary>
internal sealed record SoakOptions
{
    /// <summary>Number of concurrent players.</summary>
    public int Streams { get; init; } = 50;

    public int Seconds { get; init; } = 600;

    /// <summary>Size of each film; there is one in each layout.</summary>
    public int SizeMiB { get; init; } = 96;

    /// <summary>Bytes per second that a player takes.</summary>
    public int Rate { get; init; } = 800_000;

    /// <summary>Bytes of an article.</summary>
    public int ArticleSize { get; init; } = 716_800;

    /// <summary>Seeds places and faults.</summary>
    public int Seed { get; init; } = 1;

    public bool Tls { get; init; }

    /// <summary>Limit of the server's resident memory.</summary>
    public double MostMiB { get; init; } = 350;

    /// <summary>Limit of its growth from a fifth of the time to the end, in MiB.</summary>
    public double MostGrowthMiB { get; init; } = 40;

    /// <summary>Least that a player must receive, relative to the median.</summary>
    public double LeastShare { get; init; } = 0.8;

    /// <summary>Seconds: a player that waits longer for a read counts as starved.</summary>
    public double MostWaitS { get; init; } = 10;

    /// <summary>A read that takes longer counts as hung.</summary>
    public int HungS { get; init; } = 30;

    public FileInfo? Json { get; init; }

    /// <summary>Time between rows of the table.</summary>
    public TimeSpan Interval => TimeSpan.FromSeconds(Math.Max(1, Seconds / 10.0));
}
