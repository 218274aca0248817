using NzbDav.Content;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Pieces;

namespace NzbDav.Torrents.Storage;

/// <summary>
/// The verified pieces of one torrent. Memory and disk belong to the <see cref="PieceStore"/>, which all torrents share. Thread-safe.
/// </summary>
internal sealed class TorrentPieces : IDisposable
{
    private readonly PieceStore _store;

    /// <param name="store">The store that holds them.</param>
    /// <param name="held">Their state in the store.</param>
    public TorrentPieces(PieceStore store, HeldPieces held)
    {
        _store = store;
        Held = held;
    }

    public TorrentInfo Info => Held.Info;

    /// <summary>Their state in the store.</summary>
    public HeldPieces Held { get; }

    /// <summary>Hashing of <see cref="HeldPieces.Unverified"/>; completed when it is done, or if there is nothing to do.</summary>
    public Task Checking { get; private set; } = Task.CompletedTask;

    /// <summary>True if its disk is so far behind, or hangs, that nothing may be fetched for it in the background: memory would run out for
    /// torrents on other disks too.</summary>
    public bool IsDiskBehind => _store.IsDiskBehind(Held);

    /// <summary>Bytes of a verified piece from memory; null if it is not there. The caller disposes the lease.</summary>
    public ContentLease? TryLease(int piece, int offset, int length) => _store.TryLease(Held, piece, offset, length);

    /// <summary>The piece is held, in memory or on disk.</summary>
    public bool Holds(int piece) => _store.Holds(Held, piece);

    /// <summary>Reads from disk; 0 if the piece is not there, or cannot be read and is therefore no longer held.</summary>
    public ValueTask<int> ReadAsync(int piece, int offset, Memory<byte> destination, CancellationToken cancellationToken) =>
        _store.ReadAsync(Held, piece, offset, destination, cancellationToken);

    /// <summary>Takes over a verified piece, with one reference to its buffer.</summary>
    /// <param name="piece">Which.</param>
    /// <param name="buffer">Its bytes.</param>
    /// <param name="mustKeep">True: it is written to disk, however far the disk lags behind. False: it may be skipped, because readers do
    /// not wait for the disk.</param>
    public void Add(int piece, PooledBuffer buffer, bool mustKeep) => _store.Add(Held, piece, buffer, mustKeep);

    /// <summary>
    /// For closing: completes when everything added before is on disk or has failed to be written, and nothing is being moved.
    /// </summary>
    public async Task WrittenAsync()
    {
        await Checking;
        await _store.WrittenAsync(Held);
        await _store.StopMovingAsync(Held);
    }

    /// <summary>A reader's window holds these pieces from now on.</summary>
    public void Pin(int first, int last) => _store.Pin(Held, first, last, 1);

    /// <summary>A reader's window no longer holds these pieces.</summary>
    public void Unpin(int first, int last) => _store.Pin(Held, first, last, -1);

    /// <summary>
    /// Notes that a reader watches a file: its pieces may stay beyond the cache's limit (<see cref="PieceStore.WatchedReserve"/>).
    /// </summary>
    /// <param name="first">Its first piece.</param>
    /// <param name="last">Its last piece.</param>
    /// <returns>Pass it to <see cref="Unwatch"/> afterwards. Null: watched pieces may not exceed the limit.</returns>
    public Watch? Watch(int first, int last) => _store.Watch(Held, first, last);

    /// <summary>Notes that one reader no longer watches.</summary>
    public void Unwatch(Watch watch) => _store.Unwatch(watch);

    /// <summary>Writes new pieces outside the cache from now on, or into it again; pieces already on disk are moved in the background. Null
    /// on success; otherwise why it is not possible.</summary>
    public string? Keep(bool keep) => _store.Keep(Held, keep);

    /// <summary>Checks whether kept files that were missing are there again. If so, their pieces are held again.</summary>
    /// <param name="check">Checks in the background the pieces of <see cref="HeldPieces.Unverified"/>.</param>
    /// <param name="stopping">Stops the check.</param>
    /// <returns>What is missing; null: nothing.</returns>
    public string? RecheckMissingFiles(IPieceCheck check, CancellationToken stopping)
    {
        var missing = _store.RecheckMissingFiles(Held, accept: false);
        if (missing is null && Checking.IsCompleted)
            BeginChecking(check, stopping);
        return missing;
    }

    /// <summary>Hashes everything on disk, claimed or not. Damaged pieces are dropped; good ones that were not claimed are added. Files
    /// that are lost count as damaged, unless their disk is not there or cannot be read: then nothing is done.</summary>
    /// <param name="check">Checks the hashes.</param>
    /// <param name="progress">Receives the number of pieces checked.</param>
    /// <param name="cancellationToken">Stops; results so far are kept.</param>
    public Task RecheckAsync(IPieceCheck check, Action<int> progress, CancellationToken cancellationToken) =>
        _store.RecheckAsync(Held, check, progress, cancellationToken);

    /// <summary>Checks in the background which pieces of <see cref="HeldPieces.Unverified"/> are on disk and good.</summary>
    /// <param name="check">Checks the hashes.</param>
    /// <param name="stopping">Stops; the next run checks the rest.</param>
    public void BeginChecking(IPieceCheck check, CancellationToken stopping)
    {
        if (Held.Unverified.Count > 0)
            Checking = Task.Run(() => _store.CheckUnverifiedAsync(Held, check, stopping), CancellationToken.None);
    }

    /// <summary>Queues the pieces that are only in memory for writing again, once the disk has room.</summary>
    public void RetryWrites() => _store.RetryWrites(Held);

    /// <summary>Number of pieces that are only in memory: not written yet, or not writable.</summary>
    public int CountUnwritten() => _store.CountUnwritten(Held);

    /// <inheritdoc/>
    public void Dispose()
    {
        _store.Close(Held);
        Held.Dispose();
    }
}
