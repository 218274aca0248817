namespace NzbDav.Usenet.Nzb;

/// <summary>Limits against hostile or broken input. The defaults are far above anything seen in practice.</summary>
public sealed record NzbReaderOptions
{
    /// <summary>The defaults.</summary>
    public static NzbReaderOptions Default { get; } = new();

    /// <summary>Longest input in bytes, before decoding. Default 512 MiB; a post of 500 GB takes about 80 MB.</summary>
    public long MaxBytes { get; init; } = 512L << 20;

    /// <summary>Most files. Default 250,000.</summary>
    public int MaxFiles { get; init; } = 250_000;

    /// <summary>Most segments in all files. Default 5,000,000, about 3.5 TB at 700 KB each.</summary>
    public int MaxSegments { get; init; } = 5_000_000;
}
