namespace NzbDav.Archives.Discs;

/// <summary>Limits against malicious images.</summary>
internal static class DiscLimits
{
    /// <summary>Longest directory in bytes. 16 MiB hold about 200,000 names.</summary>
    public const int MostDirectory = 16 << 20;

    /// <summary>Most files and directories together.</summary>
    public const int MostEntries = 200_000;

    /// <summary>Deepest nesting of directories. ISO 9660 allows 8; images in use have up to a dozen.</summary>
    public const int MostDepth = 64;

    /// <summary>Most runs of one file. An image that was written once has a handful, of up to 1 GiB each.</summary>
    public const int MostExtents = 100_000;
}
