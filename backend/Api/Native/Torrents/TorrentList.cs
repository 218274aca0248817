using Microsoft.Extensions.DependencyInjection;
using NzbDav.Api.Native.Events;
using NzbDav.Catalog.Browsing;
using NzbDav.Seeding;
using NzbDav.Torrents;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Sessions;
using NzbDav.Torrents.Status;

namespace NzbDav.Api.Native.Torrents;

/// <summary>Joins the engine's torrents with those of the catalog. Thread-safe.</summary>
internal sealed class TorrentList(TorrentPlaces places, TimeProvider time, IServiceProvider services)
{
    private const int MostClosed = 500;

    /// <summary>How long names and places are cached: they seldom change, and <see cref="TorrentTopic"/> asks once a second.</summary>
    private static readonly TimeSpan Fresh = TimeSpan.FromSeconds(5);

    private (long At, IReadOnlyList<CatalogTorrent> Torrents) _known;

    /// <summary>The user's torrents; null where torrents are switched off.</summary>
    public TorrentShelf? Shelf => services.GetService<TorrentShelf>();

    /// <summary>State of the torrent network; null where torrents are switched off.</summary>
    public TorrentNetworkBody? Network => Engine is { } engine ? TorrentNetworkBody.Of(engine.GetNetwork()) : null;

    private TorrentEngine? Engine => services.GetService<TorrentSessions>()?.Engine;

    /// <summary>All torrents, those in their swarms first.</summary>
    public async ValueTask<TorrentsBody> ListAsync(CancellationToken cancellationToken) =>
        List(await ReadAsync(cancellationToken), await ShelvedAsync(cancellationToken), isActive: false);

    /// <summary>Only the torrents in their swarms.</summary>
    public async ValueTask<TorrentsBody> ListActiveAsync(CancellationToken cancellationToken) =>
        Engine?.Torrents.Any() == true
            ? List(await KnownAsync(cancellationToken), await ShelvedAsync(cancellationToken), isActive: true) : new TorrentsBody([]);

    /// <summary>The details of a torrent; null if there is no such torrent.</summary>
    public async ValueTask<TorrentDetailsBody?> FindAsync(InfoHash hash, CancellationToken cancellationToken)
    {
        var name = hash.ToString();
        var (open, place) = (Engine?.Find(hash), await places.FindAsync(name, cancellationToken));
        if (open is null && place is null)
            return null;
        var shelved = Shelf is { } shelf ? await shelf.FindAsync(name, cancellationToken) : null;
        var details = open?.GetDetails();
        return TorrentBody.Of<TorrentDetailsBody>(open, place, shelved) with
        {
            Limits = new TorrentLimitsBody(Engine?.UploadLimitOf(hash), Engine?.DownloadLimitOf(hash)),
            PieceLength = details?.Info?.PieceLength,
            Trackers = [.. (details?.Trackers ?? []).Select(TrackerBody.Of)],
            Sources = [.. (details?.Sources ?? []).Select(TrackerBody.Of)],
            WebSeeds = [.. (details?.WebSeeds ?? []).Select(WebSeedBody.Of)],
            PeersList = [.. (details?.Peers ?? []).Select(PeerBody.Of)],
            Runs = [.. (details?.Runs ?? []).Select(static run => new PieceRunBody(run.State, run.Length))],
            Copies = open?.LastStatus.Copies ?? 0,
            Times = shelved is null ? null : TorrentTimesBody.Of(shelved),
            Share = shelved is null ? null : TorrentShareBody.Of(shelved),
            Folder = open?.KeptFolder,
            Files = await FilesAsync(name, details, cancellationToken),
        };
    }

    /// <summary>Sets the limits of a torrent, open or closed. They persist across restarts.</summary>
    /// <returns>False where torrents are switched off.</returns>
    public async Task<bool> TryLimitAsync(InfoHash hash, TorrentLimitsBody limits, CancellationToken cancellationToken)
    {
        if (Engine is not { } engine)
            return false;
        engine.LimitUpload(hash, limits.UpRate);
        engine.LimitDownload(hash, limits.DownRate);
        if (Shelf is { } shelf)
            await shelf.UpdateAsync(
                [hash.ToString()], entry => entry with { UploadLimit = limits.UpRate, DownloadLimit = limits.DownRate }, cancellationToken);
        return true;
    }

