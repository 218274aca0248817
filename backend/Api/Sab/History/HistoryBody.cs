using NzbDav.Api.Sab.Calls;
using NzbDav.Api.Sab.Jobs;

namespace NzbDav.Api.Sab.History;

/// <summary>The history, latest first.</summary>
internal sealed record HistoryBody
{
    public required IReadOnlyList<HistorySlot> Slots { get; init; }

    public required int Noofslots { get; init; }

    public required int Ppslots { get; init; }

    public required string DaySize { get; init; }

    public required string WeekSize { get; init; }

    public required string MonthSize { get; init; }

    public required string TotalSize { get; init; }

    public required long LastHistoryUpdate { get; init; }

    public string Version { get; init; } = SabOptions.Version;
}
