using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.HttpResults;
using NzbDav.Access.Replies;
using NzbDav.Catalog.Browsing;
using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Links;
using NzbDav.Catalog.Settings;
using NzbDav.Catalog.Tree;
using NzbDav.Library;
using NzbDav.Library.Items;
using NzbDav.Library.Posts;
using NzbDav.Library.Subtitles;
using NzbDav.WebDav.Store;

namespace NzbDav.Api.Native.Files;

/// <summary>Collects the details of one item.</summary>
internal sealed class FileInspection(
    FileFinder finder, TreeBrowser browser, TreeStore tree, JobStore jobs, UnwantedItems unwanted, FileLayouts layouts,
    Live<LibraryOptions> options)
{
    /// <summary>Path of WebDAV, below the URL base.</summary>
    private const string DavMount = "/dav";

    /// <summary>Most posted files and holes that are listed.</summary>
    private const int MostParts = 1_000;

    /// <summary>Most files of a collection that are searched for neighbours and subtitles.</summary>
    private const int MostSiblings = 5_000;

    public async Task<Results<Ok<FileDetailsBody>, NotFound<ErrorBody>>> GetAsync(
        HttpContext http, string id, CancellationToken cancellationToken)
    {
        if (await finder.FindAsync(id, cancellationToken) is not { } found)
            return TypedResults.NotFound(new ErrorBody("There is no such file."));
        var (item, path) = (found.Item, found.Path);
        var layout = await layouts.ReadWithGoneAsync(item, cancellationToken);
        var job = item.JobId is { } jobId ? await jobs.GetAsync(jobId, cancellationToken) : null;
        var links = await browser.LinksAsync(item.Id, cancellationToken);
        var (previous, next, subtitles) = item.IsCollection ? (null, null, []) : await SiblingsAsync(item, path, cancellationToken);
        var root = http.Request.PathBase.ToUriComponent() + DavMount;
        var davPath = root + PathOf(found.Names);
        var body = FileFinder.BodyOf(found);
        return TypedResults.Ok(new FileDetailsBody
        {
            Id = body.Id,
            ParentId = body.ParentId,
            Name = body.Name,
            Path = body.Path,
            Kind = body.Kind,
            Size = body.Size,
            Created = body.Created,
            Modified = body.Modified,
            ContentType = body.ContentType,
            JobId = body.JobId,
            Playable = body.Playable,
            Origin = item.IsCollection ? null : item.Torrent is null ? FileOrigin.Usenet : FileOrigin.Torrent,
            Encrypted = item.Encryption?.Spans.Any(span => span.IsEncrypted) ?? false,
            InfoHash = item.Torrent?.InfoHash,
            Posted = [.. layout.Parts.Take(MostParts)
                .Select((part, index) => new PostedFileBody(
                    index, part.Name, part.Bytes.Start, part.Bytes.Length, part.Articles, part.Missing))],
            PostedTotal = layout.Parts.Count,
            Articles = layout.Articles,
            Holes = [.. layout.Holes.Take(MostParts)
                .Select(hole => new FileHoleBody(hole.Bytes.Start, hole.Bytes.Length, hole.Reason, hole.Kind, hole.Since))],
            Job = job is null ? null : new FileJobBody(FileFinder.IdOf(job.Id), job.Name),
            Links = new FileLinksBody(links.LinkRead, links.Holder, links.Lost, links.Hidden),
            DavPath = davPath,
            StablePath = item.IsCollection ? davPath : root + LibraryStore.StablePath(item.Id),
            RclonePath = options.Value.MountPath + path,
            Subtitles = subtitles,
            Previous = previous,
            Next = next,
        });
    }

    /// <summary>Builds the percent-encoded path from names.</summary>
    internal static string PathOf(IEnumerable<string> names) =>
        names.Aggregate(StorePath.Root, (path, name) => path.Child(name)).ToString();

    private async Task<(FileItemBody? Previous, FileItemBody? Next, IReadOnlyList<FileSubtitleBody> Subtitles)> SiblingsAsync(
        CatalogItem item, string path, CancellationToken cancellationToken)
    {
        var files = await tree.ListAsync(item.ParentId!.Value, after: null, cancellationToken)
            .Where(sibling => !sibling.IsCollection && !unwanted.IsHidden(sibling.Id)).Take(MostSiblings).ToListAsync(cancellationToken);
        if (!FileFinder.IsPlayable(item))
            return (null, null, []);
        var above = path[..(path.LastIndexOf('/') + 1)];
        var playable = files.Where(FileFinder.IsPlayable).OrderBy(file => file.Name, NaturalOrder.Instance).ToList();
        var at = playable.FindIndex(file => file.Id == item.Id);
        var isOnly = playable.Count(file => FileFinder.TypeOf(file)!.StartsWith("video/", StringComparison.Ordinal)) == 1;
        var subtitles = files
            .Select(file => (file, match: SubtitleNames.Match(item.Name, file.Name, isOnly)))
            .Where(pair => pair.match is not null)
            .OrderBy(pair => pair.file.Name, NaturalOrder.Instance)
            .Select(pair => new FileSubtitleBody(FileFinder.IdOf(pair.file.Id), pair.file.Name, pair.match!.Language));
        return (Neighbour(at - 1), Neighbour(at < 0 ? -1 : at + 1), [.. subtitles]);

        FileItemBody? Neighbour(int index) =>
            index >= 0 && index < playable.Count ? FileFinder.BodyOf(playable[index], above + playable[index].Name) : null;
    }
}
