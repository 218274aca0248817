using NzbDav.Catalog.Tree;
using NzbDav.Content;
using NzbDav.Usenet;
using NzbDav.Usenet.Articles;

namespace NzbDav.Library.Mending;

/// <summary>
/// A posted file whose missing articles are reconstructed while it is read: the reader waits for a repair that is close to done, then continues.
/// </summary>
/// <param name="inner">The file as it was posted: positions are those of its map.</param>
/// <param name="item">Its row.</param>
/// <param name="usenet">The missing and the reconstructed articles.</param>
/// <param name="mender">Repairs.</param>
internal sealed class MendingContent(IContent inner, CatalogItem item, UsenetClient usenet, IPostMender mender) : IContent
{
    private long _seen;

    public long Length => inner.Length;

    /// <summary>The file.</summary>
    internal CatalogItem Item => item;

    /// <summary>What readers found gone.</summary>
    internal GoneArticles Gone => usenet.Gone;

    /// <inheritdoc cref="UsenetClient.IsMade"/>
    internal bool IsMade(string ids) => usenet.IsMade(ids);

    /// <summary>Repairs.</summary>
    internal IPostMender Mender => mender;

    /// <summary>As it is known now; null when it is not made of segments.</summary>
    internal ExtentMap? Map => (inner as ISegmentSource)?.Map;

    public ContentReader OpenReader(long start, long end, ReadIntent intent)
    {
        var reader = inner.OpenReader(start, end, intent);

        if (Gone.Additions is var additions && intent is ReadIntent.Playback or ReadIntent.Probe or ReadIntent.Download && Interlocked.Exchange(ref _seen, additions) != additions)
            _ = Task.Run(() => BeginKnown(start));

        // The repair itself reads as an import does, and a check asks whether the providers have the bytes.
        return intent is ReadIntent.Import or ReadIntent.Health ? reader : new MendingReader(this, reader, end);
    }

    /// <summary>Begins the repair of known missing articles before the reader reaches them, nearest first.</summary>
    private void BeginKnown(long start)
    {
        if (Gone.Count == 0 || Map is not { Length: > 0 } map)
            return;
        var first = map.Find(Math.Min(start, map.Length - 1));
        for (var i = 0; i < map.Extents.Length; i++)
        {
            var id = map.Segments.Id(map.Extents[(first + i) % map.Extents.Length].Segment);
            if (Gone.SinceOf(id) is null)
                continue;
            Mender.Begin(item, id);
            return;
        }
    }
}
