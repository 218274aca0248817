namespace NzbDav.Migration.Packed;

/// <summary>How a file is encrypted: the key is there, the password is not.</summary>
internal sealed class PackedCipher
{
    public long DecodedSize { get; set; }

    public byte[]? Iv { get; set; }

    public byte[]? Key { get; set; }
}
