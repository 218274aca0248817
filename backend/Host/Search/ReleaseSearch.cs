using System.Security.Cryptography;
using NzbDav.Api.Native.Play;
using NzbDav.Arr.Client;
using NzbDav.Arr.Indexers;
using NzbDav.Arr.Resources;
using NzbDav.Content.Dialling;
using NzbDav.Host.Arrs;
using NzbDav.Host.Settings;
using NzbDav.Library.Media;

namespace NzbDav.Host.Search;

/// <summary>
/// Searches all configured indexers at once: each Prowlarr among the programs, and each indexer of its own. What was found is remembered
/// for a while, so that the addresses with the indexers' keys stay here. Thread-safe.
/// </summary>
internal sealed class ReleaseSearch : IReleaseSearch, IDisposable
{
    /// <summary>How long a release can be played after it was found.</summary>
    private static readonly TimeSpan Remembered = TimeSpan.FromHours(2);

    /// <summary>Most releases that are remembered; the oldest go first. One has some 500 bytes.</summary>
    private const int MostRemembered = 20_000;

    /// <summary>Most copies of a release that are tried.</summary>
    private const int MostCopies = 5;

    private readonly ArrInstances _arrs;
    private readonly SettingsBook _book;
    private readonly TimeProvider _time;
    private readonly Lock _gate = new();
    private readonly Dictionary<string, Found> _found = new(StringComparer.Ordinal);
    private readonly Dictionary<string, string> _ids = new(StringComparer.Ordinal);
    private readonly Queue<string> _order = new();
    private NewznabClient[] _indexers = [];
    private SearchOptions _options = new();

    public ReleaseSearch(ArrInstances arrs, SettingsBook book, TimeProvider time)
    {
        (_arrs, _book, _time) = (arrs, book, time);
        Apply(book.Current);
        book.Changed += Apply;
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _book.Changed -= Apply;
        foreach (var indexer in _indexers)
            indexer.Dispose();
    }

    /// <inheritdoc/>
    public SearchOptions Options => Volatile.Read(ref _options);

    /// <inheritdoc/>
    public async Task<ReleaseList> SearchAsync(ReleaseWish wish, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(wish);
        var query = new ReleaseQuery
        {
            Text = wish.Text,
            Kind = wish.Kind switch
            {
                WishKind.Movie => ReleaseKind.Movie,
                WishKind.Series => ReleaseKind.Series,
                _ => ReleaseKind.Any,
            },
            Season = wish.Season,
            Episode = wish.Episode,
            ImdbId = wish.ImdbId,
            TvdbId = wish.TvdbId,
            TmdbId = wish.TmdbId,
        };
        using var late = new CancellationTokenSource(wish.Patience, _time);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, late.Token);
        var searches = Volatile.Read(ref _indexers)
            .Select(indexer => (indexer.Options.Name, indexer.FindReleasesAsync(query, either.Token)))
            .Concat(_arrs.All.Where(static one => one.Settings.Options.Application == ArrApplication.Prowlarr)
                .Select(one => (one.Settings.Name, one.Client.FindReleasesAsync(query, either.Token)))).ToList();
        var releases = new List<Release>();
        var faults = new List<(string Indexer, string Error)>();
        foreach (var (name, search) in searches)
        {
            try
            {
                var result = await search;
                if (result.Succeeded)
                    releases.AddRange(result.Value);
                else
                    faults.Add((name, result.Error.Message));
            }
            catch (OperationCanceledException) when (!cancellationToken.IsCancellationRequested)
            {
                faults.Add((name, $"{name}: no answer within {wish.Patience.TotalSeconds:0} s."));
            }
            catch (ObjectDisposedException)
            {
                faults.Add((name, $"{name}: its settings have changed meanwhile."));
            }
        }

        // Several indexers may list one address, and Prowlarr those that are configured here too.
        var distinct = releases.DistinctBy(static release => release.InfoHash ?? release.Link, StringComparer.Ordinal).ToList();
        return new ReleaseList(searches.Count, Remember(distinct), faults);
    }

    /// <inheritdoc/>
    public IReadOnlyList<FoundRelease>? Find(string id)
    {
        lock (_gate)
        {
            if (!_found.TryGetValue(id, out var found) || found.Until < _time.GetUtcNow())
                return null;
            return [Of(found.Release), .. found.Copies.Where(copy => copy != found.Release).Take(MostCopies - 1).Select(Of)];
        }

        static FoundRelease Of(Release release) => new(release.Title, release.Indexer, release.Link);
    }

    private List<ReleaseRow> Remember(List<Release> releases)
    {
        var rows = new List<ReleaseRow>();
        var until = _time.GetUtcNow() + Remembered;
        lock (_gate)
        {
            foreach (var copies in releases.GroupBy(static release => ReleaseName.KeyOf(release.Title), StringComparer.Ordinal))
            {
                // Of posts the youngest has the best chance, of torrents that with the most seeders.
                Release[] ordered =
                [
                    .. copies.OrderBy(static one => one.IsTorrent).ThenBy(static one => one.HasPassword)
                        .ThenByDescending(static one => one.Seeders ?? 0).ThenByDescending(static one => one.Posted),
                ];
                foreach (var release in ordered)
                {
                    if (!_ids.TryGetValue(release.Link, out var id))
                    {
                        id = Convert.ToHexStringLower(RandomNumberGenerator.GetBytes(12));
                        _ids[release.Link] = id;
                        _order.Enqueue(id);
                    }

                    _found[id] = new Found(release, ordered, until);
                    rows.Add(new ReleaseRow(
                        id, release.Title, release.Indexer, release.IsTorrent, release.Size, release.Posted, release.Grabs,
                        release.Seeders, release.HasPassword, ordered.Length));
                }
            }

            while (_order.Count > MostRemembered && _found.Remove(_order.Dequeue(), out var oldest))
                _ids.Remove(oldest.Release.Link);
        }

        return rows;
    }

    private void Apply(NzbDavSettings settings)
    {
        Volatile.Write(ref _options, settings.Search);
        var before = _indexers;
        var wanted = settings.Indexers.Select(options => options with { UserAgent = settings.Api.UserAgent }).ToArray();
        if (before.Select(static indexer => indexer.Options).SequenceEqual(wanted))
            return;
        Volatile.Write(ref _indexers, [.. wanted.Select(options => new NewznabClient(options, _time, Dialler.Shared.ConnectAsync))]);
        foreach (var indexer in before)
            indexer.Dispose();
    }

    /// <param name="Release">The release.</param>
    /// <param name="Copies">All of its name, itself among them, the best first.</param>
    /// <param name="Until">When it is forgotten.</param>
    private sealed record Found(Release Release, Release[] Copies, DateTimeOffset Until);
}
