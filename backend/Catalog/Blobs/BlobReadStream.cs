using System.Security.Cryptography;
using NzbDav.Catalog.Database;

namespace NzbDav.Catalog.Blobs;

/// <summary>Decompresses a blob while it is read, and verifies the content at its end at the latest. Not thread-safe.</summary>
/// <param name="hash">Its address.</param>
/// <param name="header">The header of its file.</param>
/// <param name="decoded">The content; disposed with this.</param>
/// <param name="verifyHash">True to compute the hash while reading and compare it at the end.</param>
/// <param name="damaged">Called before the exception that reports damage; may be null.</param>
internal sealed class BlobReadStream(BlobHash hash, BlobHeader header, Stream decoded, bool verifyHash, Action? damaged) : Stream
{
    private readonly IncrementalHash? _sha256 = verifyHash ? IncrementalHash.CreateHash(HashAlgorithmName.SHA256) : null;
    private long _position;
    private bool _ended;

    public override bool CanRead => true;

    public override bool CanSeek => false;

    public override bool CanWrite => false;

    /// <summary>The length from the header; verified only when the end is reached.</summary>
    public override long Length => header.Length;

    public override long Position
    {
        get => _position;
        set => throw new NotSupportedException();
    }

    public override int Read(byte[] buffer, int offset, int count) => Read(buffer.AsSpan(offset, count));

    /// <exception cref="CatalogException">The blob is damaged.</exception>
    public override int Read(Span<byte> buffer)
    {
        if (_ended || buffer.IsEmpty)
            return 0;
        int read;
        try
        {
            read = decoded.Read(buffer);
        }
        catch (Exception error) when (error is InvalidDataException or InvalidOperationException)
        {
            throw Damaged(error.Message, error);
        }

        _position += read;
        if (_position > header.Length)
            throw Damaged("it is longer than it should be", inner: null);
        _sha256?.AppendData(buffer[..read]);
        if (read == 0)
            VerifyEnd();
        return read;
    }

    /// <summary>Completes synchronously: the file is local, and the system reads ahead.</summary>
    public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        if (cancellationToken.IsCancellationRequested)
            return ValueTask.FromCanceled<int>(cancellationToken);
        try
        {
            return new(Read(buffer.Span));
        }
        catch (CatalogException error)
        {
            return ValueTask.FromException<int>(error);
        }
    }

    public override Task<int> ReadAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken)
        => ReadAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();

    public override void Flush()
    {
    }

    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    internal static CatalogException Damaged(BlobHash hash, string why, Exception? inner) => new(
        CatalogFault.BlobDamaged, $"The blob {hash} is damaged ({why}). Check the disk; import what it belongs to again.", inner);

    protected override void Dispose(bool disposing)
    {
        if (disposing)
        {
            decoded.Dispose();
            _sha256?.Dispose();
        }

        base.Dispose(disposing);
    }

    private void VerifyEnd()
    {
        _ended = true;
        if (_position != header.Length)
            throw Damaged("it ends early", inner: null);
        if (_sha256 is not null && BlobHash.Of(_sha256.GetHashAndReset()) != hash)
            throw Damaged("its bytes are not the ones it was made from", inner: null);
    }

    private CatalogException Damaged(string why, Exception? inner)
    {
        damaged?.Invoke();
        return Damaged(hash, why, inner);
    }
}
