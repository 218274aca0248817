namespace NzbDav.FullNzbTester.Options;

/// <summary>What a run does. Immutable.</summary>
internal sealed record TesterOptions
{
    /// <summary>An .nzb to read with a real account; null for the mock provider.</summary>
    public FileInfo? Nzb { get; init; }

    /// <summary>What the mock posts; null for random bytes.</summary>
    public FileInfo? File { get; init; }

    /// <summary>Size of the random file; with a real account: most that is read in one pass.</summary>
    public int SizeMiB { get; init; } = 1024;

    public int Connections { get; init; } = 20;

    /// <summary>Readers at once in the small comparison of one and several.</summary>
    public int Streams { get; init; } = 4;

    /// <summary>Readers at once in the big one.</summary>
    public int Readers { get; init; } = 16;

    /// <summary>Sequential passes over WebDAV.</summary>
    public int Passes { get; init; } = 2;

    /// <summary>Random places for each kind of seek.</summary>
    public int Seeks { get; init; } = 30;

    /// <summary>Streams that read at the pace of a film; 0 for none.</summary>
    public int Paced { get; init; }

    /// <summary>Streams beside the paced ones that stop reading after a MiB and stay open; 0 for none.</summary>
    public int Paused { get; init; }

    /// <summary>Share of the articles that are gone.</summary>
    public double Missing { get; init; }

    /// <summary>Share of the articles that come damaged the first time.</summary>
    public double Corrupt { get; init; }

    /// <summary>Share of the articles that stop half way the first time.</summary>
    public double Stall { get; init; }

    /// <summary>Longest time that a read may take.</summary>
    public double MaxReadMs { get; init; } = 1500;

    /// <summary>Longest time for one stage.</summary>
    public int StageLimitS { get; init; } = 180;

    /// <summary>A fault to plant in the content stream: shows that the tester finds it.</summary>
    public PlantedFault Plant { get; init; }

    /// <summary>What the server may keep in memory.</summary>
    public int MemoryBudgetMiB { get; init; } = 90;

    public IReadOnlyList<NetworkProfile> Networks { get; init; } = [];

    public FileInfo? Json { get; init; }

    public FileInfo? Compare { get; init; }
}
