namespace NzbDav.Migration.Nzbdav;

/// <summary>A row of nzbdav's tree.</summary>
internal sealed class NzbdavItem
{
    /// <summary>SubTypes, as of 0.6.0.</summary>
    public const int Directory = 101;

    /// <inheritdoc cref="Directory"/>
    public const int Plain = 201;

    /// <inheritdoc cref="Directory"/>
    public const int Rar = 202;

    /// <inheritdoc cref="Directory"/>
    public const int Multipart = 203;

    public required Guid Id { get; init; }

    public required Guid? ParentId { get; init; }

    public required string Name { get; init; }

    public required long Size { get; init; }

    public required int SubType { get; init; }

    public Guid? FileBlobId { get; init; }

    public Guid? NzbBlobId { get; init; }

    public Guid? HistoryItemId { get; init; }

    /// <summary>True for a file whose layout is known in principle.</summary>
    public bool IsFile => SubType is Plain or Rar or Multipart;
}
