using System.Collections.Frozen;
using NzbDav.Catalog.Blobs;
using NzbDav.Catalog.Browsing;
using NzbDav.Catalog.Torrents;
using NzbDav.Catalog.Tree;

namespace NzbDav.Seeding;

/// <summary>
/// The catalog's data about the user's torrents, in memory. Reloaded after a change, and periodically, because other processes may change
/// it. Thread-safe.
/// </summary>
internal sealed class ShelfBook(TorrentStore store, TorrentPlaces places, TreeStore tree, FactsCache facts, TimeProvider time) : IDisposable
{
    /// <summary>Age after which the data is reloaded, to see changes by other processes.</summary>
    private static readonly TimeSpan MostAge = TimeSpan.FromSeconds(15);

    private readonly SemaphoreSlim _reading = new(1, 1);
    private FrozenDictionary<string, ShelfSlot> _slots = FrozenDictionary<string, ShelfSlot>.Empty;
    private long _version = 1;
    private long _read;
    private long _readAt;

    /// <summary>Makes the next read reload.</summary>
    public void Invalidate() => Interlocked.Increment(ref _version);

    /// <summary>Returns all torrents, including those that were removed from the list.</summary>
    public async ValueTask<FrozenDictionary<string, ShelfSlot>> ReadAsync(CancellationToken cancellationToken)
    {
        if (IsFresh)
            return _slots;
        await _reading.WaitAsync(cancellationToken);
        try
        {
            if (IsFresh)
                return _slots;
            var version = Interlocked.Read(ref _version);
            _slots = await LoadAsync(cancellationToken);
            _readAt = time.GetTimestamp();
            Interlocked.Exchange(ref _read, version);
            return _slots;
        }
        finally
        {
            _reading.Release();
        }
    }

    /// <inheritdoc/>
    public void Dispose() => _reading.Dispose();

    private bool IsFresh =>
        Interlocked.Read(ref _read) == Interlocked.Read(ref _version) && time.GetElapsedTime(Interlocked.Read(ref _readAt)) < MostAge;

    private async Task<FrozenDictionary<string, ShelfSlot>> LoadAsync(CancellationToken cancellationToken)
    {
        var entries = await store.ListAsync(cancellationToken);
        var sources = (await places.ListSourcesAsync(hash: null, cancellationToken))
            .ToDictionary(static source => source.InfoHash, StringComparer.Ordinal);
        var slots = new List<ShelfSlot>(entries.Count);
        foreach (var entry in entries)
        {
            // A torrent that was added between the two reads has neither files nor facts yet.
            var source = sources.GetValueOrDefault(entry.Hash) ?? new TorrentSource { InfoHash = entry.Hash };
            var said = source.Metainfo is { } blob ? await facts.FindAsync(blob, cancellationToken) : null;
            var path = source.ItemId is { } item ? await tree.GetPathAsync(item, cancellationToken) : null;
            slots.Add(new ShelfSlot(said?.Resolve(entry) ?? entry, source, said, path is { Count: > 1 } ? [.. path.Skip(1)] : []));
        }

        facts.KeepOnly(slots.Select(static slot => slot.Source.Metainfo).OfType<BlobHash>().ToHashSet());
        return slots.ToFrozenDictionary(static slot => slot.Entry.Hash, StringComparer.Ordinal);
    }
}

/// <summary>The catalog's data about one of the user's torrents. Immutable.</summary>
/// <param name="Entry">The stored entry; once the facts are known, with the priorities that its magnet link requests.</param>
/// <param name="Source">Its job, its .torrent and its published item.</param>
/// <param name="Facts">The facts of its .torrent; null: not known yet.</param>
/// <param name="Path">Its published path below <c>/content</c>; empty: not published.</param>
internal sealed record ShelfSlot(TorrentEntry Entry, TorrentSource Source, TorrentFacts? Facts, IReadOnlyList<string> Path);
