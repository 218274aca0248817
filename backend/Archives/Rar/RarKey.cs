namespace NzbDav.Archives.Rar;

/// <summary>A key derived from a password.</summary>
/// <param name="Password">What it was derived from.</param>
/// <param name="Key">32 bytes (RAR5) or 16 (RAR4).</param>
/// <param name="IV">16 bytes for RAR4; empty for RAR5, where headers hold it.</param>
/// <param name="Check">8 bytes (RAR5); empty for RAR4.</param>
internal sealed record RarKey(string Password, ReadOnlyMemory<byte> Key, ReadOnlyMemory<byte> IV, ReadOnlyMemory<byte> Check);
