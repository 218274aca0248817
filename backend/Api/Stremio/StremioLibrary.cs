using System.Globalization;
using NzbDav.Api.Native.Files;
using NzbDav.Api.Native.Play;
using NzbDav.Catalog.Browsing;
using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Tree;
using NzbDav.Library.Media;

namespace NzbDav.Api.Stremio;

/// <summary>The library as Stremio shows it: films and series by the names of their releases. Thread-safe.</summary>
internal sealed class StremioLibrary(TreeBrowser browser, JobFiles jobFiles, JobList jobs, FileFinder finder)
{
    /// <summary>Prefix of the ids of what is in the library: <c>nzbdav:film:FOLDER</c>, <c>nzbdav:series:TITLE</c>.</summary>
    public const string Prefix = "nzbdav:";

    /// <summary>Entries of one page of a catalogue, as Stremio expects them.</summary>
    private const int PageSize = 100;

    /// <summary>Most jobs that are looked at for a page; a series has many.</summary>
    private const int MostJobs = 3_000;

    /// <summary>Most hits of a search that are looked at.</summary>
    private const int MostHits = 200;

    /// <summary>Most episodes that are listed of one series.</summary>
    private const int MostEpisodes = 2_000;

    private static readonly JobFilter Shown = new() { Standings = [JobStatus.Completed] };

    /// <summary>A page of the catalogue, the latest first, or of what is found by words.</summary>
    public async Task<List<StremioMeta>> ListAsync(bool series, string? search, int skip, CancellationToken cancellationToken)
    {
        var found = new List<StremioMeta>();
        var seen = new HashSet<string>(StringComparer.Ordinal);
        var looked = 0;
        await foreach (var (folder, name) in FoldersAsync(search, cancellationToken))
        {
            if (looked++ == MostJobs || found.Count == skip + PageSize)
                break;
            if (MetaOf(folder, name) is { } meta && (meta.Type == StremioMeta.Series) == series && seen.Add(meta.Id))
                found.Add(meta);
        }

        return [.. found.Skip(skip)];
    }

    /// <summary>The entry of an id, with the episodes of a series; null: there is none.</summary>
    public async Task<StremioMeta?> FindAsync(string id, CancellationToken cancellationToken)
    {
        if (FolderOf(id) is { } folder)
            return await FindFolderAsync(folder, cancellationToken) is { } item ? MetaOf(folder, item.Name) : null;
        if (SeriesOf(id) is not { } title)
            return null;
        var videos = new SortedDictionary<(int, int), StremioVideo>();
        var name = default(string);
        await foreach (var (file, read, shown) in EpisodesAsync(title, cancellationToken))
        {
            name ??= shown;
            var (season, first) = (read.Season, read.First);
            videos.TryAdd((season, first), new StremioVideo(
                string.Create(CultureInfo.InvariantCulture, $"{id}:{season}:{first}"), Path.GetFileNameWithoutExtension(file.Name), season,
                first, file.Created));
        }

        return videos.Count == 0 ? null : new StremioMeta(id, StremioMeta.Series, name!) { Videos = [.. videos.Values] };
    }

    /// <summary>The files of an entry that play, the largest first.</summary>
    /// <param name="id">The id of a film, or of an episode: <c>nzbdav:series:TITLE:1:2</c>.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    public async Task<IReadOnlyList<CatalogItem>> FilesAsync(string id, CancellationToken cancellationToken)
    {
        if (FolderOf(id) is { } folder)
            return await LargestAsync(folder, cancellationToken) is { } film ? [film] : [];
        if (id.Split(':') is not [.. var head, var season, var episode] || SeriesOf(string.Join(':', head)) is not { } title
            || !int.TryParse(season, CultureInfo.InvariantCulture, out var wantedSeason)
            || !int.TryParse(episode, CultureInfo.InvariantCulture, out var wanted))
            return [];
        var files = new List<CatalogItem>();
        await foreach (var (file, read, _) in EpisodesAsync(title, cancellationToken))
        {
            if (read.Has(wantedSeason, wanted))
                files.Add(file);
        }

        return [.. files.OrderByDescending(static file => file.Size)];
    }

    /// <summary>The files of a film or episode that are there under its title, the largest first.</summary>
    public async Task<IReadOnlyList<CatalogItem>> FindAsync(
        KnownTitle title, bool isSeries, int? season, int? episode, CancellationToken cancellationToken)
    {
        var files = new List<CatalogItem>();
        if (isSeries)
        {
            await foreach (var (file, read, _) in EpisodesAsync(title.Name, cancellationToken))
            {
                // Without a season it is an entry of Kitsu, which has one of its own for each: those after the first have other titles.
                if (read.Has(season ?? 1, episode))
                    files.Add(file);
            }

            if (season is null)
                files.AddRange(await FindAbsoluteAsync(title.Name, episode, cancellationToken));
        }
        else
        {
            await foreach (var (folder, name) in FoldersAsync(title.Name, cancellationToken))
            {
                if (ReleaseName.Find(name) is { Episode: null, IsSeason: false } read && ReleaseName.AreSame(read.Title, title.Name)
                    && (title.Year is not { } year || read.Year is not { } other || Math.Abs(year - other) <= 1)
                    && await LargestAsync(folder, cancellationToken) is { } film)
                    files.Add(film);
            }
        }

        return [.. files.DistinctBy(static file => file.Id).OrderByDescending(static file => file.Size)];
    }

