using Microsoft.Win32.SafeHandles;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Pieces;

namespace NzbDav.Torrents.Storage;

/// <summary>A torrent's data in the cache: one sparse file for the whole torrent, with its claims in a second file beside it.</summary>
/// <param name="path">Path of both files, without their endings.</param>
/// <param name="info">The torrent.</param>
internal sealed class CacheDisk(string path, TorrentInfo info) : PieceDisk
{
    private readonly Lock _gate = new();
    private SafeFileHandle? _file;

    /// <summary>The data file.</summary>
    public string DataPath => path + ".data";

    /// <summary>The file, opened on first use.</summary>
    public SafeFileHandle Open()
    {
        lock (_gate)
        {
            if (_file is not null)
                return _file;
            Directory.CreateDirectory(Path.GetDirectoryName(path)!);
            return _file = File.OpenHandle(DataPath, FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.Read | FileShare.Delete, FileOptions.RandomAccess);
        }
    }

    /// <inheritdoc/>
    public override ValueTask<int> ReadAsync(long offset, Memory<byte> destination, CancellationToken cancellationToken) => RandomAccess.ReadAsync(Open(), destination, offset, cancellationToken);

    /// <inheritdoc/>
    public override void Write(long offset, ReadOnlySpan<byte> bytes) => SlicedFile.Write(Open(), bytes, offset);

    /// <inheritdoc/>
    public override void Flush() => RandomAccess.FlushToDisk(Open());

    /// <inheritdoc/>
    public override void Free(long offset, long length) => SparseFile.TryPunch(Open(), offset, length);

    /// <inheritdoc/>
    public override void SaveClaims(BitField claims)
    {
        Directory.CreateDirectory(Path.GetDirectoryName(path)!);
        ResumeFile.Save(path + ".resume", info, claims);
    }

    /// <summary>Withdraws all claims. Needs no space.</summary>
    public void DropClaims() => File.Delete(path + ".resume");

    /// <inheritdoc/>
    public override BitField? Load()
    {
        if (!File.Exists(DataPath))
            return null;
        var claims = ResumeFile.Load(path + ".resume", info);
        if (claims is null)
            return null;
        var length = new FileInfo(DataPath).Length;
        for (var piece = 0; piece < info.PieceCount; piece++)
        {
            if (claims[piece] && ((long)piece * info.PieceLength) + info.SizeOf(piece) > length)
                claims.Clear(piece);
        }

        return claims;
    }

    /// <inheritdoc/>
    public override void Dispose()
    {
        lock (_gate)
        {
            _file?.Dispose();
            _file = null;
        }
    }
}
