using System.Globalization;
using System.Text;
using NzbDav.Catalog;
using NzbDav.Content;
using NzbDav.WebDav;

namespace NzbDav.Library;

/// <summary>
/// <c>video.mkv.rclonelink</c>: its bytes are a path, and <c>rclone mount --links</c> shows it as a symbolic link to that path. An *arr moves
/// the link into its library.
/// </summary>
internal sealed class LinkFile : IStoreFile
{
    /// <summary>What rclone knows links by.</summary>
    public const string Suffix = ".rclonelink";

    private readonly CatalogItem _item;
    private readonly GivenLinks _given;
    private readonly byte[] _target;

    public LinkFile(CatalogItem item, string mountPath, GivenLinks given)
    {
        _item = item;
        _given = given;
        Name = item.Name + Suffix;
        _target = Encoding.UTF8.GetBytes(mountPath + IdPath.Of(item.Id));
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
            await _given.AddAsync(_item.Id, cancellationToken);
            return StoreOpenResult.Of(new BytesContent(_target));
        }
        catch (CatalogException e)
        {
            // A link that is not remembered could be deleted under the library's feet.
            return StoreOpenResult.Failed(ContentFault.Unavailable, e.Message);
        }
    }

    // FNV-1a: tells one mount path from another, no more.
    private static uint Sum(ReadOnlySpan<byte> bytes)
    {
        var sum = 2166136261u;
        foreach (var one in bytes)
            sum = unchecked((sum ^ one) * 16777619u);
        return sum;
    }
}
