namespace NzbDav.Library.Export;

/// <summary>FNV-1a of 64 bits: tells whether a small file still holds what we wrote. Protects from changes by mistake, not from an attacker, who could change the manifest too.</summary>
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