    private async ValueTask<IReadOnlyList<TorrentFileBody>> FilesAsync(
        string hash, TorrentDetails? details, CancellationToken cancellationToken)
    {
        if (Shelf is { } shelf && await shelf.ListFilesAsync(hash, cancellationToken) is { Count: > 0 } files)
        {
            return
            [
                .. files.Select(file => new TorrentFileBody(TorrentBody.Text(file.ItemId), file.Path, file.Size,
                    details is null ? null : file.Held) { Index = file.Index, Priority = file.Priority }),
            ];
        }

        var published = await places.ListFilesAsync(hash, cancellationToken);
        if (details?.Info is not { } info)
            return [.. published.Select(static file => new TorrentFileBody(TorrentBody.Text(file.Id), file.Name, file.Size, null))];
        var ids = published.GroupBy(static file => file.Torrent!.File)
            .ToDictionary(static group => group.Key, static group => TorrentBody.Text(group.First().Id));
        return
        [
            .. info.Files.Index().Where(static file => !file.Item.IsPadding)
                .Select(file => new TorrentFileBody(ids.GetValueOrDefault(file.Index), file.Item.Path, file.Item.Length,
                    details.FileBytes[file.Index]) { Index = file.Index }),
        ];
    }

    private async ValueTask<IReadOnlyDictionary<string, TorrentView>> ShelvedAsync(CancellationToken cancellationToken) =>
        Shelf is { } shelf ? (await shelf.ListAsync(cancellationToken)).ToDictionary(
            static torrent => torrent.Hash, StringComparer.Ordinal) : new Dictionary<string, TorrentView>(StringComparer.Ordinal);

    private TorrentsBody List(IReadOnlyList<CatalogTorrent> known, IReadOnlyDictionary<string, TorrentView> shelved, bool isActive)
    {
        var open = Engine?.Torrents.ToDictionary(static torrent => torrent.Hash.ToString(), StringComparer.Ordinal) ?? [];
        var knownByHash = known.ToDictionary(static torrent => torrent.InfoHash, StringComparer.Ordinal);
        var active = open.Select(
            pair => TorrentBody.Of<TorrentBody>(pair.Value, knownByHash.GetValueOrDefault(pair.Key), shelved.GetValueOrDefault(pair.Key)))
            .OrderBy(static torrent => torrent.Name, StringComparer.OrdinalIgnoreCase)
                .ThenBy(static torrent => torrent.InfoHash, StringComparer.Ordinal);
        var closed = isActive ? [] : known.Where(torrent => !open.ContainsKey(torrent.InfoHash)).Take(MostClosed);
        return new TorrentsBody([.. active,
            .. closed.Select(place => TorrentBody.Of<TorrentBody>(torrent: null, place, shelved.GetValueOrDefault(place.InfoHash)))]);
    }

    private async ValueTask<IReadOnlyList<CatalogTorrent>> KnownAsync(CancellationToken cancellationToken)
    {
        var (at, known) = _known;
        return known is not null && time.GetElapsedTime(at) < Fresh ? known : await ReadAsync(cancellationToken);
    }

    private async ValueTask<IReadOnlyList<CatalogTorrent>> ReadAsync(CancellationToken cancellationToken)
    {
        var known = await places.ListAsync(cancellationToken);
        _known = (time.GetTimestamp(), known);
        return known;
    }
}

/// <summary>Reports the torrents in their swarms: once a second while there are any, and once more when the last has gone.</summary>
internal sealed class TorrentTopic(TorrentList list) : IEventTopic
{
    private bool _wasActive;

    /// <summary>Never raised: reading once a second costs less.</summary>
    public event Action? Changed
    {
        add { }
        remove { }
    }

    public string Name => "torrents";

    public Type DataType => typeof(TorrentsBody);

    public bool IsWhole => true;

    /// <summary>Zero: the period alone spaces the events.</summary>
    public TimeSpan Pace => TimeSpan.Zero;

    public TimeSpan? Period => TimeSpan.FromSeconds(1);

    public async ValueTask<object?> NextAsync(CancellationToken cancellationToken)
    {
        var active = await list.ListActiveAsync(cancellationToken);
        if (active.Torrents.Count == 0 && !_wasActive)
            return null;
        _wasActive = active.Torrents.Count > 0;
        return active;
    }

    public void Begin() => _wasActive = true;
}
