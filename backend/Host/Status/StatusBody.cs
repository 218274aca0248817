using NzbDav.Api.Native.Jobs;

namespace NzbDav.Host.Status;

/// <summary>The state of the whole.</summary>
internal sealed record StatusBody
{
    /// <summary>The server's version.</summary>
    public string Version { get; init; } = "";

    /// <summary>When the process began.</summary>
    public DateTimeOffset Started { get; init; }

    /// <summary>It is the demo.</summary>
    public bool Demo { get; init; }

    /// <summary>Bytes a second from all providers, over the last second.</summary>
    public double Rate { get; init; }

    /// <summary>Bytes a second from peers, over the last second.</summary>
    public double TorrentRate { get; init; }

    /// <summary>Active streams.</summary>
    public int Streams { get; init; }

    /// <summary>Memory.</summary>
    public StatusMemoryBody Memory { get; init; } = new(0, 0, 0, 0);

    /// <summary>The disk with the configuration folder.</summary>
    public StatusDiskBody Disk { get; init; } = new("", 0, 0);

    /// <summary>The articles that are kept on the disk; null: none are.</summary>
    public StatusDiskCacheBody? DiskCache { get; init; }

    /// <summary>Processor time of the process, as a share of what all processors had in the last second.</summary>
    public double CpuShare { get; init; }

    /// <summary>Jobs by state.</summary>
    public JobCountsBody Jobs { get; init; } = new(0, 0, 0, 0, 0, 0);

    /// <summary>The folders that are kept in step with categories.</summary>
    public IReadOnlyList<StatusExportBody> Exports { get; init; } = [];

    /// <summary>It can do its work.</summary>
    public bool Ready { get; init; }

    /// <summary>What is in the way; null when nothing is.</summary>
    public string? Reason { get; init; }
}
