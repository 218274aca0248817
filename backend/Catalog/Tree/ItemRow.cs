using System.Text.Json;
using NzbDav.Catalog.Blobs;
using NzbDav.Catalog.Database;

namespace NzbDav.Catalog.Tree;

/// <summary>A row of <c>items</c> as the engine returns it.</summary>
internal sealed class ItemRow
{
    /// <summary>The columns, for a SELECT or RETURNING.</summary>
    public const string Columns =
        "id AS Id, parent_id AS ParentId, name AS Name, kind AS Kind, size AS Size, created AS Created, modified AS Modified, " +
        "content_type AS ContentType, extent_map AS ExtentMap, job_id AS JobId, encryption AS Encryption, torrent AS Torrent, " +
        "torrent_file AS TorrentFile";

    public const string Collection = "collection";

    public const string File = "file";

    public long Id { get; set; }

    public long? ParentId { get; set; }

    public string Name { get; set; } = "";

    /// <summary>For writing only; derived from the name.</summary>
    public string Folded => FoldedName.Of(Name);

    public string Kind { get; set; } = Collection;

    /// <summary>
    /// The post that the item is or lies in: the level below a category of <c>/content</c>. Null above that. Follows from the item's place,
    /// unlike <see cref="JobId"/>, which stays when a file is moved to another post. For writing only.
    /// </summary>
    public long? PostId { get; set; }

    public long Size { get; set; }

    public long Created { get; set; }

    public long Modified { get; set; }

    public string? ContentType { get; set; }

    public string? ExtentMap { get; set; }

    public long? JobId { get; set; }

    public string? Encryption { get; set; }

    public string? Torrent { get; set; }

    public long? TorrentFile { get; set; }

    /// <exception cref="CatalogException">The row makes no sense: it is corrupt or was edited.</exception>
    public CatalogItem ToItem()
    {
        try
        {
            return Read();
        }
        catch (Exception e) when (e is FormatException or ArgumentException or InvalidOperationException or JsonException
            or OverflowException)
        {
            throw new CatalogException(
                CatalogFault.RowDamaged,
                $"What the catalog has of {Name} (item {Id}) is damaged: {e.Message} Restore a backup, or import it again.",
                e);
        }
    }

    /// <summary>The items of the rows that make sense.</summary>
    /// <param name="rows">The rows.</param>
    /// <param name="damaged">Called with the id of each damaged row, and what is wrong with it; null: such rows are skipped
    /// silently.</param>
    public static IEnumerable<CatalogItem> Readable(IEnumerable<ItemRow> rows, Action<long, string>? damaged)
    {
        foreach (var row in rows)
        {
            CatalogItem? item = null;
            try
            {
                item = row.ToItem();
            }
            catch (CatalogException e) when (e.Fault == CatalogFault.RowDamaged)
            {
                damaged?.Invoke(row.Id, e.Message);
            }

            if (item is not null)
                yield return item;
        }
    }

    private CatalogItem Read() => new()
    {
        Id = Id,
        ParentId = ParentId,
        Name = Name,
        Kind = Kind == File ? CatalogItemKind.File : CatalogItemKind.Collection,
        Size = Size,
        Created = new DateTimeOffset(Created, TimeSpan.Zero),
        Modified = new DateTimeOffset(Modified, TimeSpan.Zero),
        ContentType = ContentType,
        ExtentMap = ExtentMap is null ? null : BlobHash.Parse(ExtentMap),
        JobId = JobId,
        Encryption = FileEncryption.Parse(Encryption),
        Torrent = Torrent is null ? null : new TorrentPart(Torrent, (int)TorrentFile!.Value),
    };
}

/// <summary>
/// A name in the form used for search and sorting: in lower case, with dots and underscores replaced by the spaces that they stand for in
/// release names.
/// </summary>
internal static class FoldedName
{
    /// <summary>Folds a name or a search text.</summary>
    public static string Of(string name) => name.ToLowerInvariant().Replace('.', ' ').Replace('_', ' ');
}
