using NzbDav.FullNzbTester.Dav;

namespace NzbDav.FullNzbTester.Tests;

/// <summary>A server that always returns the same metrics page, or none.</summary>
internal sealed class ScriptedMeter(string? page) : IServerMeter
{
    public TimeSpan Cpu => TimeSpan.Zero;

    public double PeakMiB => 0;

    public Task<MetricsPage?> ReadMetricsAsync(CancellationToken cancellationToken) =>
        Task.FromResult(page is null ? null : MetricsPage.Parse(page));
}
