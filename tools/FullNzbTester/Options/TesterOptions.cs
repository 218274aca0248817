using NzbDav.Usenet.Accounts;

namespace NzbDav.FullNzbTester.Options;

/// <summary>Options of a run. Immutable.</summary>
internal sealed record TesterOptions
{
    /// <summary>An .nzb to read with a real account; null for the mock provider.</summary>
    public FileInfo? Nzb { get; init; }

    /// <summary>The file that the mock posts; null for random bytes.</summary>
    public FileInfo? File { get; init; }

    /// <summary>Size of the random file. With a real account: the most that one pass reads.</summary>
    public int SizeMiB { get; init; } = 1024;

    public int Connections { get; init; } = 20;

    /// <summary>Concurrent readers where one is compared with several.</summary>
    public int Streams { get; init; } = 4;

    /// <summary>Concurrent readers in the crowd.</summary>
    public int Readers { get; init; } = 16;

    /// <summary>Sequential passes over WebDAV.</summary>
    public int Passes { get; init; } = 2;

    /// <summary>Random places for each kind of seek.</summary>
    public int Seeks { get; init; } = 30;

    /// <summary>Streams that read at a film's pace; 0 for none.</summary>
    public int Paced { get; init; }

    /// <summary>Streams that stay open but stop reading after a MiB, beside the paced ones; 0 for none.</summary>
    public int Paused { get; init; }

    /// <summary>Share of the articles that are missing, 0 to 1.</summary>
    public double Missing { get; init; }

    /// <summary>Share of the articles that arrive damaged the first time, 0 to 1.</summary>
    public double Corrupt { get; init; }

    /// <summary>Share of the articles that stall half way the first time, 0 to 1.</summary>
    public double Stall { get; init; }

    /// <summary>The longest that a read may take, in milliseconds.</summary>
    public double MaxReadMs { get; init; } = 1500;

    /// <summary>The longest that a stage may take, in seconds.</summary>
    public int StageLimitS { get; init; } = 180;

    /// <summary>A fault to plant in the content stream, which the tester has to find.</summary>
    public PlantedFault Plant { get; init; }

    /// <summary>Memory budget of the server, in MiB.</summary>
    public int MemoryBudgetMiB { get; init; } = 90;

    public IReadOnlyList<NetworkProfile> Networks { get; init; } = [];

    public FileInfo? Json { get; init; }

    public FileInfo? Compare { get; init; }
}

/// <summary>A fault planted in the content stream on purpose.</summary>
internal enum PlantedFault
{
    None,

    /// <summary>One bit of one byte is flipped.</summary>
    Flip,

    /// <summary>One article is skipped.</summary>
    Skip,

    /// <summary>One read takes two seconds longer.</summary>
    Delay,

    /// <summary>One lease is never returned.</summary>
    Leak,
}

/// <summary>The product's settings that the tester needs.</summary>
/// <param name="Providers">The accounts.</param>
/// <param name="MemoryBudgetMiB">Limit of the payload buffers: the content stream gets the same as the server.</param>
public sealed record TesterSettings(IReadOnlyList<ProviderOptions> Providers, int MemoryBudgetMiB);
