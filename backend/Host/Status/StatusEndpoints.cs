using System.Text.Json;
using System.Text.Json.Serialization;
using Microsoft.AspNetCore.Http.HttpResults;
using NzbDav.Access.Callers;
using NzbDav.Access.Keys;
using NzbDav.Access.Replies;
using NzbDav.Api.Native.Events;
using NzbDav.Api.Native.Providers;
using NzbDav.Host.Settings;

namespace NzbDav.Host.Status;

/// <summary>The state of the server, now and over time: <c>/api/v1/status</c>, <c>/api/v1/series</c>.</summary>
internal static class StatusEndpoints
{
    public static void MapStatus(this IEndpointRouteBuilder routes)
    {
        var api = routes.MapGroup("/api/v1").WithTags("status");
        api.MapGet("/status", async (StatusReporter status, CancellationToken cancellationToken) =>
            TypedResults.Ok(await status.ReportAsync(cancellationToken)))
            .Needs(ApiRights.Read).WithName("getStatus");
        api.MapGet("/series", Read).Needs(ApiRights.Read).WithName("getSeries");
    }

    private static Results<Ok<SeriesBody>, BadRequest<ErrorBody>> Read(SeriesRecorder series, string? span = "hour") => span switch
    {
        "hour" => TypedResults.Ok(series.Read(SeriesSpan.Hour)),
        "day" => TypedResults.Ok(series.Read(SeriesSpan.Day)),
        _ => TypedResults.BadRequest(new ErrorBody($"span must be hour or day, not '{span}'.")),
    };
}

/// <summary>Registers the services that report the server's state.</summary>
internal static class StatusSetup
{
    public static void AddStatus(this IServiceCollection services)
    {
        services.ConfigureHttpJsonOptions(options => options.SerializerOptions.TypeInfoResolverChain.Insert(0, StatusJson.Default));
        services.AddSingleton<IProviderNumbers, ProviderNumbers>();
        services.AddSingleton<SeriesRecorder>().AddHostedService(provider => provider.GetRequiredService<SeriesRecorder>());
        services.AddSingleton<StatusReporter>();
        services.AddTopic<StatusTopic, StatusBody>();
    }
}

/// <summary>Publishes the state of the server: every 0.5 s while something moves, otherwise every 4.5 s.</summary>
internal sealed class StatusTopic(StatusReporter status, SeriesRecorder series) : IEventTopic
{
    private volatile bool _moves;

    public event Action? Changed
    {
        add => series.Moved += value;
        remove => series.Moved -= value;
    }

    public string Name => "status";

    public Type DataType => typeof(StatusBody);

    public bool IsWhole => true;

    public TimeSpan Pace => TimeSpan.FromSeconds(0.5);

    /// <summary>Counted from the last event, so it includes <see cref="Pace"/>.</summary>
    public TimeSpan? Period => TimeSpan.FromSeconds(_moves ? 1 : 5);

    public async ValueTask<object?> NextAsync(CancellationToken cancellationToken)
    {
        var report = await status.ReportAsync(cancellationToken);
        _moves = series.Now.IsMoving || report.Jobs.Running > 0;
        return report;
    }
}

/// <summary>The numbers of the accounts in the current settings.</summary>
internal sealed class ProviderNumbers(SettingsBook book) : IProviderNumbers
{
    public IReadOnlyList<int> Now => book.Current.ProviderNumbers;
}

/// <summary>JSON serialization of the server's state.</summary>
[JsonSourceGenerationOptions(JsonSerializerDefaults.Web, NumberHandling = JsonNumberHandling.Strict, UseStringEnumConverter = true)]
[JsonSerializable(typeof(StatusBody))]
[JsonSerializable(typeof(SeriesBody))]
internal sealed partial class StatusJson : JsonSerializerContext;
