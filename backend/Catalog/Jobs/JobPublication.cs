using NzbDav.Catalog.Blobs;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Tree;

namespace NzbDav.Catalog.Jobs;

/// <summary>The result of a job, ready to be published.</summary>
public sealed record JobPublication
{
    /// <summary>Name of the job's collection, safe for clients; null: the job's name. A number is added if it is taken.</summary>
    public string? Name { get; init; }

    /// <summary>How long the previous steps took.</summary>
    public IReadOnlyList<StepTiming> Timings { get; init; } = [];

    /// <summary>The files; no two have the same path, and none lies below another.</summary>
    public required IReadOnlyList<PublishedFile> Files { get; init; }
}

/// <summary>A validated publication, with its collections in the order in which to create them.</summary>
internal sealed class PublicationPlan
{
    private PublicationPlan(IReadOnlyList<IReadOnlyList<string>> collections, IReadOnlyList<PublishedFile> files)
    {
        Collections = collections;
        Files = files;
    }

    /// <summary>Paths below the job's collection, parents first.</summary>
    public IReadOnlyList<IReadOnlyList<string>> Collections { get; }

    public IReadOnlyList<PublishedFile> Files { get; }

    /// <summary>Each blob as often as it was put: a large map for each file, a .torrent once for all of its files.</summary>
    public IEnumerable<BlobHash> PutBlobs =>
        Files.Where(file => file.Torrent is null && file.ExtentMap.IsBlob).Select(file => file.ExtentMap.Hash)
            .Concat(Files.Where(file => file.Torrent is not null).Select(file => file.ExtentMap.Hash).Distinct());

    /// <summary>The key of a path; names contain no '/'.</summary>
    public static string Key(IEnumerable<string> path) => string.Join('/', path);

    /// <exception cref="ArgumentException">A name is not valid, or two items would share a path.</exception>
    public static PublicationPlan Of(JobPublication publication)
    {
        ArgumentNullException.ThrowIfNull(publication);
        if (publication.Name is not null)
            CatalogNames.ThrowIfInvalid(publication.Name, nameof(publication));
        var collections = new List<IReadOnlyList<string>>();
        var collectionKeys = new HashSet<string>(StringComparer.Ordinal);
        var fileKeys = new HashSet<string>(StringComparer.Ordinal);
        foreach (var file in publication.Files)
        {
            if (file.Path.Count == 0 || file.Size < 0)
                throw new ArgumentException("A file needs a path and a size.", nameof(publication));
            foreach (var name in file.Path)
                CatalogNames.ThrowIfInvalid(name, nameof(publication));
            for (var depth = 1; depth < file.Path.Count; depth++)
            {
                var above = file.Path.Take(depth).ToArray();
                if (collectionKeys.Add(Key(above)))
                    collections.Add(above);
            }

            if (!fileKeys.Add(Key(file.Path)))
                throw new ArgumentException($"Two files are called '{Key(file.Path)}'.", nameof(publication));
        }

        fileKeys.IntersectWith(collectionKeys);
        return fileKeys.Count == 0
            ? new PublicationPlan(collections, publication.Files)
            : throw new ArgumentException($"'{fileKeys.First()}' is both a file and a collection.", nameof(publication));
    }
}
