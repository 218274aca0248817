using System.Globalization;
using System.Text;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Tree;
using NzbDav.Content;
using NzbDav.Library.Items;
using NzbDav.WebDav.Store;

namespace NzbDav.Library.Links;

/// <summary>
/// A short text that leads to a file: a path in <c>video.mkv.rclonelink</c>, which <c>rclone mount --links</c> shows as a symbolic link, or
/// an address in <c>video.mkv.strm</c>. An *arr moves it into its library.
/// </summary>
internal sealed class LinkFile : IStoreFile
{
    private readonly CatalogItem _item;
    private readonly LinkReadRecorder _linkReads;
    private readonly byte[] _target;

    /// <param name="item">The file that it leads to.</param>
    /// <param name="name">Name of the link.</param>
    /// <param name="target">Text of the link.</param>
    /// <param name="linkReads">Records that a client has read it.</param>
    public LinkFile(CatalogItem item, string name, string target, LinkReadRecorder linkReads)
    {
        _item = item;
        _linkReads = linkReads;
        Name = name;
        _target = Encoding.UTF8.GetBytes(target);
        ETag = string.Create(CultureInfo.InvariantCulture, $"\"link-{item.Id:x}-{Sum(_target):x}\"");
    }

    public string Name { get; }

    public DateTimeOffset CreatedAt => _item.Created;

    public DateTimeOffset ModifiedAt => _item.Created;

    public string ETag { get; }

    public long Length => _target.Length;

    public async ValueTask<StoreOpenResult> OpenAsync(CancellationToken cancellationToken)
    {
        try
        {
            await _linkReads.AddAsync(_item.Id, cancellationToken);
            return StoreOpenResult.Of(new BytesContent(_target));
        }
        catch (CatalogException e)
        {
            // Fail: the target of a link that is not recorded could be deleted while a library uses it.
            return StoreOpenResult.Failed(ContentFault.Unavailable, e.Message);
        }
    }

    // FNV-1a, only to tell targets apart.
    private static uint Sum(ReadOnlySpan<byte> bytes)
    {
        var sum = 2166136261u;
        foreach (var one in bytes)
            sum = unchecked((sum ^ one) * 16777619u);
        return sum;
    }
}
