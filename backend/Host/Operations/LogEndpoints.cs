using NzbDav.Access;
using NzbDav.Host.Logging;

namespace NzbDav.Host.Operations;

/// <summary><c>/api/v1/log</c>: what is logged. A change counts at once, until the next start.</summary>
internal static class LogEndpoints
{
    public static void MapLog(this IEndpointRouteBuilder api)
    {
        api.MapGet("/log", (LogControl control) => Results.Json(Report(control.Levels), OperationJson.Default.LogReport));
        api.MapPut("/log", async (HttpContext http, LogControl control) =>
        {
            // As it is told: {"level":"debug","categories":{"NzbDav.Usenet":"debug"}}, or one of the two.
            if (await JsonBody.ReadAsync(http, OperationJson.Default.LogReport) is { } asked)
                await Change(control, asked).ExecuteAsync(http);
        });
    }

    private static IResult Change(LogControl control, LogReport asked)
    {
        var levels = control.Levels;
        if (asked.Level is { } name)
        {
            if (LogLevelNames.Read(name) is not { } level)
                return Wrong($"'{name}' is none of {LogLevelNames.All}.");
            levels = levels with { Level = level };
        }

        if (asked.Categories is { } categories)
        {
            if (categories.FirstOrDefault(category => category.Key.Length == 0 || LogLevelNames.Read(category.Value) is null) is { Key: not null } wrong)
                return Wrong($"'{wrong.Key}': '{wrong.Value}' is none of {LogLevelNames.All}.");
            levels = levels with { Categories = categories.ToDictionary(category => category.Key, category => LogLevelNames.Read(category.Value)!.Value, StringComparer.OrdinalIgnoreCase) };
        }

        control.Levels = levels;
        return Results.Json(Report(levels), OperationJson.Default.LogReport);
    }

    private static LogReport Report(LogLevels levels) => new(
        LogLevelNames.Of(levels.Level), levels.Categories.ToDictionary(category => category.Key, category => LogLevelNames.Of(category.Value), StringComparer.Ordinal));

    private static IResult Wrong(string what) => JsonReply.Error(StatusCodes.Status400BadRequest, what);
}
