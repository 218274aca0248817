namespace NzbDav.Catalog.Links;

/// <summary>A file that a library had a link to and no longer has.</summary>
public sealed record HeldFile
{
    /// <summary>The file.</summary>
    public required long ItemId { get; init; }

    /// <summary>The link that it had last.</summary>
    public required string Holder { get; init; }

    /// <summary>Since when no library has a link to it; the first complete reading that found none.</summary>
    public required DateTimeOffset Lost { get; init; }

    /// <summary>Since when it is not shown; null: it is shown.</summary>
    public DateTimeOffset? Hidden { get; init; }

    /// <summary>When somebody wanted it to stay; null: nobody did.</summary>
    public DateTimeOffset? Kept { get; init; }

    /// <summary>A person has confirmed that it may go.</summary>
    public bool IsAccepted { get; init; }

    /// <summary>The torrent that it is in: 40 lower-case hexadecimal digits. Null: it is in a post.</summary>
    public string? InfoHash { get; init; }
}
