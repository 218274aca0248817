namespace NzbDav.FullNzbTester.Dav;

/// <summary>Measures the server from outside.</summary>
internal interface IServerMeter
{
    /// <summary>CPU time so far.</summary>
    TimeSpan Cpu { get; }

    /// <summary>Highest resident memory so far in MiB.</summary>
    double PeakMiB { get; }

    /// <summary>Its counters; null when it does not show them.</summary>
    Task<MetricsPage?> ReadMetricsAsync(CancellationToken cancellationToken);
}
