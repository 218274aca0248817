using System.Security.Cryptography;
using NzbDav.Archives.Layouts;
using NzbDav.Content;

namespace NzbDav.Archives.Ciphers;

/// <summary>
/// The plain bytes of an AES-CBC encrypted content (NIST SP 800-38A, 6.2), readable from any offset: decrypting a block needs only the one before it.
/// That one is read in the same pass, as the first 16 bytes of the inner reader. Immutable, thread-safe.
/// </summary>
public sealed class AesCbcContent : IContent
{
    /// <summary>Bytes in a block of AES.</summary>
    internal const int BlockSize = 16;

    private readonly IContent _inner;
    private readonly byte[] _key;
    private readonly byte[] _iv;

    /// <param name="inner">The encrypted bytes; not owned.</param>
    /// <param name="cipher">Key and initialisation vector.</param>
    /// <param name="length">Number of plain bytes: <paramref name="inner"/>'s length less the padding.</param>
    /// <param name="pool">Buffers for decrypted bytes.</param>
    /// <exception cref="ArgumentException">Key, IV or a length is invalid.</exception>
    public AesCbcContent(IContent inner, ArchiveCipher cipher, long length, BufferPool pool)
    {
        ArgumentNullException.ThrowIfNull(inner);
        ArgumentNullException.ThrowIfNull(cipher);
        ArgumentNullException.ThrowIfNull(pool);
        if (cipher.Key.Length is not (16 or 24 or 32) || cipher.IV.Length != BlockSize)
            throw new ArgumentException("A key has 16, 24 or 32 bytes, an initialisation vector 16.", nameof(cipher));
        if (inner.Length % BlockSize != 0)
            throw new ArgumentException($"{inner.Length} bytes are not whole blocks of {BlockSize}.", nameof(inner));
        ArgumentOutOfRangeException.ThrowIfNegative(length);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(length, inner.Length);
        _inner = inner;
        _key = cipher.Key.ToArray();
        _iv = cipher.IV.ToArray();
        Length = length;
        Pool = pool;
    }

    /// <inheritdoc/>
    public long Length { get; }

    internal BufferPool Pool { get; }

    /// <inheritdoc/>
    public ContentReader OpenReader(long start, long end, ReadIntent intent)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(start);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(end, Length);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(start, end);
        var firstBlock = start / BlockSize * BlockSize;
        var innerStart = start == end ? firstBlock : Math.Max(0, firstBlock - BlockSize);
        var innerEnd = start == end ? firstBlock : (end + BlockSize - 1) / BlockSize * BlockSize;
        var aes = Aes.Create();
        aes.SetKey(_key);
        return new AesCbcReader(this, aes, firstBlock == 0 ? _iv : null, _inner.OpenReader(innerStart, innerEnd, intent), start, end);
    }
}
