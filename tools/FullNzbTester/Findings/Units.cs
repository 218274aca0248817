namespace NzbDav.FullNzbTester.Findings;

/// <summary>Units of sizes and rates.</summary>
internal static class Units
{
    /// <summary>Bytes per megabyte, the unit of rates.</summary>
    public const double Mega = 1e6;

    /// <summary>Bytes per mebibyte, the unit of sizes.</summary>
    public const long MiB = 1 << 20;
}
