using NzbDav.Catalog.Blobs;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Maps;
using NzbDav.Catalog.Tree;
using NzbDav.Content;
using NzbDav.Usenet;
using NzbDav.Usenet.Articles;
using NzbDav.Usenet.Nzb;

namespace NzbDav.Library.Posts;

/// <summary>
/// Shows where files were posted: places from their maps, names of the posted files from the .nzb. Caches the last few. Thread-safe.
/// </summary>
/// <param name="maps">The files' maps.</param>
/// <param name="jobs">The jobs that published them.</param>
/// <param name="blobs">Stores their .nzb files.</param>
/// <param name="gone">The articles that readers found missing.</param>
/// <param name="repairer">Describes the state of repairs; null: nothing is repaired.</param>
/// <param name="usenet">Knows which articles a repair reconstructed; null: none.</param>
public sealed class FileLayouts(
    ExtentMapStore maps, JobStore jobs, BlobStore blobs, GoneArticles gone, IPostRepairer? repairer = null, UsenetClient? usenet = null)
{
    /// <summary>Largest .nzb that is read, in bytes. A larger one takes more than a second, and would only contribute names.</summary>
    internal const long LargestNzb = 32L << 20;

    private const int MostKept = 64;

    private readonly Lock _gate = new();
    private readonly LinkedList<(long Item, BlobHash Map, FileLayout Layout)> _kept = new();

    /// <summary>Where a file was posted; <see cref="FileLayout.None"/> for a collection and for a torrent's file.</summary>
    /// <exception cref="CatalogException">Its map cannot be read.</exception>
    public async ValueTask<FileLayout> ReadAsync(CatalogItem item, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(item);
        if (item.ExtentMap is not { } hash || item.Torrent is not null)
            return FileLayout.None;
        lock (_gate)
        {
            for (var node = _kept.First; node is not null; node = node.Next)
            {
                if (node.Value.Item == item.Id && node.Value.Map == hash)
                    return node.Value.Layout;
            }
        }

        var map = (await maps.ReadAsync(hash, cancellationToken)).Map;
        var job = item.JobId is { } jobId ? await jobs.GetAsync(jobId, cancellationToken) : null;
        await using var nzb = job is { Nzb: { } source, Kind: JobKind.Nzb, NzbSize: <= LargestNzb }
            ? await TryOpenAsync(source, cancellationToken) : null;
        var layout = await Task.Run(() =>
            PostedParts.Of(map, nzb is null ? null : Names(nzb, cancellationToken), usenet is null ? null : usenet.HasPatch),
            cancellationToken);

        // Not cached: holes may be repaired at any time.
        if (layout.Holes.Count > 0)
            return layout;
        lock (_gate)
        {
            _kept.AddFirst((item.Id, hash, layout));
            if (_kept.Count > MostKept)
                _kept.RemoveLast();
        }

        return layout;
    }

    /// <summary>The same, plus the articles that readers found missing since the start as holes.</summary>
    /// <exception cref="CatalogException">Its map cannot be read.</exception>
    public async ValueTask<FileLayout> ReadWithGoneAsync(CatalogItem item, CancellationToken cancellationToken)
    {
        var layout = await ReadAsync(item, cancellationToken);
        if (gone.Count == 0 || layout.Articles == 0)
            return layout;
        var map = (await maps.ReadAsync(item.ExtentMap!.Value, cancellationToken)).Map;
        return await Task.Run(() => GoneHoles.AddTo(layout, map, gone, repairer?.DescribeState(item)), cancellationToken);
    }

    /// <summary>A stored .nzb; null if it is gone or cannot be read.</summary>
    private async ValueTask<Stream?> TryOpenAsync(BlobHash nzb, CancellationToken cancellationToken)
    {
        try
        {
            return await blobs.OpenReadAsync(nzb, cancellationToken);
        }
        catch (CatalogException)
        {
            return null;
        }
    }

    /// <summary>The posted file of each article; null if the .nzb cannot be read.</summary>
    private static Dictionary<string, NzbFile>? Names(Stream nzb, CancellationToken cancellationToken)
    {
        try
        {
            var read = NzbReader.Read(nzb, options: null, cancellationToken);
            if (read.Document is not { } document)
                return null;
            var files = new Dictionary<string, NzbFile>(StringComparer.Ordinal);
            foreach (var file in document.Files)
            {
                foreach (var segment in file.Segments)
                    files.TryAdd(segment.MessageId, file);
            }

            return files;
        }
        catch (CatalogException)
        {
            return null;
        }
    }
}

/// <summary>Where a file's bytes were posted. Immutable.</summary>
/// <param name="Parts">The posted files, in the order of their first use.</param>
/// <param name="Articles">Number of articles that hold the file's bytes.</param>
/// <param name="Holes">Ranges known to be missing, in order. Positions are in the file, or if it is encrypted, in its posted form.</param>
public sealed record FileLayout(IReadOnlyList<PostedPart> Parts, int Articles, IReadOnlyList<FileHole> Holes)
{
    /// <summary>The layout of a file that was not posted.</summary>
    public static FileLayout None { get; } = new([], 0, []);

    /// <summary>Describes an article for people: its number and the name of its posted file.</summary>
    /// <param name="segment">A segment of the file's map.</param>
    public string Describe(int segment)
    {
        var low = Parts.Count - 1;
        while (low > 0 && Parts[low].FirstSegment > segment)
            low--;
        return low < 0 ? FormattableString.Invariant($"article {segment + 1}")
            : Parts[low].Name is { } name ? FormattableString.Invariant($"article {segment - Parts[low].FirstSegment + 1} of {name}")
            : FormattableString.Invariant($"article {segment + 1} of {Articles}");
    }
}

/// <summary>A posted file, as far as it holds bytes of a file of the tree.</summary>
/// <param name="Name">Name under which it was posted; null: not known.</param>
/// <param name="Bytes">The file's bytes that it holds.</param>
/// <param name="FirstSegment">Index of the segment of the file's map that holds the first of them.</param>
/// <param name="Articles">Number of articles that hold them.</param>
/// <param name="Missing">How many of these are known to be missing.</param>
public sealed record PostedPart(string? Name, ByteSpan Bytes, int FirstSegment, int Articles, int Missing);

/// <summary>A range of a file that is known to be missing.</summary>
/// <param name="Bytes">Its place in the file.</param>
/// <param name="Reason">The reason, for people.</param>
/// <param name="Kind">The kind of reason.</param>
/// <param name="Since">When a reader first found it missing; null if the .nzb does not list it.</param>
public sealed record FileHole(
    ByteSpan Bytes, string Reason, FileHoleKind Kind = FileHoleKind.Unlisted, DateTimeOffset? Since = null);

/// <summary>Why bytes of a file are known to be missing.</summary>
public enum FileHoleKind
{
    /// <summary>The .nzb does not list their article.</summary>
    Unlisted,

    /// <summary>A reader requested their article, and no provider has it.</summary>
    Gone,
}
