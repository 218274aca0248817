using NzbDav.Catalog.Blobs;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Tree;

namespace NzbDav.Catalog.Jobs;

/// <summary>What a job turned out to be.</summary>
public sealed record JobPublication
{
    /// <summary>Name of the job's collection, made safe; null: the job's name. If it is taken, a number is added.</summary>
    public string? Name { get; init; }

    /// <summary>How long the steps before took.</summary>
    public IReadOnlyList<StepTiming> Timings { get; init; } = [];

    /// <summary>The files, no two with the same path, none below another.</summary>
    public required IReadOnlyList<PublishedFile> Files { get; init; }
}

/// <summary>A validated publication, with its collections in the order in which they can be made.</summary>
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

    /// <summary>The blobs as often as they were put: a large map for each file, a .torrent once for all of its files.</summary>
    public IEnumerable<BlobHash> PutBlobs =>
        Files.Where(file => file.Torrent is null && file.ExtentMap.IsBlob).Select(file => file.ExtentMap.Hash)
            .Concat(Files.Where(file => file.Torrent is not null).Select(file => file.ExtentMap.Hash).Distinct());

    /// <summary>The key of a path: names hold no '/'.</summary>
    public static string Key(IEnumerable<string> path) => string.Join('/', path);

    /// <exception cref="ArgumentException">A name cannot be one, or two items would share a path.</exception>
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