    private static StremioMeta? MetaOf(long folder, string name)
    {
        if (ReleaseName.Find(name) is not { Title.Length: > 0 } read)
            return new StremioMeta($"{Prefix}film:{FileFinder.IdOf(folder)}", StremioMeta.Movie, name);
        return read is { Episode: null, IsSeason: false }
            ? new StremioMeta($"{Prefix}film:{FileFinder.IdOf(folder)}", StremioMeta.Movie, read.Title)
            { ReleaseInfo = read.Year?.ToString(CultureInfo.InvariantCulture), Description = name }
            : new StremioMeta($"{Prefix}series:{Uri.EscapeDataString(read.Title.ToLowerInvariant())}", StremioMeta.Series, read.Title);
    }

    private static long? FolderOf(string id) => id.StartsWith(Prefix + "film:", StringComparison.Ordinal)
        && long.TryParse(id.AsSpan(Prefix.Length + 5), NumberStyles.None, CultureInfo.InvariantCulture, out var folder) ? folder : null;

    private static string? SeriesOf(string id) => id.StartsWith(Prefix + "series:", StringComparison.Ordinal)
        ? Uri.UnescapeDataString(id[(Prefix.Length + 7)..]) : null;

    /// <summary>The folders of jobs: the latest first, or those whose names have all words.</summary>
    private async IAsyncEnumerable<(long Folder, string Name)> FoldersAsync(
        string? search, [System.Runtime.CompilerServices.EnumeratorCancellation] CancellationToken cancellationToken)
    {
        if (search is not null)
        {
            // A folder of a job lies in that of its category.
            var page = await browser.SearchAsync(Words(search), CatalogItemKind.Collection, 0, MostHits, cancellationToken);
            var paths = await browser.PathsAsync([.. page.Items.Select(static item => item.Id)], cancellationToken);
            foreach (var item in page.Items.Where(item => paths.TryGetValue(item.Id, out var steps) && steps.Count == 3))
                yield return (item.Id, item.Name);
            yield break;
        }

        await foreach (var job in jobs.EachAsync(Shown, newestFirst: true, cancellationToken))
        {
            if (job.ItemId is { } folder)
                yield return (folder, job.Name);
        }
    }

    /// <summary>The episodes of a series that play, by the names of files, or of the folders of their jobs.</summary>
    private async IAsyncEnumerable<(CatalogItem File, EpisodeNumbers Numbers, string Title)> EpisodesAsync(
        string title, [System.Runtime.CompilerServices.EnumeratorCancellation] CancellationToken cancellationToken)
    {
        var seen = new HashSet<long>();
        var files = await browser.SearchAsync(Words(title), CatalogItemKind.File, 0, MostEpisodes, cancellationToken);
        foreach (var file in files.Items)
        {
            if (FileFinder.IsPlayable(file) && ReleaseName.Find(file.Name) is { Episode: { } numbers } read
                && ReleaseName.AreSame(read.Title, title) && seen.Add(file.Id))
                yield return (file, numbers, read.Title);
        }

        await foreach (var (folder, name) in FoldersAsync(title, cancellationToken))
        {
            if (ReleaseName.Find(name) is { Episode: { } numbers } read && ReleaseName.AreSame(read.Title, title)
                && await LargestAsync(folder, cancellationToken) is { } file && seen.Add(file.Id))
                yield return (file, numbers, read.Title);
        }
    }

    /// <summary>The files of an episode whose names tell no season.</summary>
    private async Task<IEnumerable<CatalogItem>> FindAbsoluteAsync(string title, int? episode, CancellationToken cancellationToken)
    {
        var files = await browser.SearchAsync(Words(title), CatalogItemKind.File, 0, MostEpisodes, cancellationToken);
        return files.Items.Where(file => FileFinder.IsPlayable(file) && EpisodeNumbers.Find(file.Name) is null
            && ReleaseName.FindAbsolute(Path.GetFileNameWithoutExtension(file.Name), out var number) is { } name && number == episode
            && ReleaseName.AreSame(name, title));
    }

    private async Task<CatalogItem?> LargestAsync(long folder, CancellationToken cancellationToken) =>
        await FindFolderAsync(folder, cancellationToken) is null ? null
            : PlayAnswers.Choose(await jobFiles.ListAsync(folder, cancellationToken), new PlayOrderBody());

    /// <summary>The folder of a job: one in that of a category.</summary>
    private async Task<CatalogItem?> FindFolderAsync(long id, CancellationToken cancellationToken) =>
        await finder.FindAsync(FileFinder.IdOf(id), cancellationToken) is { Item: { IsCollection: true } item, Steps.Count: 3 }
            ? item : null;

    /// <summary>A title as words that names have: without what stands between them.</summary>
    private static string Words(string title) =>
        string.Join(' ', new string([.. title.Select(static c => char.IsLetterOrDigit(c) ? c : ' ')])
            .Split(' ', StringSplitOptions.RemoveEmptyEntries));
}
