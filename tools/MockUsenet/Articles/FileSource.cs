using Microsoft.Win32.SafeHandles;

namespace NzbDav.MockUsenet.Articles;

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
