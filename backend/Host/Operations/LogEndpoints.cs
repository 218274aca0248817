using NzbDav.Access.Callers;
using NzbDav.Access.Keys;
using NzbDav.Access.Replies;
using NzbDav.Api.Native.Events;
using NzbDav.Host.Logging;

namespace NzbDav.Host.Operations;

/// <summary><c>/api/v1/log</c>: the log levels, which can be changed until the next start, and the latest lines.</summary>
internal static class LogEndpoints
{
    private const int DefaultLimit = 200;
    private const int MostLimit = 1_000;

    public static void MapLog(this IEndpointRouteBuilder api)
    {
        api.MapGet("/log", Get).Needs(ApiRights.Manage).WithName("getLogLevels").WithTags("log").Produces<LogLevelsBody>();
        api.MapPut("/log", ChangeAsync).Needs(ApiRights.Manage).WithName("setLogLevels").WithTags("log").AcceptsJson<LogLevelsBody>()
            .Produces<LogLevelsBody>();
        api.MapGet("/log/lines", Find).Needs(ApiRights.Manage).WithName("listLogLines").WithTags("log").Produces<LogPageBody>()
            .Refuses(StatusCodes.Status400BadRequest);
    }

    private static IResult Get(LogControl control) =>
        JsonReply.Answer(StatusCodes.Status200OK, Report(control.Levels), OperationJson.Default.LogLevelsBody);

    private static async Task ChangeAsync(HttpContext http, LogControl control)
    {
        // The same format as the answer: {"level":"debug","categories":{"NzbDav.Usenet":"debug"}}, or only one of the two.
        if (await JsonBody.ReadAsync(http, OperationJson.Default.LogLevelsBody) is { } asked)
            await Change(control, asked).ExecuteAsync(http);
    }

    private static IResult Find(
        LogRing ring, long? after = null, string? level = null, string? search = null, string? category = null, int limit = DefaultLimit)
    {
        var least = LogLineLevel.Trace;
        if (level is not null && (!Enum.TryParse(level, ignoreCase: true, out least) || char.IsAsciiDigit(level[0])))
            return Wrong(
                $"level: '{level}' is not one of " +
                $"{string.Join(", ", Enum.GetNames<LogLineLevel>().Select(name => name.ToLowerInvariant()))}.");
        if (limit is < 1 or > MostLimit)
            return Wrong($"limit: {limit} is outside 1 … {MostLimit}.");

        // Read before the lines, so that a client that continues after this id misses none.
        var last = ring.Last;
        var lines = ring.Find(after, least, Text(category), Text(search), limit);
        return JsonReply.Answer(
            StatusCodes.Status200OK, new LogPageBody([.. lines.Select(line => new LogLineBody(
                line.Id, line.Time, line.Level, line.Category, line.Message, line.Detail))], last), OperationJson.Default.LogPageBody);
    }

    private static string? Text(string? text) => string.IsNullOrEmpty(text) ? null : text;

    private static IResult Change(LogControl control, LogLevelsBody asked)
    {
        var levels = control.Levels;
        if (asked.Level is { } name)
        {
            if (LogLevelNames.Read(name) is not { } level)
                return Wrong($"'{name}' is not one of {LogLevelNames.All}.");
            levels = levels with { Level = level };
        }

        if (asked.Categories is { } categories)
        {
            if (categories.FirstOrDefault(
                category => category.Key.Length == 0 || LogLevelNames.Read(category.Value) is null) is { Key: not null } wrong)
                return Wrong($"'{wrong.Key}': '{wrong.Value}' is not one of {LogLevelNames.All}.");
            levels = levels with
            {
                Categories = categories.ToDictionary(
                category => category.Key, category => LogLevelNames.Read(category.Value)!.Value, StringComparer.OrdinalIgnoreCase)
            };
        }

        control.Levels = levels;
        return JsonReply.Answer(StatusCodes.Status200OK, Report(levels), OperationJson.Default.LogLevelsBody);
    }

    private static LogLevelsBody Report(LogLevels levels) => new(
        LogLevelNames.Of(levels.Level),
        levels.Categories.ToDictionary(category => category.Key, category => LogLevelNames.Of(category.Value), StringComparer.Ordinal));

    private static IResult Wrong(string what) => JsonReply.Error(StatusCodes.Status400BadRequest, what);
}

/// <summary>Lines of the log, oldest first.</summary>
/// <param name="Lines">The lines.</param>
/// <param name="Last">The id of the latest line in the log, whether or not it is among these; 0: the log is empty.</param>
internal sealed record LogPageBody(IReadOnlyList<LogLineBody> Lines, long Last);

/// <summary>A line of the log, without secrets.</summary>
/// <param name="Id">Numbered from 1 at each start.</param>
/// <param name="Time">When it was logged.</param>
/// <param name="Level">Its severity.</param>
/// <param name="Category">The name of the type that logged it.</param>
/// <param name="Message">What happened.</param>
/// <param name="Detail">The exception; null: none.</param>
internal sealed record LogLineBody(long Id, DateTimeOffset Time, LogLineLevel Level, string Category, string Message, string? Detail);

/// <summary>Log levels, by names such as <c>debug</c>.</summary>
/// <param name="Level">The level of categories without one of their own; null in a request: unchanged.</param>
/// <param name="Categories">Levels by category; null in a request: unchanged.</param>
internal sealed record LogLevelsBody(string? Level, Dictionary<string, string>? Categories);

/// <summary>Notifies pages of new lines in the log; only pages that name the topic. Thread-safe.</summary>
internal sealed class LogTopic : StateTopic<LogEventBody>, IDisposable
{
    private readonly LogRing _ring;

    public LogTopic(LogRing ring)
        : base("log", TimeSpan.FromMilliseconds(500))
    {
        _ring = ring;
        ring.Added += OnAdded;
    }

    public override ApiRights Needs => ApiRights.Manage;

    public override bool IsUsual => false;

    public void Dispose() => _ring.Added -= OnAdded;

    protected override LogEventBody Snapshot() => new(_ring.Last);

    private void OnAdded(long id) => Note();
}

/// <summary>Data of the event "log": there are new lines.</summary>
/// <param name="Last">The id of the latest line.</param>
internal sealed record LogEventBody(long Last);
