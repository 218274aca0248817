using System.Diagnostics;
using NzbDav.Api.Native.Jobs;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Jobs;
using NzbDav.Content;
using NzbDav.Host.Changing;
using NzbDav.Host.Health;
using NzbDav.Host.Serving;
using NzbDav.Host.Twins;
using NzbDav.Usenet;
using NzbDav.Usenet.Disk;

namespace NzbDav.Host.Status;

/// <summary>Reports the state of the server. Cheap enough to be called each second. Thread-safe.</summary>
internal sealed class StatusReporter(SeriesRecorder series, BufferBudget budget, UsenetClient usenet, Readiness readiness,
    LiveSettings live, CatalogOptions catalog, JobList jobs, DiskCache articles, TwinKeeper twins, MountKeeper mount)
{
    private static readonly DateTimeOffset Started = new(Process.GetCurrentProcess().StartTime.ToUniversalTime());
    private static readonly string Version = typeof(StatusReporter).Assembly.GetName().Version?.ToString(3) ?? "";

    public async ValueTask<StatusBody> ReportAsync(CancellationToken cancellationToken)
    {
        var now = series.Now;
        var ready = await readiness.ReportAsync(cancellationToken);
        return new StatusBody
        {
            Version = Version,
            Started = Started,
            Demo = live.IsDemo,
            Rate = now.Rate,
            TorrentRate = now.TorrentRate,
            Streams = now.Streams,
            Memory = new StatusMemoryBody(now.Memory, budget.Limit, budget.Reserved, usenet.Cache.Kept),
            Disk = FindDisk(),
            DiskCache = StatusDiskCacheBody.Of(articles.Status),
            CpuShare = now.ProcessorShare,
            Jobs = await CountAsync(cancellationToken),
            Exports = [.. twins.Status.Select(StatusExportBody.Of)],
            Mount = mount.State,
            Ready = ready.Reason is null,
            Reason = ready.Reason,
        };
    }

    private async ValueTask<JobCountsBody> CountAsync(CancellationToken cancellationToken)
    {
        var counts = await jobs.CountAsync(new JobFilter(), cancellationToken);
        return new JobCountsBody(counts.Queued, counts.Waiting, counts.Paused, counts.Running, counts.Completed, counts.Failed);
    }

    private StatusDiskBody FindDisk()
    {
        try
        {
            var drive = new DriveInfo(catalog.ConfigFolder);
            return new StatusDiskBody(catalog.ConfigFolder, drive.AvailableFreeSpace, drive.TotalSize);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException)
        {
            return new StatusDiskBody(catalog.ConfigFolder, 0, 0);
        }
    }
}
