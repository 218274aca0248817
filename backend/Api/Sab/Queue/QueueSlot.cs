namespace NzbDav.Api.Sab;

/// <summary>A job in the queue. Types as clients parse them: most numbers are text.</summary>
internal sealed record QueueSlot
{
    public required int Index { get; init; }

    public required string NzoId { get; init; }

    public required string Filename { get; init; }

    public required string Status { get; init; }

    public required string Cat { get; init; }

    public required string Priority { get; init; }

    public required string Mb { get; init; }

    public required string Mbleft { get; init; }

    public string Mbmissing { get; init; } = "0.00";

    public required string Size { get; init; }

    public required string Sizeleft { get; init; }

    public required string Percentage { get; init; }

    public string Timeleft { get; init; } = SabText.TimeLeft(TimeSpan.Zero);

    public required string AvgAge { get; init; }

    public required long TimeAdded { get; init; }

    public string Script { get; init; } = "None";

    public string Unpackopts { get; init; } = "3";

    public IReadOnlyList<string> Labels { get; init; } = [];

    public required string Password { get; init; }

    public string? DirectUnpack { get; init; }
}
