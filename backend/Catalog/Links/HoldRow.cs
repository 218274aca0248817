namespace NzbDav.Catalog.Links;

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
