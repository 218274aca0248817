using Microsoft.Win32.SafeHandles;
using NzbDav.Content;

namespace NzbDav.Library.Scratch;

/// <summary>A file on disk. A reader keeps the file open that it began with, whatever takes its place.</summary>
internal sealed class FileContent(string path, long length, BufferPool pool) : IContent
{
    // Large enough that a read costs little beside what it brings.
    private const int Piece = 256 << 10;

    public long Length => length;

    public ContentReader OpenReader(long start, long end, ReadIntent intent)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(start);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(end, length);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(start, end);
        return new Reader(path, start, end, pool);
    }

    private sealed class Reader(string path, long start, long end, BufferPool pool) : ContentReader
    {
        private SafeFileHandle? _file;
        private long _position = start;

        public override long Position => _position;

        public override async ValueTask<ContentLease> NextAsync(CancellationToken cancellationToken)
        {
            if (_position >= end)
                return ContentLease.Empty;
            var wanted = (int)Math.Min(Piece, end - _position);
            pool.Budget.Reserve(BufferPool.ClassOf(wanted));
            var buffer = pool.Rent(wanted);
            try
            {
                _file ??= File.OpenHandle(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete, FileOptions.Asynchronous);
                var read = await RandomAccess.ReadAsync(_file, buffer.Memory[..wanted], _position, cancellationToken);
                if (read == 0)
                    throw new ContentException(ContentFault.Corrupt, "The file became shorter while it was read.");
                _position += read;
                return ContentLease.Of(buffer, 0, read);
            }
            catch (Exception e) when (e is (IOException and not ContentException) or UnauthorizedAccessException)
            {
                throw new ContentException(e is FileNotFoundException or DirectoryNotFoundException ? ContentFault.Missing : ContentFault.Unavailable, e.Message, e);
            }
            finally
            {
                buffer.Release();
            }
        }

        public override ValueTask DisposeAsync()
        {
            _file?.Dispose();
            return ValueTask.CompletedTask;
        }
    }
}
