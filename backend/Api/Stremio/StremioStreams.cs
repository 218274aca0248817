using System.Globalization;
using Microsoft.AspNetCore.Http;
using NzbDav.Api.Native.Files;
using NzbDav.Api.Native.Play;
using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Tree;
using NzbDav.Library.Media;

namespace NzbDav.Api.Stremio;

/// <summary>An id of Stremio: <c>tt0137523</c>, <c>tt0903747:1:2</c>, <c>tvdb:81189:1:2</c>, <c>kitsu:7442:5</c>.</summary>
/// <param name="Source">One of the constants.</param>
/// <param name="Number">The digits.</param>
/// <param name="Season">The season; null: none is named.</param>
/// <param name="Episode">The episode; null: none is named.</param>
internal sealed record StremioId(string Source, string Number, int? Season, int? Episode)
{
    public const string Imdb = "tt";
    public const string Tvdb = "tvdb";
    public const string Tmdb = "tmdb";
    public const string Kitsu = "kitsu";

    /// <summary>Reads an id; null: it is of another kind, or malformed.</summary>
    public static StremioId? Read(string text)
    {
        var parts = text.Split(':');
        if (parts[0].StartsWith(Imdb, StringComparison.Ordinal))
            parts = [Imdb, parts[0][Imdb.Length..], .. parts[1..]];
        if (parts is not [Imdb or Tvdb or Tmdb or Kitsu, var number, .. { Length: <= 2 } rest] || number.Length is 0 or > 9
            || !number.All(char.IsAsciiDigit))
            return null;
        var numbers = new int[rest.Length];
        for (var i = 0; i < rest.Length; i++)
        {
            if (!int.TryParse(rest[i], NumberStyles.None, CultureInfo.InvariantCulture, out numbers[i]))
                return null;
        }

        // Kitsu has an entry per season, and counts episodes alone.
        return numbers switch
        {
            [] => new StremioId(parts[0], number, Season: null, Episode: null),
            [var episode] => new StremioId(parts[0], number, Season: null, episode),
            [var season, var episode, ..] => new StremioId(parts[0], number, season, episode),
        };
    }
}

