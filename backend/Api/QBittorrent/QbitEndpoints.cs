using System.Collections.Frozen;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using NzbDav.Access.Keys;
using NzbDav.Api.Forms;
using NzbDav.Api.QBittorrent.Labels;
using NzbDav.Api.QBittorrent.Listing;
using NzbDav.Api.QBittorrent.Options;
using NzbDav.Api.QBittorrent.Preferences;
using NzbDav.Api.QBittorrent.Routing;
using NzbDav.Api.QBittorrent.Signing;
using NzbDav.Api.QBittorrent.Syncing;
using NzbDav.Catalog.Settings;

namespace NzbDav.Api.QBittorrent;

/// <summary>
/// The interface of qBittorrent (its Web API as of 5.1), used by Sonarr, Radarr, autobrr and many other clients: <c>/api/v2</c>.
/// </summary>
public static partial class QbitEndpoints
{
    private const string LogIn = "auth/login";

    /// <summary>Registers the services of the interface. Needs a <see cref="Live{T}"/> of <see cref="QbitOptions"/> and what the SABnzbd
    /// interface needs.</summary>
    public static IServiceCollection AddQbit(this IServiceCollection services)
    {
        ArgumentNullException.ThrowIfNull(services);
        services.AddSingleton<QbitSessions>().AddSingleton<QbitGate>();
        services.AddSingleton<QbitList>().AddSingleton<QbitTargets>().AddSingleton<QbitLabels>().AddSingleton<NzbTorrents>()
            .AddSingleton<ServerState>().AddSingleton<SpeedLimits>();
        foreach (var calls in typeof(QbitEndpoints).Assembly.GetTypes()
            .Where(type => type is { IsClass: true, IsAbstract: false } && type.IsAssignableTo(typeof(IQbitCalls))))
            services.AddSingleton(typeof(IQbitCalls), calls);
        return services;
    }

    /// <summary>Maps the interface's paths.</summary>
    public static void MapQbit(this IEndpointRouteBuilder routes)
    {
        ArgumentNullException.ThrowIfNull(routes);
        var services = routes.ServiceProvider;
        var calls = services.GetServices<IQbitCalls>().SelectMany(calls => calls.Routes)
            .ToFrozenDictionary(route => route.Path, StringComparer.Ordinal);
        var gate = services.GetRequiredService<QbitGate>();
        var forms = services.GetRequiredService<FormReader>();
        var options = services.GetRequiredService<Live<QbitOptions>>();
        var logger = services.GetRequiredService<ILogger<QbitOptions>>();
        routes.MapMethods("/api/v2/{**call}", ["GET", "HEAD", "POST"], AnswerAsync);

        async Task AnswerAsync(HttpContext http)
        {
            QbitReply reply;
            try
            {
                reply = options.Value.Enabled ? await JudgeAsync(http) : QbitReply.NotFound();
            }
            catch (FormTooLargeException e)
            {
                reply = QbitReply.Error(StatusCodes.Status413PayloadTooLarge, e.Message);
            }
            catch (Exception e) when (e is InvalidDataException or BadHttpRequestException)
            {
                // The body is not a valid form.
                reply = QbitReply.BadRequest(e.Message);
            }
            catch (Exception e) when (e is IOException or UnauthorizedAccessException && !http.RequestAborted.IsCancellationRequested)
            {
                // A failure of the catalog or the disk, or a form that ends too early.
                LogFailed(logger, e.Message);
                reply = QbitReply.Error(StatusCodes.Status500InternalServerError, e.Message);
            }

            await reply.WriteAsync(http);
        }

        async ValueTask<QbitReply> JudgeAsync(HttpContext http)
        {
            var path = ((string?)http.Request.RouteValues["call"] ?? "").TrimEnd('/');
            var (caller, refusal) = await gate.FindAsync(http);
            if (refusal is not null)
                return refusal;
            await using var call = new QbitCall(http, caller);
            if (path == LogIn)
            {
                if (!HttpMethods.IsPost(http.Request.Method))
                    return QbitReply.Error(StatusCodes.Status405MethodNotAllowed);
                await ReadFormAsync(call, ApiRights.None);
                return await gate.LogInAsync(call, http.RequestAborted);
            }

            if (caller.Rights == ApiRights.None)
                return QbitReply.Forbidden();
            if (!calls.TryGetValue(path, out var route))
                return QbitReply.NotFound();
            if (!HttpMethods.IsPost(http.Request.Method) && route.IsCommand)
                return QbitReply.Error(StatusCodes.Status405MethodNotAllowed);
            if ((caller.Rights & route.Needs) != route.Needs)
                return QbitReply.Forbidden();
            await ReadFormAsync(call, caller.Rights & route.Needs);
            if (route.Requires.FirstOrDefault(name => call.Text(name) is null) is not null)
                return QbitReply.BadRequest();

            // A command that was received whole is completed even if the caller does not wait for the answer.
            return await route.RunAsync(call, route.IsCommand ? CancellationToken.None : http.RequestAborted);
        }

        async ValueTask ReadFormAsync(QbitCall call, ApiRights rights)
        {
            if (call.Http.Request.HasFormContentType)
                await forms.ReadAsync(call.Http, call.Form = new CallForm(rights));
        }
    }

    [LoggerMessage(411, LogLevel.Error, "A call of the qBittorrent interface failed: {Reason}")]
    private static partial void LogFailed(ILogger logger, string reason);
}
