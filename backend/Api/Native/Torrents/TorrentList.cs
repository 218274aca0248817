using System.Globalization;
using Microsoft.Extensions.DependencyInjection;
using NzbDav.Catalog;
using NzbDav.Seeding;
using NzbDav.Torrents;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Status;

namespace NzbDav.Api.Native.Torrents;

/// <summary>What the engine and the catalog know of torrents, together. Thread-safe.</summary>
internal sealed class TorrentList(TorrentPlaces places, TimeProvider time, IServiceProvider services)
{
    private const int MostClosed = 500;

    /// <summary>Names and places change seldom, and <see cref="TorrentTopic"/> asks once a second.</summary>
    private static readonly TimeSpan Fresh = TimeSpan.FromSeconds(5);

    private (long At, IReadOnlyList<CatalogTorrent> Torrents) _known;

    private TorrentEngine? Engine => services.GetService<TorrentSessions>()?.Engine;

    /// <summary>Those in their swarms first.</summary>
    public async ValueTask<TorrentsBody> ListAsync(CancellationToken cancellationToken) => List(await ReadAsync(cancellationToken));

    /// <summary>Those in their swarms alone.</summary>
    public async ValueTask<TorrentsBody> ListActiveAsync(CancellationToken cancellationToken) =>
        Engine?.Torrents.Any() == true
            ? new TorrentsBody([.. List(await KnownAsync(cancellationToken)).Torrents.Where(static torrent => torrent.State != TorrentStateBody.Closed)])
            : new TorrentsBody([]);

    /// <summary>All of one; null if there is none of that name.</summary>
    public async ValueTask<TorrentDetailsBody?> FindAsync(InfoHash hash, CancellationToken cancellationToken)
    {
        var place = await places.FindAsync(hash.ToString(), cancellationToken);
        var files = await places.ListFilesAsync(hash.ToString(), cancellationToken);
        var limits = new TorrentLimitsBody(Engine?.UploadLimitOf(hash), Engine?.DownloadLimitOf(hash));
        if (Engine?.Find(hash) is not { } open)
        {
            return place is null ? null : Of<TorrentDetailsBody>(place) with
            {
                Limits = limits,
                Files = [.. files.Select(static file => new TorrentFileBody(Text(file.Id), file.Name, file.Size, null))],
            };
        }

        var details = open.GetDetails();
        var ids = files.GroupBy(static file => file.Torrent!.File).ToDictionary(static group => group.Key, static group => Text(group.First().Id));
        return Of<TorrentDetailsBody>(open, place) with
        {
            Limits = limits,
            PieceLength = details.Info?.PieceLength,
            Trackers = [.. details.Trackers.Select(static tracker => new TrackerBody(tracker.Url, tracker.State, tracker.Message, tracker.Peers, tracker.Next))],
            PeersList = [.. details.Peers.Select(Of)],
            Runs = [.. details.Runs.Select(static run => new PieceRunBody(run.State, run.Length))],
            Files =
            [
                .. (details.Info?.Files ?? []).Index().Where(static file => !file.Item.IsPadding)
                    .Select(file => new TorrentFileBody(ids.GetValueOrDefault(file.Index), file.Item.Path, file.Item.Length, details.FileBytes[file.Index])),
            ],
        };
    }

    /// <summary>Sets the limits of a torrent, be it open or not. They hold over restarts.</summary>
    /// <returns>False where torrents are switched off.</returns>
    public async Task<bool> TryLimitAsync(InfoHash hash, TorrentLimitsBody limits, CancellationToken cancellationToken)
    {
        if (Engine is not { } engine)
            return false;
        engine.LimitUpload(hash, limits.UpRate);
        engine.LimitDownload(hash, limits.DownRate);
        if (services.GetService<TorrentShelf>() is { } shelf)
            await shelf.UpdateAsync([hash.ToString()], entry => entry with { UploadLimit = limits.UpRate, DownloadLimit = limits.DownRate }, cancellationToken);
        return true;
    }

    private TorrentsBody List(IReadOnlyList<CatalogTorrent> known)
    {
        var open = Engine?.Torrents.ToDictionary(static torrent => torrent.Hash.ToString(), StringComparer.Ordinal) ?? [];
        var knownByHash = known.ToDictionary(static torrent => torrent.InfoHash, StringComparer.Ordinal);
        return new TorrentsBody(
        [
            .. open.Select(pair => Of<TorrentBody>(pair.Value, knownByHash.GetValueOrDefault(pair.Key))).OrderBy(static torrent => torrent.Name, StringComparer.OrdinalIgnoreCase).ThenBy(static torrent => torrent.InfoHash, StringComparer.Ordinal),
            .. known.Where(torrent => !open.ContainsKey(torrent.InfoHash)).Take(MostClosed).Select(Of<TorrentBody>),
        ]);
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

    private static T Of<T>(Torrent torrent, CatalogTorrent? place)
        where T : TorrentBody, new()
    {
        var activity = torrent.Activity;
        return new T
        {
            InfoHash = torrent.Hash.ToString(),
            Name = torrent.Name ?? place?.Name ?? torrent.Hash.ToString(),
            ItemId = Text(place?.ItemId),
            JobId = Text(place?.JobId),
            State = activity.IsDescribed ? TorrentStateBody.Active : TorrentStateBody.Metadata,
            Private = activity.IsPrivate,
            Size = activity.IsDescribed ? activity.Size : place?.Size ?? 0,
            Pieces = activity.IsDescribed ? activity.Pieces : null,
            Have = activity.Have,
            Peers = activity.Peers,
            Seeds = activity.Seeds,
            DownRate = activity.DownRate,
            UpRate = activity.UpRate,
            Downloaded = torrent.Bytes.Payload,
            Uploaded = torrent.Bytes.Uploaded,
            Readers = activity.Readers,
            Reason = activity.Reason,
        };
    }

    private static T Of<T>(CatalogTorrent place)
        where T : TorrentBody, new() => new()
        {
            InfoHash = place.InfoHash,
            Name = place.Name,
            ItemId = Text(place.ItemId),
            JobId = Text(place.JobId),
            State = TorrentStateBody.Closed,
            Size = place.Size,
        };

    private static PeerBody Of(PeerStatus peer) => new(
        peer.Address.ToString(), peer.Client, peer.Share, peer.DownRate, peer.UpRate, peer.IsChoking, peer.IsInterested, peer.IsIncoming, peer.Pending);

    private static string? Text(long? id) => id?.ToString(CultureInfo.InvariantCulture);
}
