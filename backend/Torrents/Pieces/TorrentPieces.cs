using NzbDav.Content;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Peers;

namespace NzbDav.Torrents.Pieces;

/// <summary>
/// The verified pieces of one torrent that are held. Memory and disk are the <see cref="PieceStore"/>'s, shared with other torrents.
/// Thread-safe. Lock order: <see cref="ClaimGate"/>, <see cref="FileGate"/>, then the store's.
/// </summary>
internal sealed class TorrentPieces : IDisposable
{
    /// <summary>Pieces that begin or end a file are given up last: players look there first (headers, cues, moov).</summary>
    private const long EdgeBytes = 1 << 20;

    private readonly PieceStore _store;
    private readonly BitField _edges;

    /// <param name="store">Holds them.</param>
    /// <param name="info">The torrent.</param>
    /// <param name="path">Of its files in the cache folder, without their endings; null = in memory only.</param>
    /// <param name="news">See <see cref="News"/>.</param>
    public TorrentPieces(PieceStore store, TorrentInfo info, string? path, IStorageNews news)
    {
        _store = store;
        Path = path;
        Cache = path is null ? null : new CacheDisk(path, info);
        Info = info;
        News = news;
        Entries = new PieceEntry?[info.PieceCount];
        Pins = new ushort[info.PieceCount];
        Unsynced = [];
        Synced = new BitField(info.PieceCount);
        _edges = Edges(info);
    }

    public TorrentInfo Info { get; }

    /// <summary>Told what becomes of pieces.</summary>
    public IStorageNews News { get; }

    /// <summary>Held by whoever claims what was written, from the sync on, and by whoever closes it: what is being synced is claimed before that.</summary>
    public Lock ClaimGate { get; } = new();

    /// <summary>Held by whoever writes to the file or takes pieces off it.</summary>
    public Lock FileGate { get; } = new();

    /// <summary>Of its files in the cache folder, without their endings; null = in memory only.</summary>
    public string? Path { get; }

    /// <summary>Its bounded part of the disk; null = none.</summary>
    public CacheDisk? Cache { get; }

    /// <summary>Where it is kept; null while it is not, and nothing is left there. Changed under both locks.</summary>
    public KeptDisk? Kept { get; set; }

    /// <summary>It was closed: its entries say nothing any more, and its claims stay as they are. Set once, under all three locks.</summary>
    public bool IsClosed { get; set; }

    /// <summary>What was kept is gone, as far as it is known, since this was opened.</summary>
    public bool IsMissing { get; set; }

    /// <summary>Pieces that a run that was killed may have written and did not claim; empty once they were hashed.</summary>
    public IReadOnlyList<int> Unsure { get; set; } = [];

    /// <summary>Hashes <see cref="Unsure"/>; completed if that is done, or there is nothing to do.</summary>
    public Task Checking { get; private set; } = Task.CompletedTask;

    // What follows is used under the store's lock.
    public PieceEntry?[] Entries { get; }

    public ushort[] Pins { get; }

    /// <summary>What is written goes where it is kept.</summary>
    public bool IsKept { get; set; }

    /// <summary>What is on disk in the wrong place is on its way; completed if nothing is.</summary>
    public Task Moving { get; set; } = Task.CompletedTask;

    /// <summary>It is being closed: moving ends.</summary>
    public bool IsClosing { get; set; }

    /// <summary>Pieces that wait to be written or are being written.</summary>
    public int Writing { get; set; }

    /// <summary>Completes when <see cref="Writing"/> is 0; null if nobody waits for that.</summary>
    public TaskCompletionSource? Written { get; set; }

    /// <summary>Written since the last sync.</summary>
    public List<int> Unsynced { get; }

    /// <summary>A sync failed in this opening: pieces may be on disk, or not, that are never claimed.</summary>
    public bool HasLostSync { get; set; }

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
    /// <param name="piece">Which.</param>
    /// <param name="buffer">Its bytes.</param>
    /// <param name="mustKeep">It goes to disk however far that lags behind; else it may be left out, as readers do not wait for the disk.</param>
    public void Add(int piece, PooledBuffer buffer, bool mustKeep) => _store.Add(this, piece, buffer, mustKeep);

    /// <summary>For the end: completes when all that was added before is on disk, or cannot be written, and nothing is being moved.</summary>
    public async Task WrittenAsync()
    {
        await Checking;
        await _store.WrittenAsync(this);
        await _store.StopMovingAsync(this);
    }

    /// <summary>A reader's window holds these pieces from now on.</summary>
    public void Pin(int first, int last) => _store.Pin(this, first, last, 1);

    /// <summary>A reader's window no longer holds these pieces.</summary>
    public void Unpin(int first, int last) => _store.Pin(this, first, last, -1);

    /// <summary>Keeps all that is written from here on outside the cache, or no longer does; what is on disk follows in the background. Null: done; else why it cannot be.</summary>
    public string? Keep(bool keep) => _store.Keep(this, keep);

    /// <summary>Hashes all that is on disk, claimed or not. What is damaged is no longer held; what is good and was not claimed is.</summary>
    /// <param name="check">Makes the hashes.</param>
    /// <param name="progress">Told how many pieces were looked at.</param>
    /// <param name="cancellationToken">Gives up; what was found out holds.</param>
    public Task RecheckAsync(IPieceCheck check, Action<int> progress, CancellationToken cancellationToken) => _store.RecheckAsync(this, check, progress, cancellationToken);

    /// <summary>Finds out, in the background, what of <see cref="Unsure"/> is there and good.</summary>
    /// <param name="check">Makes the hashes.</param>
    /// <param name="stopping">Ends it; what was not looked at is for the next run.</param>
    public void BeginChecking(IPieceCheck check, CancellationToken stopping)
    {
        if (Unsure.Count > 0)
            Checking = Task.Run(() => _store.CheckUnsureAsync(this, check, stopping), CancellationToken.None);
    }

    /// <summary>Queues what is only in memory to be written again, for a disk that has room now.</summary>
    public void WriteAgain() => _store.WriteAgain(this);

    /// <summary>How many pieces are in memory alone: not written yet, or they could not be.</summary>
    public int CountUnwritten() => _store.CountUnwritten(this);

    /// <inheritdoc/>
    public void Dispose()
    {
        _store.Close(this);
        Cache?.Dispose();
        Kept?.Dispose();
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
