using NzbDav.Api.Native.Jobs;

namespace NzbDav.Host.Status;

/// <summary>State of the server.</summary>
internal sealed record StatusBody
{
    /// <summary>The server's version.</summary>
    public string Version { get; init; } = "";

    /// <summary>When the process started.</summary>
    public DateTimeOffset Started { get; init; }

    /// <summary>True for the demo.</summary>
    public bool Demo { get; init; }

    /// <summary>Bytes per second from all providers, over the last second.</summary>
    public double Rate { get; init; }

    /// <summary>Bytes per second from peers, over the last second.</summary>
    public double TorrentRate { get; init; }

    /// <summary>Number of active streams.</summary>
    public int Streams { get; init; }

    /// <summary>Memory.</summary>
    public StatusMemoryBody Memory { get; init; } = new(0, 0, 0, 0);

    /// <summary>The disk with the configuration folder.</summary>
    public StatusDiskBody Disk { get; init; } = new("", 0, 0);

    /// <summary>The articles kept on disk; null: none are.</summary>
    public StatusDiskCacheBody? DiskCache { get; init; }

    /// <summary>Processor time of the process in the last second, as a share of the time of all processors.</summary>
    public double CpuShare { get; init; }

    /// <summary>Number of jobs by state.</summary>
    public JobCountsBody Jobs { get; init; } = new(0, 0, 0, 0, 0, 0);

    /// <summary>The folders that are kept in step with categories.</summary>
    public IReadOnlyList<StatusExportBody> Exports { get; init; } = [];

    /// <summary>True if it can do its work.</summary>
    public bool Ready { get; init; }

    /// <summary>Why it cannot; null if it can.</summary>
    public string? Reason { get; init; }
}
