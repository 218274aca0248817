using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Pieces;

namespace NzbDav.Torrents.Storage;

/// <summary>
/// The <see cref="PieceStore"/>'s state of the pieces of one torrent. State only: the store does the work. Lock order: <see cref="ClaimGate"/>,
/// <see cref="FileGate"/>, then the store's.
/// </summary>
internal sealed class HeldPieces : IDisposable
{
    /// <summary>Bytes at the start and end of each file whose pieces are evicted last: players look there first (headers, cues, moov).</summary>
    private const long EdgeBytes = 1 << 20;

    private readonly BitField _edges;

    /// <param name="info">The torrent.</param>
    /// <param name="path">Path of its files in the cache folder, without extensions; null = in memory only.</param>
    /// <param name="news">See <see cref="News"/>.</param>
    public HeldPieces(TorrentInfo info, string? path, IStorageNews news)
    {
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

    /// <summary>Receives changes to the pieces.</summary>
    public IStorageNews News { get; }

    /// <summary>Held during a checkpoint, from the sync until the pieces are claimed, and while closing: a checkpoint in progress ends before the torrent
    /// closes.</summary>
    public Lock ClaimGate { get; } = new();

    /// <summary>Held while writing to the files or removing pieces from them.</summary>
    public Lock FileGate { get; } = new();

    /// <summary>Path of its files in the cache folder, without extensions; null = in memory only.</summary>
    public string? Path { get; }

    /// <summary>Its files in the bounded cache; null = in memory only.</summary>
    public CacheDisk? Cache { get; }

    /// <summary>Its files outside the cache; null when it is not kept and nothing is left there. Changed under both locks.</summary>
    public KeptDisk? Kept { get; set; }

    /// <summary>True once closed: the entries are cleared, and the claims are no longer changed. Set once, under all three locks.</summary>
    public bool IsClosed { get; set; }

    /// <summary>Kept files were missing when the torrent was opened.</summary>
    public bool IsMissing { get; set; }

    /// <summary>Pieces that a killed process may have written without claiming them. Empty once they have been hashed.</summary>
    public IReadOnlyList<int> Unsure { get; set; } = [];

    // The members below are used under the store's lock.
    public PieceEntry?[] Entries { get; }

    public ushort[] Pins { get; }

    /// <summary>New pieces are written to the kept files instead of the cache.</summary>
    public bool IsKept { get; set; }

    /// <summary>Moves pieces between the cache and the kept files; completed when nothing is being moved.</summary>
    public Task Moving { get; set; } = Task.CompletedTask;

    /// <summary>Being closed: no further batch is moved.</summary>
    public bool IsClosing { get; set; }

    /// <summary>Pieces that are queued for writing or being written.</summary>
    public int Writing { get; set; }

    /// <summary>Completes when <see cref="Writing"/> is 0; null if nothing waits for that.</summary>
    public TaskCompletionSource? Written { get; set; }

    /// <summary>Pieces written since the last sync.</summary>
    public List<int> Unsynced { get; }

    /// <summary>How many syncs have failed since the torrent was opened.</summary>
    public int LostSyncs { get; set; }

    /// <summary>Pieces that have been synced to disk.</summary>
    public BitField Synced { get; }

    public bool IsEdge(int piece) => _edges[piece];

    /// <inheritdoc/>
    public void Dispose()
    {
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
