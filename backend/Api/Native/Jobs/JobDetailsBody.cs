namespace NzbDav.Api.Native.Jobs;

/// <summary>A job with all that is known of it.</summary>
internal sealed record JobDetailsBody : JobBody
{
    /// <summary>How long each step took, in the order in which they ran; empty before the end.</summary>
    public IReadOnlyList<StepTimeBody> Timings { get; init; } = [];

    /// <summary>Bytes of what was brought.</summary>
    public long SourceBytes { get; init; }

    /// <summary>Where it was fetched from, without what may be secret in it.</summary>
    public string? Url { get; init; }

    /// <summary>Of a torrent: 40 hexadecimal digits.</summary>
    public string? InfoHash { get; init; }
}
