using System.Globalization;
using Microsoft.Win32.SafeHandles;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Pieces;

namespace NzbDav.Torrents.Storage;

/// <summary>
/// Cached data in one file per piece, for file systems without holes (exFAT, NFS 3, macOS). There, one large file would keep the space of
/// evicted pieces, and the first write near its end would fill everything before it with zeros. Syncing is slower than with one file: 512
/// MiB take 1.2 s instead of 0.6 s in pieces of 1 MiB (ext4, in the background), and 8 s instead of 0.5 s in pieces of 256 KiB.
/// </summary>
/// <param name="path">See <see cref="CacheDisk"/>.</param>
/// <param name="info">The torrent.</param>
/// <param name="open">Open files of all torrents.</param>
internal sealed class PieceCache(string path, TorrentInfo info, OpenFiles open) : CacheDisk(path, info)
{
    private readonly string _folder = path + RestingPieces.Pieces;
    private readonly Lock _gate = new();
    private HashSet<int> _unsynced = [];
    private bool _hasStarted;

    /// <inheritdoc/>
    public override string? DataPath => null;

    /// <inheritdoc/>
    public override async ValueTask<int> ReadAsync(long offset, Memory<byte> destination, CancellationToken cancellationToken)
    {
        var (piece, at) = Math.DivRem(offset, Info.PieceLength);
        using var lease = open.Use(this, (int)piece, Find);
        return await RandomAccess.ReadAsync(lease.Handle, destination, at, cancellationToken);
    }

    /// <inheritdoc/>
    public override void Write(long offset, ReadOnlySpan<byte> bytes)
    {
        AssertHeld();
        if (!_hasStarted)
        {
            var exists = Directory.Exists(_folder);
            Directory.CreateDirectory(_folder);
            Begin(exists);
            _hasStarted = true;
        }

        var piece = PieceOf(offset);
        using var lease = open.Use(this, piece, Make);
        SlicedFile.Write(lease.Handle, bytes, 0);
        lock (_gate)
            _unsynced.Add(piece);
    }

    /// <inheritdoc/>
    public override void CopyTo(KeptDisk kept, long offset, int length)
    {
        using var lease = open.Use(this, PieceOf(offset), Find);
        kept.CopyFrom(lease.Handle, 0, offset, length);
    }

    /// <inheritdoc/>
    public override void Flush()
    {
        HashSet<int> pieces;
        lock (_gate)
            (pieces, _unsynced) = (_unsynced, []);
        foreach (var piece in pieces)
        {
            try
            {
                using var lease = open.Use(this, piece, Find);
                RandomAccess.FlushToDisk(lease.Handle);
            }
            catch (FileNotFoundException)
            {
                // Evicted meanwhile, so it will not be recorded.
            }
        }
    }

    /// <inheritdoc/>
    public override void Free(long offset, long length)
    {
        var piece = PieceOf(offset);
        lock (_gate)
            _unsynced.Remove(piece);
        open.Close(this, piece);
        RestingPieces.TryDelete(FileOf(piece));
    }

    /// <inheritdoc/>
    public override BitField? Load()
    {
        var claims = base.Load();

        // Removes pieces that a killed process wrote without recording them: they would count towards no limit.
        foreach (var file in Directory.Exists(_folder) ? Directory.GetFiles(_folder) : [])
        {
            var isPiece = int.TryParse(System.IO.Path.GetFileName(file), CultureInfo.InvariantCulture, out var piece);
            if (!isPiece || piece < 0 || piece >= Info.PieceCount || claims?[piece] != true)
                RestingPieces.TryDelete(file);
        }

        return claims;
    }

    /// <inheritdoc/>
    public override void Dispose() => open.Close(this);

    /// <inheritdoc/>
    protected override bool HasData(int piece) => new FileInfo(FileOf(piece)) is { Exists: true } file && file.Length == Info.SizeOf(piece);

    private int PieceOf(long offset) => (int)(offset / Info.PieceLength);

    private string FileOf(int piece) => System.IO.Path.Combine(_folder, piece.ToString(CultureInfo.InvariantCulture));

    private SafeFileHandle Find(int piece) => Open(piece, FileMode.Open);

    private SafeFileHandle Make(int piece) => Open(piece, FileMode.OpenOrCreate);

    private SafeFileHandle Open(int piece, FileMode mode) => File.OpenHandle(
        FileOf(piece), mode, FileAccess.ReadWrite, FileShare.ReadWrite | FileShare.Delete, FileOptions.RandomAccess);
}
