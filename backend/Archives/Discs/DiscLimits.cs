namespace NzbDav.Archives.Discs;

/// <summary>Bounds for what malicious images may claim.</summary>
internal static class DiscLimits
{
    /// <summary>Longest directory. 16 MiB hold about 200,000 names.</summary>
    public const int MostDirectory = 16 << 20;

    /// <summary>Files and directories together.</summary>
    public const int MostEntries = 200_000;

    /// <summary>Directories in directories; ISO 9660 allows 8, people use a dozen.</summary>
    public const int MostDepth = 64;

    /// <summary>Runs of one file. An image that was written once has a handful: 1 GiB each at most.</summary>
    public const int MostExtents = 100_000;
}
