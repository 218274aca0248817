using NzbDav.Catalog;
using NzbDav.Content;
using NzbDav.Usenet;
using NzbDav.Usenet.Articles;

namespace NzbDav.Library.Mending;

/// <summary>
/// A posted file of which an article that no provider has is made again while somebody reads: the reader waits for a repair that is close, and goes on.
/// </summary>
/// <param name="inner">The file as it was posted: positions are those of its map.</param>
/// <param name="item">Its row.</param>
/// <param name="usenet">What readers found gone, and what was made again.</param>
/// <param name="mender">Repairs.</param>
internal sealed class MendingContent(IContent inner, CatalogItem item, UsenetClient usenet, IPostMender mender) : IContent
{
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

        // The repair itself reads as an import does, and a check asks whether the providers have the bytes.
        return intent is ReadIntent.Import or ReadIntent.Health ? reader : new MendingReader(this, reader, end);
    }
}
