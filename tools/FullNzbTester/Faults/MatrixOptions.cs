namespace NzbDav.FullNzbTester.Faults;

/// <summary>What a run of the fault matrix does and demands. Immutable.</summary>
internal sealed record MatrixOptions
{
    public IReadOnlyList<FaultScenario> Faults { get; init; } = FaultScenario.All;

    public IReadOnlyList<PostLayout> Layouts { get; init; } = PostLayout.All;

    /// <summary>Players at once, each in a part of its own.</summary>
    public IReadOnlyList<int> Streams { get; init; } = [1, 8];

    /// <summary>In plain text, over TLS, or both.</summary>
    public IReadOnlyList<bool> Tls { get; init; } = [false, true];

    /// <summary>Size of the film: what each reading of a cell reads.</summary>
    public int SizeMiB { get; init; } = 64;

    /// <summary>Bytes of an article: small, so that one in a hundred strikes a film of 64 MiB some times.</summary>
    public int ArticleSize { get; init; } = 100_000;

    /// <summary>Least throughput, over that of the readings without the fault before and after it.</summary>
    public double LeastRatio { get; init; } = 0.7;

    /// <summary>Most that the p99 of a read may be, in milliseconds.</summary>
    public double MostP99Ms { get; init; } = 2_000;

    /// <summary>A read that takes longer hangs.</summary>
    public int HungS { get; init; } = 30;

    /// <summary>How often a cell is measured once more where it falls short in speed: then the median counts. Even.</summary>
    public int Again { get; init; } = 2;

    public FileInfo? Json { get; init; }

    /// <summary>Cells of the matrix.</summary>
    public int Cells => Faults.Count * Layouts.Count * Streams.Count * Tls.Count;
}
