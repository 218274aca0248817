using NzbDav.Access.Attempts;
using NzbDav.Api.Sab.Calls;

namespace NzbDav.Api.Sab.Answers;

/// <summary>The call failed, with the reason.</summary>
internal sealed record ErrorAnswer(string Error)
{
    public static readonly ErrorAnswer KeyRequired = new("API Key Required");

    public static readonly ErrorAnswer KeyIncorrect = new("API Key Incorrect");

    /// <summary>Not an answer of SABnzbd, which has no rate limit.</summary>
    public static readonly ErrorAnswer TooMany = new(AttemptGate.TooMany);

    public static readonly ErrorAnswer NotImplemented = new("not implemented");

    public static readonly ErrorAnswer OneParameter = new("expects one parameter");

    public static readonly ErrorAnswer TwoParameters = new("expects two parameters");

    public static readonly ErrorAnswer Integer = new("expects integer value");

    public static readonly ErrorAnswer NoItem = new("item does not exist");

    public static readonly ErrorAnswer NoFile = new("no file given");

    public bool Status { get; init; }
}

/// <summary>Whether the call succeeded.</summary>
internal sealed record StatusAnswer(bool Status);

/// <summary>The call succeeded for these jobs. Strict clients reject any other member.</summary>
internal sealed record JobsAnswer(IReadOnlyList<string> NzoIds, bool Status = true);

/// <summary>A new job that replaced another one.</summary>
internal sealed record JobAnswer(string NzoId, bool Status = true);

/// <summary>New jobs that replaced those that had failed; SABnzbd has their ids in this member.</summary>
internal sealed record RetriedAnswer(IReadOnlyList<string> Status);

/// <summary>The current position of a job.</summary>
internal sealed record PositionAnswer(int Position);

/// <summary>The current position and priority of a job.</summary>
internal sealed record SwitchAnswer(SwitchResult Result);

/// <summary>See <see cref="SwitchAnswer"/>.</summary>
internal sealed record SwitchResult(int Position, int Priority);

/// <summary>Three numbers separated by dots.</summary>
internal sealed record VersionAnswer(string Version);

/// <summary>How callers authenticate, or which kind of key the caller has.</summary>
internal sealed record AuthAnswer(string Auth);

/// <summary>Names of categories; <c>*</c>, which means any, comes first.</summary>
internal sealed record CategoriesAnswer(IReadOnlyList<string> Categories);

/// <summary>Names of scripts: there are none.</summary>
internal sealed record ScriptsAnswer(IReadOnlyList<string> Scripts);

/// <summary>Sections of the configuration, by name.</summary>
internal sealed record ConfigAnswer(IReadOnlyDictionary<string, object> Config);

/// <summary>Files of a job.</summary>
internal sealed record FilesAnswer(IReadOnlyList<FileSlot> Files);

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

/// <summary>Bytes in total, this month, this week (from Monday) and today; over all hosts and by host.</summary>
internal sealed record ServerStatsAnswer(long Total, long Month, long Week, long Day, IReadOnlyDictionary<string, ServerStats> Servers);

/// <summary>Like <see cref="ServerStatsAnswer"/> for one host, and by day.</summary>
internal sealed record ServerStats(
    long Total,
    long Month,
    long Week,
    long Day,
    IReadOnlyDictionary<string, long> Daily,
    IReadOnlyDictionary<string, long> ArticlesTried,
    IReadOnlyDictionary<string, long> ArticlesSuccess);

/// <summary>See <see cref="StatusBody"/>.</summary>
internal sealed record StatusBodyAnswer(StatusBody Status);

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

/// <summary>A provider in the status.</summary>
internal sealed record ServerSlot
{
    public required string Servername { get; init; }

    public required int Servertotalconn { get; init; }

    public required int Serveractiveconn { get; init; }

    public required int Serverpriority { get; init; }

    public bool Serveroptional { get; init; }

    public required bool Serveractive { get; init; }

    public required string Servererror { get; init; }

    public IReadOnlyList<object> Serverconnections { get; init; } = [];
}

/// <summary>Oldest first.</summary>
internal sealed record WarningsAnswer(IReadOnlyList<WarningSlot> Warnings);

/// <summary>A warning or an error, with its time in seconds since 1970.</summary>
internal sealed record WarningSlot(string Text, string Type, long Time, string Origin);
