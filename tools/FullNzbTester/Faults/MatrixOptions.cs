namespace NzbDav.FullNzbTester.Faults;

/// <summary>Options of the fault matrix. Immutable.</summary>
internal sealed record MatrixOptions
{
    public IReadOnlyList<FaultScenario> Faults { get; init; } = FaultScenario.All;

    public IReadOnlyList<PostLayout> Layouts { get; init; } = PostLayout.All;

    /// <summary>Concurrent players, each in its own part of the film.</summary>
    public IReadOnlyList<int> Streams { get; init; } = [1, 8];

    /// <summary>False: plain text. True: TLS.</summary>
    public IReadOnlyList<bool> Tls { get; init; } = [false, true];

    /// <summary>Size of the film, which each reading reads once.</summary>
    public int SizeMiB { get; init; } = 64;

    /// <summary>Bytes of an article: small, so that 1 % of the articles of a 64 MiB film is several.</summary>
    public int ArticleSize { get; init; } = 100_000;

    /// <summary>Least throughput, relative to the readings without the fault before and after it.</summary>
    public double LeastRatio { get; init; } = 0.7;

    /// <summary>Highest p99 of a read that passes, in milliseconds.</summary>
    public double MostP99Ms { get; init; } = 2_000;

    /// <summary>A read that takes longer counts as hung.</summary>
    public int HungS { get; init; } = 30;

    /// <summary>How often a cell that is too slow is measured again; the median counts. Even.</summary>
    public int Again { get; init; } = 2;

    public FileInfo? Json { get; init; }

    /// <summary>Number of cells in the matrix.</summary>
    public int Cells => Faults.Count * Layouts.Count * Streams.Count * Tls.Count;
}
