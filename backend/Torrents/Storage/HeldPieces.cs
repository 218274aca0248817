using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Pieces;

namespace NzbDav.Torrents.Storage;

/// <summary>
/// What the <see cref="PieceStore"/> keeps about the pieces of one torrent. State only: the store does the work. Lock order: <see cref="ClaimGate"/>, <see cref="FileGate"/>, then the store's.
/// </summary>
internal sealed class HeldPieces : IDisposable
{
    /// <summary>Pieces that begin or end a file are given up last: players look there first (headers, cues, moov).</summary>
    private const long EdgeBytes = 1 << 20;

    private readonly BitField _edges;

    /// <param name="info">The torrent.</param>
    /// <param name="path">Of its files in the cache folder, without their endings; null = in memory only.</param>
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
