namespace NzbDav.FullNzbTester.Findings;

/// <summary>Units of sizes and rates.</summary>
internal static class Units
{
    /// <summary>Bytes of a megabyte, in which rates are given.</summary>
    public const double Mega = 1e6;

    /// <summary>Bytes of a mebibyte, in which sizes are given.</summary>
    public const long MiB = 1 << 20;
}
