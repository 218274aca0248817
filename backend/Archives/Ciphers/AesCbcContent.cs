using System.Diagnostics;
using System.Security.Cryptography;
using NzbDav.Archives.Layouts;
using NzbDav.Content;

namespace NzbDav.Archives.Ciphers;

/// <summary>
/// The plain bytes of AES-CBC encrypted content (NIST SP 800-38A, 6.2), readable from any offset: decrypting a block needs only the block
/// before it, which is read in the same pass, as the first 16 bytes of the inner reader. Immutable, thread-safe.
/// </summary>
public sealed class AesCbcContent : IContent
{
    /// <summary>Bytes per AES block.</summary>
    internal const int BlockSize = 16;

    private readonly IContent _inner;
    private readonly byte[] _key;
    private readonly byte[] _iv;

    /// <param name="inner">The encrypted bytes; not owned.</param>
    /// <param name="cipher">Key and initialisation vector.</param>
    /// <param name="length">Number of plain bytes: <paramref name="inner"/>'s length minus the padding.</param>
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
        ContentRange.ThrowIfOutside(start, end, Length);
        var firstBlock = start / BlockSize * BlockSize;
        var innerStart = start == end ? firstBlock : Math.Max(0, firstBlock - BlockSize);
        var innerEnd = start == end ? firstBlock : (end + BlockSize - 1) / BlockSize * BlockSize;
        var aes = Aes.Create();
        aes.SetKey(_key);
        return new AesCbcReader(this, aes, firstBlock == 0 ? _iv : null, _inner.OpenReader(innerStart, innerEnd, intent), start, end);
    }
}

/// <summary>
/// Decrypts lease by lease: all whole blocks of a lease in one call, straight from the inner buffer into a pooled one. The rest of a lease
/// (0 … 15 bytes) is kept for the next call.
/// </summary>
internal sealed class AesCbcReader : DelegatingReader
{
    private const int BlockSize = AesCbcContent.BlockSize;

    private readonly AesCbcContent _content;
    private readonly Aes _aes;
    private readonly long _end;

    /// <summary>The block of ciphertext before the next one to decrypt; for the content's first block, the IV.</summary>
    private readonly byte[] _previous = new byte[BlockSize];

    /// <summary>The beginning of a block that has arrived only in part.</summary>
    private readonly byte[] _partialBlock = new byte[BlockSize];
    private int _partialLength;
    private bool _knowsPrevious;
    private long _position;
    private bool _disposed;

    /// <param name="content">The content that is read.</param>
    /// <param name="aes">The cipher, with the key set; owned.</param>
    /// <param name="iv">The IV if the first block is the content's first. Otherwise null, and the inner reader begins one block
    /// earlier.</param>
    /// <param name="inner">Ciphertext; owned.</param>
    /// <param name="start">Offset of the first plain byte.</param>
    /// <param name="end">Offset after the last plain byte.</param>
    public AesCbcReader(AesCbcContent content, Aes aes, byte[]? iv, ContentReader inner, long start, long end)
        : base(inner)
    {
        _content = content;
        _aes = aes;
        _position = start;
        _end = end;
        iv?.CopyTo(_previous, 0);
        _knowsPrevious = iv is not null;
    }

    public override long Position => _position;

    public override async ValueTask<ContentLease> NextAsync(CancellationToken cancellationToken)
    {
        ObjectDisposedException.ThrowIf(_disposed, this);
        while (_position < _end)
        {
            using var lease = await Inner!.NextAsync(cancellationToken);
            if (lease.IsEmpty)
                throw new InvalidOperationException($"The ciphertext ended at {Inner!.Position}, before its own length.");
            if (Decrypt(lease) is { } plain)
                return plain;
        }

        return ContentLease.Empty;
    }

    public override async ValueTask DisposeAsync()
    {
        if (_disposed)
            return;
        _disposed = true;
        _aes.Dispose();
        await base.DisposeAsync();
    }

    private ContentLease? Decrypt(ContentLease lease)
    {
        var cipher = lease.Memory.Span;
        if (!_knowsPrevious)
        {
            cipher = Complete(cipher, _previous);
            if (_partialLength < BlockSize)
                return null;
            _knowsPrevious = true;
            _partialLength = 0;
        }

        var whole = (_partialLength + cipher.Length) / BlockSize * BlockSize;
        if (whole == 0)
        {
            Complete(cipher, _partialBlock);
            return null;
        }

        _content.Pool.Budget.Reserve(BufferPool.ClassOf(whole));
        var buffer = _content.Pool.Rent(whole);
        try
        {
            var plain = buffer.Memory.Span[..whole];
            if (_partialLength > 0)
            {
                cipher = Complete(cipher, _partialBlock);
                DecryptBlocks(_partialBlock, plain);
                plain = plain[BlockSize..];
                _partialLength = 0;
            }

            DecryptBlocks(cipher[..plain.Length], plain);
            Complete(cipher[plain.Length..], _partialBlock);
            return Lend(buffer, whole, lease);
        }
        finally
        {
            buffer.Release();
        }
    }

    /// <summary>Completes a partial block with the first bytes of <paramref name="cipher"/>. Returns the rest of them.</summary>
    private ReadOnlySpan<byte> Complete(ReadOnlySpan<byte> cipher, byte[] block)
    {
        var taken = Math.Min(cipher.Length, BlockSize - _partialLength);
        cipher[..taken].CopyTo(block.AsSpan(_partialLength));
        _partialLength += taken;
        return cipher[taken..];
    }

    private void DecryptBlocks(ReadOnlySpan<byte> cipher, Span<byte> plain)
    {
        if (cipher.IsEmpty)
            return;
        _aes.DecryptCbc(cipher, _previous, plain, PaddingMode.None);
        cipher[^BlockSize..].CopyTo(_previous);
    }

    private ContentLease Lend(PooledBuffer buffer, int whole, ContentLease cipher)
    {
        // Only the first block can begin before the range, and only the last can end after it.
        var skip = (int)(_position % BlockSize);
        var length = (int)Math.Min(whole - skip, _end - _position);
        Debug.Assert(length > 0, "no block is decrypted that nobody wants");
        _position += length;
        return ContentLease.Of(buffer, skip, length, cipher);
    }
}
