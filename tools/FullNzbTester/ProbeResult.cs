namespace NzbDav.FullNzbTester;

/// <summary>What one run measured.</summary>
internal sealed record ProbeResult
{
    public required ProbeOptions Options { get; init; }

    /// <summary>From the PUT of the .nzb to its file in the tree, in ms.</summary>
    public double ImportMs { get; set; }

    /// <summary>First byte of the first GET after the start, in ms.</summary>
    public double FirstGetMs { get; set; }

    /// <summary>MB/s (10⁶ bytes) of each sequential pass.</summary>
    public List<double> Sequential { get; } = [];

    /// <summary>CPU seconds of the server per GB served sequentially.</summary>
    public double ServerCpuPerGb { get; set; }

    /// <summary>First byte in ms of closed ranges of 1 MiB.</summary>
    public List<double> ClosedFirstByte { get; } = [];

    /// <summary>The whole MiB in ms.</summary>
    public List<double> ClosedWhole { get; } = [];

    /// <summary>First byte in ms of open-ended ranges.</summary>
    public List<double> OpenFirstByte { get; } = [];

    /// <summary>First MiB in ms of open-ended ranges.</summary>
    public List<double> OpenFirstMiB { get; } = [];

    /// <summary>Articles fetched for each closed range.</summary>
    public double ClosedArticles { get; set; }

    /// <summary>Articles fetched for each open-ended range that reads 1 MiB and leaves.</summary>
    public double OpenArticles { get; set; }

    /// <summary>MB/s of all readers that read at once, together.</summary>
    public double Together { get; set; }

    /// <summary>Articles fetched over articles in the file, for the sequential passes.</summary>
    public double Overfetch { get; set; }

    /// <summary>Peak resident memory of the server in MiB.</summary>
    public double PeakMiB { get; set; }

    public long BytesCompared { get; set; }

    public long WrongBytes { get; set; }
}
