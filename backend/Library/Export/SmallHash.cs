namespace NzbDav.Library.Export;

/// <summary>64-bit FNV-1a, to check that a small file is unchanged since we wrote it. Detects accidental changes, not an attacker, who could change the manifest too.</summary>
internal static class SmallHash
{
    public static ulong Of(ReadOnlySpan<byte> bytes)
    {
        var hash = 14695981039346656037UL;
        foreach (var one in bytes)
            hash = unchecked((hash ^ one) * 1099511628211UL);
        return hash;
    }
}
