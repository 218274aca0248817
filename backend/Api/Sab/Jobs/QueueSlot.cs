using System.Text.Json.Serialization;
using NzbDav.Api.Sab.Calls;

namespace NzbDav.Api.Sab.Jobs;

/// <summary>A job in the queue. Types are those that clients parse: most numbers are text. Members that are not serialized are used for
/// counting and sorting.</summary>
/// <param name="Id">Id of the job.</param>
/// <param name="TotalBytes">Bytes of the whole job.</param>
/// <param name="LeftBytes">Bytes still to be processed.</param>
internal sealed record QueueSlot(
    [property: JsonIgnore] long Id, [property: JsonIgnore] long TotalBytes, [property: JsonIgnore] long LeftBytes)
{
    public required int Index { get; init; }

    public required string NzoId { get; init; }

    public required string Filename { get; init; }

    public required string Status { get; init; }

    public required string Cat { get; init; }

    public required string Priority { get; init; }

    public string Mb => SabText.Megabytes(TotalBytes);

    public string Mbleft => SabText.Megabytes(LeftBytes);

    public string Mbmissing { get; init; } = "0.00";

    public string Size => SabText.Size(TotalBytes);

    public string Sizeleft => SabText.Size(LeftBytes);

    public required string Percentage { get; init; }

    /// <summary>Estimate for a running job; zero, as in SABnzbd, where nothing is known.</summary>
    public string Timeleft => SabText.TimeLeft(Left);

    [JsonIgnore]
    public TimeSpan Left { get; init; }

    /// <summary>How long ago it was posted.</summary>
    public required string AvgAge { get; init; }

    public required long TimeAdded { get; init; }

    public string Script { get; init; } = "None";

    public string Unpackopts { get; init; } = "3";

    /// <summary>Why it does not run yet, in SABnzbd's words.</summary>
    public IReadOnlyList<string> Labels { get; init; } = [];

    public required string Password { get; init; }

    public string? DirectUnpack { get; init; }
}