/// <summary>What plays under an id of Stremio: from the library, and from the indexers. Thread-safe.</summary>
internal sealed class StremioStreams(
    IReleaseSearch search, ReleaseChecks checks, StremioTitles titles, StremioLibrary library, PlayRequests requests, PlayAnswers answers,
    PlayLinks links, FileFinder finder, JobList jobs)
{
    /// <summary>Most streams of one answer: nobody scrolls further on a television.</summary>
    private const int Most = 50;

    /// <summary>How long indexers may take: people wait before a television.</summary>
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(12);

    /// <summary>The streams of an id.</summary>
    /// <param name="http">The request.</param>
    /// <param name="type">Its type: <c>movie</c>, <c>series</c>, <c>anime</c>.</param>
    /// <param name="id">Its id.</param>
    /// <param name="isDirect">True: files of the library get addresses that need no redirect, and end after a time.</param>
    public async Task<StremioStreamsBody> FindAsync(HttpContext http, string type, string id, bool isDirect)
    {
        var aborted = http.RequestAborted;
        var streams = new List<StremioStream>();
        if (id.StartsWith(StremioLibrary.Prefix, StringComparison.Ordinal))
        {
            foreach (var file in (await library.FilesAsync(id, aborted)).Take(Most))
                streams.Add(await OfFileAsync(http, file, isDirect));
        }
        else if (StremioId.Read(id) is { } known)
        {
            var isSeries = known.Episode is not null || type == StremioMeta.Series;
            var title = await titles.FindAsync(known, isSeries, aborted);
            var searching = WishOf(known, isSeries, title) is { } wish
                ? search.SearchAsync(wish with { Patience = Patience }, aborted) : null;
            if (title is not null)
            {
                foreach (var file in (await library.FindAsync(title, isSeries, known.Season, known.Episode, aborted)).Take(Most / 2))
                    streams.Add(await OfFileAsync(http, file, isDirect));
            }

            if (searching is not null)
            {
                var found = await searching;
                var rows = await checks.CheckAsync(found.Rows, search.Options.Checks, aborted);

                // One of each name: the others are its further copies, which are tried by themselves.
                streams.AddRange(rows.Where(static row => row.State != ReleaseState.Dead)
                    .DistinctBy(static row => (row.Torrent, ReleaseName.KeyOf(row.Title)))
                    .OrderByDescending(static row => row.State == ReleaseState.Sound).Take(Most - streams.Count)
                    .Select(row => OfRelease(http, row, known)));
            }
        }

        return new StremioStreamsBody(streams);
    }

    /// <summary>Plays a release: answers with where it is.</summary>
    /// <param name="http">The request.</param>
    /// <param name="release">The id that a search gave it.</param>
    /// <param name="title">Its title: Stremio goes on with an address days later, when the search is forgotten and the job is not.</param>
    /// <param name="season">The season of the episode; null: any.</param>
    /// <param name="episode">The episode; null: the largest video plays.</param>
    public async Task<(string? Path, PlayFailure? Failure)> PlayAsync(
        HttpContext http, string release, string title, int? season, int? episode)
    {
        PlayOutcome outcome;
        if (requests.Find(release, category: null, password: null, mayChange: false) is { } order)
        {
            var arrival = await requests.BeginAsync(order, http.RequestAborted);
            outcome = await arrival.Outcome.WaitAsync(http.RequestAborted);
        }
        else if (await FindJobAsync(title, http.RequestAborted) is { } job)
        {
            outcome = new PlayOutcome(job, null);
        }
        else
        {
            return (null, new PlayFailure(
                PlayFailure.NoSuchFile, "This search has expired: open the list of streams again.",
                MayPass: false));
        }

        var (answer, failure) = await answers.OfAsync(http, outcome, new PlayOrderBody(Season: season, Episode: episode));
        return (answer?.Path, failure);
    }

    /// <summary>Where a file of the library plays; null: there is no such file.</summary>
    public async Task<string?> PlayFileAsync(HttpContext http, string id) =>
        await finder.FindAsync(id, http.RequestAborted) is { Item.IsCollection: false } found
            ? (await links.LinkAsync(http, found, hours: null, seconds: null, http.RequestAborted)).Path : null;

    private async Task<CatalogJob?> FindJobAsync(string title, CancellationToken cancellationToken)
    {
        var filter = new JobFilter { Name = title, Categories = [PlayRequests.Category], Standings = [JobStatus.Completed] };
        await foreach (var job in jobs.EachAsync(filter, newestFirst: true, cancellationToken))
        {
            if (job.ItemId is not null)
                return job;
        }

        return null;
    }

    private static ReleaseWish? WishOf(StremioId id, bool isSeries, KnownTitle? title)
    {
        if (id.Source == StremioId.Kitsu)
        {
            // Releases of anime count episodes alone: Show 05.
            return title is null ? null : new ReleaseWish
            {
                Text = id.Episode is { } number ? string.Create(CultureInfo.InvariantCulture, $"{title.Name} {number:00}") : title.Name,
            };
        }

        var digits = int.Parse(id.Number, CultureInfo.InvariantCulture);
        return new ReleaseWish
        {
            Kind = isSeries ? WishKind.Series : WishKind.Movie,
            Text = title is null ? null
                : isSeries || title.Year is not { } year ? title.Name : string.Create(CultureInfo.InvariantCulture, $"{title.Name} {year}"),
            ImdbId = id.Source == StremioId.Imdb ? id.Number : null,
            TvdbId = id.Source == StremioId.Tvdb ? digits : null,
            TmdbId = id.Source == StremioId.Tmdb ? digits : null,
            Season = id.Season,
            Episode = id.Episode,
        };
    }

    private async Task<StremioStream> OfFileAsync(HttpContext http, CatalogItem file, bool isDirect)
    {
        var id = FileFinder.IdOf(file.Id);
        var path = isDirect ? await PlayFileAsync(http, id) : null;
        return new StremioStream(
            "NzbDav\nlibrary", $"{file.Name}\n{SizeOf(file.Size)}",
            path is null ? StremioEndpoints.AddressOf(http, $"file/{id}/{Uri.EscapeDataString(file.Name)}")
                : StremioEndpoints.RootOf(http) + path,
            new StremioHints(file.Name, file.Size, "nzbdav-library"));
    }

    private static StremioStream OfRelease(HttpContext http, ReleaseBody row, StremioId id)
    {
        var query = id.Episode is { } episode
            ? string.Create(CultureInfo.InvariantCulture, $"?episode={episode}{(id.Season is { } season ? $"&season={season}" : "")}") : "";
        var facts = new List<string>();
        if (row.Size is { } size)
            facts.Add(SizeOf(size));
        facts.Add(row.Indexer);
        if (row.Torrent)
            facts.Add(row.Seeders is { } seeders ? string.Create(CultureInfo.InvariantCulture, $"torrent, {seeders} seeders") : "torrent");
        if (row.Copies > 1)
            facts.Add(string.Create(CultureInfo.InvariantCulture, $"{row.Copies} copies"));
        var quality = QualityOf(row.Title);
        return new StremioStream(
            $"NzbDav{(row.State == ReleaseState.Sound ? " ✓" : "")}\n{quality ?? (row.Torrent ? "torrent" : "Usenet")}",
            $"{row.Title}\n{string.Join(" · ", facts)}",
            StremioEndpoints.AddressOf(http, $"play/{row.Id}/{Uri.EscapeDataString(row.Title)}.mkv{query}"),
            new StremioHints(null, row.Size, $"nzbdav-{quality ?? "other"}"));
    }

    private static string? QualityOf(string title) =>
        Array.Find(["2160p", "1080p", "720p", "576p", "480p"], quality => title.Contains(quality, StringComparison.OrdinalIgnoreCase));

    private static string SizeOf(long bytes) => bytes >= 1_000_000_000
        ? string.Create(CultureInfo.InvariantCulture, $"{bytes / 1e9:0.0} GB")
        : string.Create(CultureInfo.InvariantCulture, $"{bytes / 1e6:0} MB");
}
