namespace NzbDav.Catalog.Moving;

/// <summary>A row of <c>aliases</c>.</summary>
internal sealed class AliasRow
{
    public string Path { get; set; } = "";

    public long JobId { get; set; }

    public long? ItemId { get; set; }

    public long Size { get; set; }

    public string Name { get; set; } = "";

    public string? Article { get; set; }

    public string? Keys { get; set; }
}
