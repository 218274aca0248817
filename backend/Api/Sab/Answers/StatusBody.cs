namespace NzbDav.Api.Sab;

/// <summary>The state of everything but the jobs.</summary>
internal sealed record StatusBody
{
    public string Version => SabOptions.Version;

    public required string Completedir { get; init; }

    public required string Downloaddir { get; init; }

    public required string Uptime { get; init; }

    public required bool Paused { get; init; }

    public bool PausedAll => false;

    public string PauseInt => "0";

    public required string Speed { get; init; }

    public required string Kbpersec { get; init; }

    public required string Speedlimit { get; init; }

    public required string SpeedlimitAbs { get; init; }

    public required string Diskspace1 { get; init; }

    public required string Diskspace2 { get; init; }

    public required string Diskspacetotal1 { get; init; }

    public required string Diskspacetotal2 { get; init; }

    public required string HaveWarnings { get; init; }

    public string Loadavg => "";

    public string Color => "";

    public required IReadOnlyList<WarningSlot> Warnings { get; init; }

    public required IReadOnlyList<ServerSlot> Servers { get; init; }
}
