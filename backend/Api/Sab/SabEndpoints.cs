using System.Text.Encodings.Web;
using System.Text.Json;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using NzbDav.Catalog;

namespace NzbDav.Api.Sab;

/// <summary>The interface of SABnzbd (its API as of 4.5), which Sonarr, Radarr and many others drive: <c>/api</c> and <c>/sabnzbd/api</c>.</summary>
public static partial class SabEndpoints
{
    private static readonly JsonSerializerOptions Json = new()
    {
        PropertyNamingPolicy = JsonNamingPolicy.SnakeCaseLower,
        Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
    };

    /// <summary>Adds what the interface is made of. Needs a <see cref="Live{T}"/> of <see cref="SabOptions"/>, <see cref="KeyGate"/> and <see cref="ISabTraffic"/> from the host.</summary>
    public static IServiceCollection AddSab(this IServiceCollection services)
    {
        ArgumentNullException.ThrowIfNull(services);
        services.AddSingleton<JobHistory>().AddSingleton<QueueOrder>().AddSingleton<Import.PostedFiles>();
        services.AddSingleton<SabCategories>().AddSingleton<SpeedLimitKeeper>().AddSingleton<SpeedMeter>().AddSingleton<HistoryClock>().AddSingleton<SabJobs>().AddSingleton<Disks>();
        services.AddSingleton<SabIntake>().AddSingleton<UrlFetcher>();
        services.AddSingleton<UrlGrabs>().AddHostedService(provider => provider.GetRequiredService<UrlGrabs>());
        services.AddSingleton<TrafficLedger>().AddHostedService(provider => provider.GetRequiredService<TrafficLedger>());
        services.AddSingleton<WarningLog>().AddSingleton<ILoggerProvider>(provider => provider.GetRequiredService<WarningLog>());
        foreach (var mode in typeof(SabEndpoints).Assembly.GetTypes().Where(type => type is { IsClass: true, IsAbstract: false } && type.IsAssignableTo(typeof(ISabMode))))
            services.AddSingleton(typeof(ISabMode), mode);
        return services;
    }

    /// <summary>Maps the interface's paths.</summary>
    public static void MapSab(this IEndpointRouteBuilder routes)
    {
        ArgumentNullException.ThrowIfNull(routes);
        var services = routes.ServiceProvider;
        var keys = services.GetRequiredService<KeyGate>();
        var options = services.GetRequiredService<Live<SabOptions>>();
        var logger = services.GetRequiredService<ILogger<SabOptions>>();
        var modes = new Dictionary<string, ISabMode>(StringComparer.Ordinal);
        foreach (var mode in services.GetServices<ISabMode>())
        {
            foreach (var name in mode.Names)
                modes.Add(name, mode);
        }

        foreach (var path in (string[])["/api", "/sabnzbd/api"])
            routes.MapMethods(path, ["GET", "POST"], AnswerAsync);

        async Task AnswerAsync(HttpContext http)
        {
            object answer;
            try
            {
                var form = await ReadFormAsync(http, options.Value);
                var call = new SabCall(http.Request.Query, form);
                call.Key = KeyOf(call, http.Request);
                (var outcome, call.Rights) = call.Key is null ? default : await keys.TryAsync(http.Connection.RemoteIpAddress, call.Key);
                answer = outcome == AttemptOutcome.Throttled ? SlowDown(http) : await DecideAsync(call);
            }
            catch (BadHttpRequestException e)
            {
                answer = new ErrorAnswer(e.StatusCode == StatusCodes.Status413PayloadTooLarge ? $"the upload is larger than {options.Value.MaxUploadBytes >> 20} MiB" : e.Message);
            }
            catch (InvalidDataException e)
            {
                // What FormReader says of a form that cannot be read or is too large.
                answer = new ErrorAnswer(e.Message);
            }
            catch (Exception e) when (e is IOException or UnauthorizedAccessException && !http.RequestAborted.IsCancellationRequested)
            {
                // The catalog, the disk, or a form that is broken or ends too early.
                LogFailed(logger, e.Message);
                answer = new ErrorAnswer(e.Message);
            }

            await WriteAsync(http, answer);
        }

        ErrorAnswer SlowDown(HttpContext http)
        {
            keys.SetRetryAfter(http.Response);
            return ErrorAnswer.TooMany;
        }

        async ValueTask<object> DecideAsync(SabCall call)
        {
            var mode = call.Text("mode") is { } name ? modes.GetValueOrDefault(name) : null;
            var needs = mode?.Needs(call) ?? ApiRights.Read;
            if ((call.Rights & needs) != needs)
                return call.Key is null ? ErrorAnswer.KeyRequired : ErrorAnswer.KeyIncorrect;

            // What was read whole is carried through, whether the caller stays to hear of it or not: a job half queued would be nobody's.
            return mode is null ? ErrorAnswer.NotImplemented : await mode.RunAsync(call, CancellationToken.None);
        }
    }

    /// <summary>As SABnzbd takes it, <c>mode=auth</c> under a name of its own; else as the other interfaces do.</summary>
    private static string? KeyOf(SabCall call, HttpRequest request) =>
        call.Text("apikey") ?? (call.Text("mode") == "auth" ? call.Text("key") : null) ?? (KeyGate.InHeaders(request) is { Length: > 0 } key ? key : null);

    private static async Task<IFormCollection?> ReadFormAsync(HttpContext http, SabOptions options)
    {
        if (!http.Request.HasFormContentType)
            return null;
        // The form has a bound of its own, which can be answered: the server's would end the connection while the client still sends.
        if (http.Features.Get<IHttpMaxRequestBodySizeFeature>() is { IsReadOnly: false } limit)
            limit.MaxRequestBodySize = null;
        var limits = new FormOptions { MultipartBodyLengthLimit = options.MaxUploadBytes, ValueLengthLimit = 1 << 20 };
        http.Features.Set<IFormFeature>(new FormFeature(http.Request, limits));
        return await http.Request.ReadFormAsync(http.RequestAborted);
    }

    private static async Task WriteAsync(HttpContext http, object answer)
    {
        var bytes = JsonSerializer.SerializeToUtf8Bytes(answer, answer.GetType(), Json);
        var response = http.Response;
        response.ContentType = "application/json;charset=UTF-8";
        response.ContentLength = bytes.Length;
        response.Headers.Pragma = "no-cache";
        response.Headers.CacheControl = "no-cache";
        response.Headers.AccessControlAllowOrigin = "*";
        await response.Body.WriteAsync(bytes, http.RequestAborted);
    }

    [LoggerMessage(401, LogLevel.Error, "A call of the SABnzbd interface failed: {Reason}")]
    private static partial void LogFailed(ILogger logger, string reason);
}
