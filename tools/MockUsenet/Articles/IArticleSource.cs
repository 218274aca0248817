using Microsoft.Win32.SafeHandles;

namespace NzbDav.MockUsenet.Articles;

/// <summary>The bytes of a posted file. Any range may be read at any time, from any thread, always with the same result.</summary>
public interface IArticleSource
{
    /// <summary>Number of bytes in the file.</summary>
    long Length { get; }

    /// <summary>Fills all of <paramref name="destination"/> with the bytes from <paramref name="offset"/> on.</summary>
    void Fill(long offset, Span<byte> destination);
}

/// <summary>A file held in memory; the bytes must not change afterwards.</summary>
public sealed class MemorySource(ReadOnlyMemory<byte> bytes) : IArticleSource
{
    public long Length => bytes.Length;

    public void Fill(long offset, Span<byte> destination) => bytes.Span.Slice((int)offset, destination.Length).CopyTo(destination);
}

/// <summary>
/// Another source's bytes behind the head of a Matroska file (RFC 8794, section 11.2.1), so that the server treats the file as a film.
/// </summary>
/// <param name="inner">Where all other bytes come from.</param>
public sealed class FilmSource(IArticleSource inner) : IArticleSource
{
    private static readonly byte[] Head = [0x1A, 0x45, 0xDF, 0xA3];

    public long Length => inner.Length;

    public void Fill(long offset, Span<byte> destination)
    {
        inner.Fill(offset, destination);
        if (offset < Head.Length)
            Head.AsSpan((int)offset, (int)Math.Min(Head.Length - offset, destination.Length)).CopyTo(destination);
    }
}

/// <summary>A file on disk, read by position. Stays open until disposed; its owner disposes it after the providers.</summary>
public sealed class FileSource : IArticleSource, IDisposable
{
    private readonly SafeFileHandle _handle;

    public FileSource(string path)
    {
        _handle = File.OpenHandle(path);
        Length = RandomAccess.GetLength(_handle);
    }

    public long Length { get; }

    public void Fill(long offset, Span<byte> destination)
    {
        while (!destination.IsEmpty)
        {
            var read = RandomAccess.Read(_handle, destination, offset);
            if (read == 0)
                throw new EndOfStreamException("The posted file became shorter while it was served.");
            destination = destination[read..];
            offset += read;
        }
    }

    public void Dispose() => _handle.Dispose();
}
