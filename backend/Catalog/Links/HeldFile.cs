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

/// <summary>A row of <c>holds</c> as the engine gives it.</summary>
internal sealed class HoldRow
{
    /// <summary>The columns, for a SELECT.</summary>
    public const string Columns = "item_id AS ItemId, holder AS Holder, lost AS Lost, hidden AS Hidden, kept AS Kept, accepted AS Accepted";

    public long ItemId { get; set; }

    public string Holder { get; set; } = "";

    public long? Lost { get; set; }

    public long? Hidden { get; set; }

    public long? Kept { get; set; }

    public long? Accepted { get; set; }

    /// <summary>Not among <see cref="Columns"/>: null where it was not asked for.</summary>
    public string? InfoHash { get; set; }

    /// <summary>For a row that is lost.</summary>
    public HeldFile ToLost() => new()
    {
        ItemId = ItemId,
        Holder = Holder,
        Lost = Time(Lost)!.Value,
        Hidden = Time(Hidden),
        Kept = Time(Kept),
        IsAccepted = Accepted is not null,
        InfoHash = InfoHash,
    };

    private static DateTimeOffset? Time(long? ticks) => ticks is { } value ? new DateTimeOffset(value, TimeSpan.Zero) : null;
}
