namespace NzbDav.Migration.Packed;

/// <summary>How a file is encrypted: with the key, but without the password.</summary>
internal sealed class PackedCipher
{
    public long DecodedSize { get; set; }

    public byte[]? Iv { get; set; }

    public byte[]? Key { get; set; }
}
