using Microsoft.Win32.SafeHandles;
using NzbDav.Content;
using NzbDav.Library.Items;
using NzbDav.WebDav.Store;

namespace NzbDav.Library.Scratch;

/// <summary>A file in the scratch folder, as it was when it was looked up.</summary>
internal sealed class ScratchFile : IStoreFile
{
    private readonly ScratchFolder _folder;
    private readonly FileInfo _file;

    public ScratchFile(ScratchFolder folder, FileInfo file)
    {
        _folder = folder;
        _file = file;
        Length = file.Length;
        CreatedAt = StableDate.Of(new DateTimeOffset(file.CreationTimeUtc));
        ModifiedAt = StableDate.Of(new DateTimeOffset(file.LastWriteTimeUtc));
        ETag = ScratchFolder.Tag(file, Length);
    }

    public string Name => _file.Name;

    public DateTimeOffset CreatedAt { get; }

    public DateTimeOffset ModifiedAt { get; }

    public string ETag { get; }

    public long Length { get; }

    public StoreKeeping Keeping => StoreKeeping.Everything;

    public ValueTask<StoreOpenResult> OpenAsync(CancellationToken cancellationToken)
    {
        var now = new FileInfo(_file.FullName);
        return ValueTask.FromResult(now.Exists && now.Length == Length
            ? StoreOpenResult.Of(new FileContent(_file.FullName, Length, _folder.Pool))
            : StoreOpenResult.Failed(ContentFault.Unavailable, "The file was changed just now: ask again."));
    }
}

/// <summary>A file on disk. A reader keeps the file that it opened, even if another takes its place.</summary>
internal sealed class FileContent(string path, long length, BufferPool pool) : IContent
{
    // Large enough that the cost of a read call is small per byte.
    private const int Piece = 256 << 10;

    public long Length => length;

    public ContentReader OpenReader(long start, long end, ReadIntent intent)
    {
        ContentRange.ThrowIfOutside(start, end, length);
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
                _file ??= File.OpenHandle(
                    path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete, FileOptions.Asynchronous);
                var read = await RandomAccess.ReadAsync(_file, buffer.Memory[..wanted], _position, cancellationToken);
                if (read == 0)
                    throw new ContentException(ContentFault.Corrupt, "The file became shorter while it was read.");
                _position += read;
                return ContentLease.Of(buffer, 0, read);
            }
            catch (Exception e) when (e is (IOException and not ContentException) or UnauthorizedAccessException)
            {
                throw new ContentException(e is FileNotFoundException or DirectoryNotFoundException
                    ? ContentFault.Missing : ContentFault.Unavailable, e.Message, e);
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
