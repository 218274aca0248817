using NzbDav.Catalog.Blobs;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Maps;
using NzbDav.Catalog.Tree;
using NzbDav.Usenet;
using NzbDav.Usenet.Articles;
using NzbDav.Usenet.Nzb;

namespace NzbDav.Library.Posts;

/// <summary>
/// Tells where files were posted: from their maps, and from the .nzb what the posted files were called. Keeps the last few. Thread-safe.
/// </summary>
/// <param name="maps">The files' maps.</param>
/// <param name="jobs">The jobs that published them.</param>
/// <param name="blobs">Their .nzb.</param>
/// <param name="gone">What readers found gone.</param>
/// <param name="mender">Tells how their repair stands; null: nothing is repaired.</param>
/// <param name="usenet">Tells which articles a repair restored; null: none.</param>
public sealed class FileLayouts(
    ExtentMapStore maps, JobStore jobs, BlobStore blobs, GoneArticles gone, IPostMender? mender = null, UsenetClient? usenet = null)
{
    /// <summary>A larger .nzb takes more than a second to read, and only names would come of it.</summary>
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
            PostedParts.Of(map, nzb is null ? null : Names(nzb, cancellationToken), usenet is null ? null : usenet.IsMade),
            cancellationToken);

        // Holes may be repaired at any time.
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

    /// <summary>The same, with what readers found gone since the start among the holes.</summary>
    /// <exception cref="CatalogException">Its map cannot be read.</exception>
    public async ValueTask<FileLayout> ReadWithGoneAsync(CatalogItem item, CancellationToken cancellationToken)
    {
        var layout = await ReadAsync(item, cancellationToken);
        if (gone.Count == 0 || layout.Articles == 0)
            return layout;
        var map = (await maps.ReadAsync(item.ExtentMap!.Value, cancellationToken)).Map;
        return await Task.Run(() => GoneHoles.AddTo(layout, map, gone, mender?.Tell(item)), cancellationToken);
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
/// <param name="Articles">Articles that hold the file's bytes.</param>
/// <param name="Holes">What is known to be missing, by place; bytes of the file, or where it is encrypted those of what was posted.</param>
public sealed record FileLayout(IReadOnlyList<PostedPart> Parts, int Articles, IReadOnlyList<FileHole> Holes)
{
    /// <summary>Of a file that was not posted.</summary>
    public static FileLayout None { get; } = new([], 0, []);

    /// <summary>An article for people: its number in its posted file, and that file's name.</summary>
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

/// <summary>A posted file as far as it holds bytes of another.</summary>
/// <param name="Name">What it was posted as; null: not known.</param>
/// <param name="Offset">Where its first byte is in the file.</param>
/// <param name="Length">Bytes of the file that it holds.</param>
/// <param name="FirstSegment">The segment of the file's map that holds the first of them.</param>
/// <param name="Articles">Articles that hold them.</param>
/// <param name="Missing">How many of these are known to be missing.</param>
public sealed record PostedPart(string? Name, long Offset, long Length, int FirstSegment, int Articles, int Missing);

/// <summary>Bytes of a file that are known to be missing.</summary>
/// <param name="Offset">First of them.</param>
/// <param name="Length">How many.</param>
/// <param name="Reason">Why, for people.</param>
/// <param name="Kind">Why.</param>
/// <param name="Since">When a reader first met it; null for what the .nzb does not list.</param>
public sealed record FileHole(
    long Offset, long Length, string Reason, FileHoleKind Kind = FileHoleKind.Unlisted, DateTimeOffset? Since = null);

/// <summary>Why bytes of a file are known to be missing.</summary>
public enum FileHoleKind
{
    /// <summary>The .nzb does not list their article.</summary>
    Unlisted,

    /// <summary>A reader asked for their article, and no provider has it.</summary>
    Gone,
}
