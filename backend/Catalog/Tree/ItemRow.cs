using NzbDav.Catalog.Blobs;

namespace NzbDav.Catalog.Tree;

/// <summary>A row of <c>items</c> as the engine gives it.</summary>
internal sealed class ItemRow
{
    /// <summary>The columns, for a SELECT or RETURNING.</summary>
    public const string Columns =
        "id AS Id, parent_id AS ParentId, name AS Name, kind AS Kind, size AS Size, created AS Created, modified AS Modified, " +
        "content_type AS ContentType, extent_map AS ExtentMap, job_id AS JobId, encryption AS Encryption, torrent AS Torrent, torrent_file AS TorrentFile";

    public const string Collection = "collection";

    public const string File = "file";

    public long Id { get; set; }

    public long? ParentId { get; set; }

    public string Name { get; set; } = "";

    /// <summary>For writing only: it follows from the name.</summary>
    public string Folded => FoldedName.Of(Name);

    public string Kind { get; set; } = Collection;

    public long Size { get; set; }

    public long Created { get; set; }

    public long Modified { get; set; }

    public string? ContentType { get; set; }

    public string? ExtentMap { get; set; }

    public long? JobId { get; set; }

    public string? Encryption { get; set; }

    public string? Torrent { get; set; }

    public long? TorrentFile { get; set; }

    public CatalogItem ToItem() => new()
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
