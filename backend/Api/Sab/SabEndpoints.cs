using System.Text.Encodings.Web;
using System.Text.Json;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Microsoft.Extensions.Logging;
using NzbDav.Access.Keys;
using NzbDav.Access.Outbound;
using NzbDav.Api.Forms;
using NzbDav.Api.Jobs;
using NzbDav.Api.Sab.Adding;
using NzbDav.Api.Sab.Answers;
using NzbDav.Api.Sab.Calls;
using NzbDav.Api.Sab.Jobs;
using NzbDav.Api.Sab.Traffic;
using NzbDav.Api.Sab.Warnings;
using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Settings;
using NzbDav.Import.Intake;

namespace NzbDav.Api.Sab;

/// <summary>
/// The interface of SABnzbd (its API as of 4.5), used by Sonarr, Radarr and many other clients: <c>/api</c> and <c>/sabnzbd/api</c>.
/// </summary>
public static partial class SabEndpoints
{
    private static readonly JsonSerializerOptions Json = new()
    {
        PropertyNamingPolicy = JsonNamingPolicy.SnakeCaseLower,
        Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
    };

    /// <summary>
    /// Registers the services of the interface. Needs a <see cref="Live{T}"/> of <see cref="SabOptions"/>, <see cref="KeyGate"/> and
    /// <see cref="ISabTraffic"/> from the host.
    /// </summary>
    public static IServiceCollection AddSab(this IServiceCollection services)
    {
        ArgumentNullException.ThrowIfNull(services);
        services.TryAddSingleton<JobList>();
        services.AddSingleton<JobHistory>().AddSingleton<QueueOrder>().AddSingleton<PostedFiles>();
        services.AddSingleton<SabCategories>().AddSingleton<SpeedLimitKeeper>().AddSingleton<SpeedMeter>().AddSingleton<HistoryClock>()
            .AddSingleton<PostAges>().AddSingleton<SabJobs>().AddSingleton<Disks>();
        services.TryAddSingleton<OwnNetworks>();
        services.AddSingleton<JobActions>().AddSingleton<SabIntake>().AddSingleton<UrlFetcher>();
        services.AddSingleton<SabGate>();
        services.AddSingleton(provider =>
        {
            var options = provider.GetRequiredService<Live<SabOptions>>();
            return new FormReader(provider.GetRequiredService<NzbIntake>(), () => options.Value.MaxUploadBytes);
        });
        services.AddSingleton<UrlGrabs>().AddHostedService(provider => provider.GetRequiredService<UrlGrabs>());
        services.AddSingleton<TrafficLedger>().AddHostedService(provider => provider.GetRequiredService<TrafficLedger>());
        services.AddSingleton<WarningLog>().AddSingleton<ILoggerProvider>(provider => provider.GetRequiredService<WarningLog>());
        foreach (var mode in typeof(SabEndpoints).Assembly.GetTypes()
            .Where(type => type is { IsClass: true, IsAbstract: false } && type.IsAssignableTo(typeof(ISabMode))))
            services.AddSingleton(typeof(ISabMode), mode);
        return services;
    }

    /// <summary>Maps the interface's paths.</summary>
    public static void MapSab(this IEndpointRouteBuilder routes)
    {
        ArgumentNullException.ThrowIfNull(routes);
        var services = routes.ServiceProvider;
        var gate = services.GetRequiredService<SabGate>();
        var forms = services.GetRequiredService<FormReader>();
        var logger = services.GetRequiredService<ILogger<SabOptions>>();
        foreach (var path in (string[])["/api", "/sabnzbd/api"])
            routes.MapMethods(path, ["GET", "POST"], AnswerAsync);

        async Task AnswerAsync(HttpContext http)
        {
            object answer;
            await using var call = new SabCall(http.Request.Query);
            try
            {
                answer = await gate.AuthenticateAsync(http, call)
                    ?? (http.Request.HasFormContentType ? await SabForm.ReadAsync(forms, gate, http, call) : null)
                    ?? gate.RefusalOf(call)
                    ?? await RunAsync(call);
            }
            catch (Exception e) when (e is InvalidDataException or BadHttpRequestException)
            {
                // The body is not a valid form.
                answer = new ErrorAnswer(e.Message);
            }
            catch (Exception e) when (e is IOException or UnauthorizedAccessException && !http.RequestAborted.IsCancellationRequested)
            {
                // A failure of the catalog or the disk, or a form that is broken or ends too early.
                LogFailed(logger, e.Message);
                answer = new ErrorAnswer(e.Message);
            }

            await WriteAsync(http, answer, call.Text("output") == "xml");
        }

        // A call that was received whole is completed even if the caller does not wait for the answer: otherwise a job could be left half
        // queued.
        async ValueTask<object> RunAsync(SabCall call) =>
            gate.ModeOf(call) is { } mode ? await mode.RunAsync(call, CancellationToken.None) : ErrorAnswer.NotImplemented;
    }

    private static async Task WriteAsync(HttpContext http, object answer, bool asXml)
    {
        var bytes = asXml
            ? SabXml.Of(JsonSerializer.SerializeToElement(answer, answer.GetType(), Json))
            : JsonSerializer.SerializeToUtf8Bytes(answer, answer.GetType(), Json);
        var response = http.Response;
        response.ContentType = asXml ? "text/xml;charset=UTF-8" : "application/json;charset=UTF-8";
        response.ContentLength = bytes.Length;
        response.Headers.Pragma = "no-cache";
        response.Headers.CacheControl = "no-cache";
        await response.Body.WriteAsync(bytes, http.RequestAborted);
    }

    [LoggerMessage(401, LogLevel.Error, "A call of the SABnzbd interface failed: {Reason}")]
    private static partial void LogFailed(ILogger logger, string reason);
}
