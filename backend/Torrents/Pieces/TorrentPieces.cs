using Microsoft.Win32.SafeHandles;
using NzbDav.Content;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Peers;

namespace NzbDav.Torrents.Pieces;

/// <summary>
/// The verified pieces of one torrent that are held. Memory and disk are the <see cref="PieceStore"/>'s, shared with other torrents.
/// Thread-safe. Lock order: <see cref="FileGate"/>, then the store's.
/// </summary>
internal sealed class TorrentPieces : IDisposable
{
    /// <summary>Pieces that begin or end a file are given up last: players look there first (headers, cues, moov).</summary>
    private const long EdgeBytes = 1 << 20;

    private readonly PieceStore _store;
    private readonly string? _path;
    private readonly BitField _edges;
    private SafeFileHandle? _file;

    public TorrentPieces(PieceStore store, TorrentInfo info, string? path, IStorageNews news)
    {
        _store = store;
        _path = path;
        Info = info;
        News = news;
        Entries = new PieceEntry?[info.PieceCount];
        Pins = new ushort[info.PieceCount];
        Unsynced = [];
        Synced = new BitField(info.PieceCount);
        Claims = new BitField(info.PieceCount);
        _edges = Edges(info);
    }

    public TorrentInfo Info { get; }

    /// <summary>Told what becomes of pieces.</summary>
    public IStorageNews News { get; }

    /// <summary>Held by whoever writes to the file or takes pieces off it.</summary>
    public Lock FileGate { get; } = new();

    /// <summary>What is being claimed. Under <see cref="FileGate"/>.</summary>
    public BitField Claims { get; }

    // What follows is used under the store's lock.
    public PieceEntry?[] Entries { get; }

    public ushort[] Pins { get; }

    /// <summary>Written since the last sync.</summary>
    public List<int> Unsynced { get; }

    /// <summary>On disk for sure.</summary>
    public BitField Synced { get; }

    public bool IsEdge(int piece) => _edges[piece];

    /// <summary>Bytes of a verified piece from memory; null if it is not there. The caller disposes the lease.</summary>
    public ContentLease? TryLease(int piece, int offset, int length) => _store.TryLease(this, piece, offset, length);

    /// <summary>The piece is held, in memory or on disk.</summary>
    public bool Holds(int piece) => _store.Holds(this, piece);

    /// <summary>Reads from disk; 0 if it is not there or cannot be read: then it is no longer held.</summary>
    public ValueTask<int> ReadAsync(int piece, int offset, Memory<byte> destination, CancellationToken cancellationToken) =>
        _store.ReadAsync(this, piece, offset, destination, cancellationToken);

    /// <summary>Takes a verified piece, with one reference to its buffer.</summary>
    public void Add(int piece, PooledBuffer buffer) => _store.Add(this, piece, buffer);

    /// <summary>A reader's window holds these pieces from now on.</summary>
    public void Pin(int first, int last) => _store.Pin(this, first, last, 1);

    /// <summary>A reader's window no longer holds these pieces.</summary>
    public void Unpin(int first, int last) => _store.Pin(this, first, last, -1);

    /// <summary>Claims from an earlier run, as far as the file bears them out.</summary>
    public BitField? Load()
    {
        if (_path is null || !File.Exists(_path + ".data"))
            return null;
        var claims = ResumeFile.Load(_path + ".resume", Info);
        if (claims is null)
            return null;
        var length = new FileInfo(_path + ".data").Length;
        for (var piece = 0; piece < Info.PieceCount; piece++)
        {
            if (claims[piece] && ((long)piece * Info.PieceLength) + Info.SizeOf(piece) > length)
                claims.Clear(piece);
        }

        return claims;
    }

    /// <summary>The data file, opened on first use under <see cref="FileGate"/>.</summary>
    public SafeFileHandle OpenFile()
    {
        if (_file is not null)
            return _file;
        Directory.CreateDirectory(Path.GetDirectoryName(_path!)!);
        return _file = File.OpenHandle(_path + ".data", FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.Read, FileOptions.RandomAccess);
    }

    /// <summary>Writes <see cref="Claims"/>. Under <see cref="FileGate"/>.</summary>
    public void SaveClaims()
    {
        Directory.CreateDirectory(Path.GetDirectoryName(_path!)!);
        ResumeFile.Save(_path + ".resume", Info, Claims);
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _store.Close(this);
        lock (FileGate)
        {
            _file?.Dispose();
            _file = null;
        }
    }

    private static BitField Edges(TorrentInfo info)
    {
        var edges = new BitField(info.PieceCount);
        foreach (var file in info.Files)
        {
            if (file.Length == 0 || file.IsPadding)
                continue;
            var edge = Math.Min(file.Length, EdgeBytes);
            Set(file.Offset, file.Offset + edge);
            Set(file.Offset + file.Length - edge, file.Offset + file.Length);
        }

        return edges;

        void Set(long from, long to)
        {
            for (var piece = (int)(from / info.PieceLength); piece <= (int)((to - 1) / info.PieceLength); piece++)
                edges.Set(piece);
        }
    }
}
