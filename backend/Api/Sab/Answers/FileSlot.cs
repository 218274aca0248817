namespace NzbDav.Api.Sab.Answers;

/// <summary>A posted file; all members are text.</summary>
internal sealed record FileSlot
{
    public required string Filename { get; init; }

    public required string Mbleft { get; init; }

    public required string Mb { get; init; }

    public required string Bytes { get; init; }

    public required string Age { get; init; }

    public required string NzfId { get; init; }

    public required string Status { get; init; }
}
