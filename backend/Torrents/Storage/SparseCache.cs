using Microsoft.Win32.SafeHandles;
using NzbDav.Torrents.Metadata;

namespace NzbDav.Torrents.Storage;

/// <summary>Cached data in one file for the whole torrent, which has holes where nothing is held.</summary>
/// <param name="path">See <see cref="CacheDisk"/>.</param>
/// <param name="info">The torrent.</param>
internal sealed class SparseCache(string path, TorrentInfo info) : CacheDisk(path, info)
{
    private readonly Lock _gate = new();
    private SafeFileHandle? _file;
    private long _length;

    /// <inheritdoc/>
    public override string DataPath { get; } = path + RestingPieces.Data;

    /// <summary>Opens the file on first use.</summary>
    private SafeFileHandle Open()
    {
        lock (_gate)
        {
            if (_file is not null)
                return _file;
            Directory.CreateDirectory(System.IO.Path.GetDirectoryName(Path)!);
            Begin(File.Exists(DataPath));
            return _file = File.OpenHandle(
                DataPath, FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.Read | FileShare.Delete, FileOptions.RandomAccess);
        }
    }

    /// <inheritdoc/>
    public override ValueTask<int> ReadAsync(long offset, Memory<byte> destination, CancellationToken cancellationToken) =>
        RandomAccess.ReadAsync(Open(), destination, offset, cancellationToken);

    /// <inheritdoc/>
    public override void Write(long offset, ReadOnlySpan<byte> bytes)
    {
        AssertHeld();
        SlicedFile.Write(Open(), bytes, offset);
    }

    /// <inheritdoc/>
    public override void CopyTo(KeptDisk kept, long offset, int length) => kept.CopyFrom(Open(), offset, offset, length);

    /// <inheritdoc/>
    public override void Flush() => RandomAccess.FlushToDisk(Open());

    /// <inheritdoc/>
    public override void Free(long offset, long length) => SparseFile.TryPunch(Open(), offset, length);

    /// <inheritdoc/>
    public override void Dispose()
    {
        lock (_gate)
        {
            _file?.Dispose();
            _file = null;
        }
    }

    /// <inheritdoc/>
    public override Pieces.BitField? Load()
    {
        _length = new FileInfo(DataPath) is { Exists: true } file ? file.Length : 0;
        return base.Load();
    }

    /// <inheritdoc/>
    protected override bool HasData(int piece) => ((long)piece * Info.PieceLength) + Info.SizeOf(piece) <= _length;
}
