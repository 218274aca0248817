using NzbDav.Api.Sab.Calls;
using NzbDav.Api.Sab.Jobs;

namespace NzbDav.Api.Sab.Queue;

/// <summary>The queue and the state of the server.</summary>
internal sealed record QueueBody
{
    public string Version { get; init; } = SabOptions.Version;

    public required bool Paused { get; init; }

    public required string PauseInt { get; init; }

    public required bool PausedAll { get; init; }

    public required string Status { get; init; }

    public required string Speed { get; init; }

    public required string Kbpersec { get; init; }

    public required string Speedlimit { get; init; }

    public required string SpeedlimitAbs { get; init; }

    public required string Size { get; init; }

    public required string Sizeleft { get; init; }

    public required string Mb { get; init; }

    public required string Mbleft { get; init; }

    public required int Noofslots { get; init; }

    public required int NoofslotsTotal { get; init; }

    public required int Start { get; init; }

    public required int Limit { get; init; }

    public required int Finish { get; init; }

    public required string Timeleft { get; init; }

    public required string Diskspace1 { get; init; }

    public required string Diskspace2 { get; init; }

    public required string Diskspacetotal1 { get; init; }

    public required string Diskspacetotal2 { get; init; }

    public required string Diskspace1Norm { get; init; }

    public required string Diskspace2Norm { get; init; }

    public required string HaveWarnings { get; init; }

    public bool HaveQuota { get; init; }

    public string Quota { get; init; } = "0 ";

    public string LeftQuota { get; init; } = "0 ";

    public required string CacheArt { get; init; }

    public required string CacheSize { get; init; }

    public string? Finishaction { get; init; }

    public required IReadOnlyList<QueueSlot> Slots { get; init; }
}

/// <summary>See <see cref="QueueBody"/>.</summary>
internal sealed record QueueAnswer(QueueBody Queue);
