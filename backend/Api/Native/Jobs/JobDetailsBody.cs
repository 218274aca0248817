namespace NzbDav.Api.Native.Jobs;

/// <summary>All details of a job.</summary>
internal sealed record JobDetailsBody : JobBody
{
    /// <summary>How long each step took, in the order in which they ran; empty before the end.</summary>
    public IReadOnlyList<StepTimeBody> Timings { get; init; } = [];

    /// <summary>Size in bytes of the .nzb, .torrent or link that was added.</summary>
    public long SourceBytes { get; init; }

    /// <summary>Where it was fetched from, without parts that may be secret.</summary>
    public string? Url { get; init; }

    /// <summary>Info-hash of a torrent: 40 hexadecimal digits.</summary>
    public string? InfoHash { get; init; }
}
