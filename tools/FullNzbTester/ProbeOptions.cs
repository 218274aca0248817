namespace NzbDav.FullNzbTester;

/// <summary>One run of the probe.</summary>
internal sealed record ProbeOptions
{
    public double LatencyMs { get; init; }

    public double JitterShare { get; init; }

    public string? Rate { get; init; }

    public int SizeMiB { get; init; }

    public int Connections { get; init; }

    public int Passes { get; init; }

    public int Seeks { get; init; }

    public int Readers { get; init; }
}
