using System.Text;
using NzbDav.Catalog.Tree;

namespace NzbDav.Library.Zip;

/// <summary>A file in a .zip, or an empty folder.</summary>
internal sealed class ZipEntry
{
    /// <param name="path">With slashes between names, and one behind a folder's.</param>
    /// <param name="item">The file; null for a folder.</param>
    /// <param name="modified">What it shows as its time.</param>
    public ZipEntry(string path, CatalogItem? item, DateTimeOffset modified)
    {
        Path = path;
        Item = item;
        Modified = modified;
        NameLength = Encoding.UTF8.GetByteCount(path);
    }

    public string Path { get; }

    public CatalogItem? Item { get; }

    public DateTimeOffset Modified { get; }

    public long Size => Item?.Size ?? 0;

    /// <summary>Bytes of <see cref="Path"/>.</summary>
    public int NameLength { get; }

    /// <summary>Its checksum is sent behind its bytes. Of nothing it is 0.</summary>
    public bool HasDescriptor => Size > 0;

    /// <summary>Its size does not fit into 32 bits.</summary>
    public bool IsLarge => Size >= uint.MaxValue;
}
