using NzbDav.Access.Callers;
using NzbDav.Access.Keys;
using NzbDav.Access.Replies;
using NzbDav.Host.Logging;

namespace NzbDav.Host.Operations;

/// <summary><c>/api/v1/log</c>: the log levels, which can be changed until the next start, and the latest lines.</summary>
internal static class LogEndpoints
{
    private const int DefaultLimit = 200;
    private const int MostLimit = 1_000;

    public static void MapLog(this IEndpointRouteBuilder api)
    {
        api.MapGet("/log", Tell).Needs(ApiRights.Manage).WithName("getLogLevels").WithTags("log").Produces<LogLevelsBody>();
        api.MapPut("/log", ChangeAsync).Needs(ApiRights.Manage).WithName("setLogLevels").WithTags("log").TakesJson<LogLevelsBody>().Produces<LogLevelsBody>();
        api.MapGet("/log/lines", Find).Needs(ApiRights.Manage).WithName("listLogLines").WithTags("log").Produces<LogPageBody>().Refuses(StatusCodes.Status400BadRequest);
    }

    private static IResult Tell(LogControl control) => JsonReply.Answer(StatusCodes.Status200OK, Report(control.Levels), OperationJson.Default.LogLevelsBody);

    private static async Task ChangeAsync(HttpContext http, LogControl control)
    {
        // The same format as the answer: {"level":"debug","categories":{"NzbDav.Usenet":"debug"}}, or only one of the two.
        if (await JsonBody.ReadAsync(http, OperationJson.Default.LogLevelsBody) is { } asked)
            await Change(control, asked).ExecuteAsync(http);
    }

    private static IResult Find(LogRing ring, long? after = null, string? level = null, string? search = null, string? category = null, int limit = DefaultLimit)
    {
        var least = LogLineLevel.Trace;
        if (level is not null && (!Enum.TryParse(level, ignoreCase: true, out least) || char.IsAsciiDigit(level[0])))
            return Wrong($"level: '{level}' is not one of {string.Join(", ", Enum.GetNames<LogLineLevel>().Select(name => name.ToLowerInvariant()))}.");
        if (limit is < 1 or > MostLimit)
            return Wrong($"limit: {limit} is outside 1 … {MostLimit}.");

        // Read before the lines, so that a client that continues after this id misses none.
        var last = ring.Last;
        var lines = ring.Find(after, least, Text(category), Text(search), limit);
        return JsonReply.Answer(
            StatusCodes.Status200OK, new LogPageBody([.. lines.Select(line => new LogLineBody(line.Id, line.Time, line.Level, line.Category, line.Message, line.Detail))], last), OperationJson.Default.LogPageBody);
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
            if (categories.FirstOrDefault(category => category.Key.Length == 0 || LogLevelNames.Read(category.Value) is null) is { Key: not null } wrong)
                return Wrong($"'{wrong.Key}': '{wrong.Value}' is not one of {LogLevelNames.All}.");
            levels = levels with { Categories = categories.ToDictionary(category => category.Key, category => LogLevelNames.Read(category.Value)!.Value, StringComparer.OrdinalIgnoreCase) };
        }

        control.Levels = levels;
        return JsonReply.Answer(StatusCodes.Status200OK, Report(levels), OperationJson.Default.LogLevelsBody);
    }

    private static LogLevelsBody Report(LogLevels levels) => new(
        LogLevelNames.Of(levels.Level), levels.Categories.ToDictionary(category => category.Key, category => LogLevelNames.Of(category.Value), StringComparer.Ordinal));

    private static IResult Wrong(string what) => JsonReply.Error(StatusCodes.Status400BadRequest, what);
}
