using NzbDav.Api.Sab.Calls;

namespace NzbDav.Api.Sab.Answers;

/// <summary>The state of the server, without its jobs.</summary>
internal sealed record StatusBody
{
    public string Version { get; init; } = SabOptions.Version;

    public required string Completedir { get; init; }

    public required string Downloaddir { get; init; }

    public required string Uptime { get; init; }

    public required bool Paused { get; init; }

    public bool PausedAll { get; init; }

    public string PauseInt { get; init; } = "0";

    public required string Speed { get; init; }

    public required string Kbpersec { get; init; }

    public required string Speedlimit { get; init; }

    public required string SpeedlimitAbs { get; init; }

    public required string Diskspace1 { get; init; }

    public required string Diskspace2 { get; init; }

    public required string Diskspacetotal1 { get; init; }

    public required string Diskspacetotal2 { get; init; }

    public required string HaveWarnings { get; init; }

    public string Loadavg { get; init; } = "";

    public string Color { get; init; } = "";

    public required IReadOnlyList<WarningSlot> Warnings { get; init; }

    public required IReadOnlyList<ServerSlot> Servers { get; init; }
}
