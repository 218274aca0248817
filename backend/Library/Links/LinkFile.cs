using System.Globalization;
using System.Text;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Tree;
using NzbDav.Content;
using NzbDav.Library.Items;
using NzbDav.WebDav.Store;
using NzbDav.WebDav.View;

namespace NzbDav.Library.Links;

/// <summary>Makes the texts of links to files: paths for symbolic links, and signed addresses for .strm files.</summary>
/// <param name="MountPath">See <see cref="LibraryOptions.MountPath"/>.</param>
/// <param name="AddressRoot">See <see cref="LibraryOptions.AddressRoot"/>.</param>
/// <param name="Views">Signs addresses; null: there are none.</param>
public readonly record struct LinkTexts(string MountPath, string AddressRoot, ViewLinks? Views)
{
    /// <summary>The target of a symbolic link to a file.</summary>
    public string PathTo(long id) => PathTo(IdPath.Of(id));

    /// <summary>The target of a symbolic link to a path of the tree, which begins with a slash.</summary>
    public string PathTo(string path) => MountPath + path;

    /// <summary>The text of a .strm file.</summary>
    /// <param name="id">The file.</param>
    /// <param name="name">Its name, for players.</param>
    public string AddressTo(long id, string name) => AddressTo(IdPath.Of(id), name);

    /// <inheritdoc cref="AddressTo(long, string)"/>
    /// <param name="path">A path of the tree that stays.</param>
    /// <param name="name">Its name, for players.</param>
    public string AddressTo(string path, string name) => AddressRoot + Views!.PathTo(StorePath.TryParse(path)!, name);
}

/// <summary>
/// A short text that leads to a file: a path in <c>video.mkv.rclonelink</c>, which <c>rclone mount --links</c> shows as a symbolic link, or
/// an address in <c>video.mkv.strm</c>. An *arr moves it into its library.
/// </summary>
internal class LinkFile : IStoreFile
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

/// <summary>A link whose text is a path: a symbolic link in a mount.</summary>
internal sealed class PathLink(CatalogItem item, string name, string target, LinkReadRecorder linkReads)
    : LinkFile(item, name, target, linkReads), IStoreLink;
