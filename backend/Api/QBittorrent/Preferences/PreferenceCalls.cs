using System.Text.Json;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using NzbDav.Api.QBittorrent.Options;
using NzbDav.Api.QBittorrent.Routing;
using NzbDav.Api.QBittorrent.Signing;
using NzbDav.Api.Sab.Calls;
using NzbDav.Catalog.Settings;
using NzbDav.Torrents.Sessions;

namespace NzbDav.Api.QBittorrent.Preferences;

/// <summary><c>app/preferences</c> and <c>app/setPreferences</c>: the torrent settings under qBittorrent's names.</summary>
internal sealed partial class PreferenceCalls(
    Live<SabOptions> paths, Live<QbitOptions> options, IServiceProvider services, ILogger<PreferenceCalls> logger) : IQbitCalls
{
    private const string Refused =
        "Only an administrator may change where traffic goes and who is let in: log in as one, or with the full API key.";

    private readonly IQbitSettings? _settings = services.GetService<IQbitSettings>();

    public IEnumerable<QbitRoute> Routes =>
    [
        QbitRoute.Read("app/preferences", (call, _) => new(QbitReply.Json(ReadAll(call)))),
        QbitRoute.Change("app/setPreferences", ChangeAsync, "json"),
    ];

    private PreferenceSource Source => new(
        _settings?.Read() ?? new Dictionary<string, QbitSetting>(StringComparer.Ordinal),
        services.GetService<TorrentSessions>()?.Engine.Port ?? 0,
        options.Value.Proxy);

    private SortedDictionary<string, object> ReadAll(QbitCall call)
    {
        var all = FixedPreferences.Read();
        var source = Source;
        foreach (var (name, value) in PreferenceRules.All.SelectMany(rule => rule.Read(source)))
            all[name] = value;
        all["save_path"] = paths.Value.CompletedPath;
        all["web_ui_port"] = call.Http.Connection.LocalPort;
        all["web_ui_session_timeout"] = (long)QbitSessions.Lifetime.TotalSeconds;
        return all;
    }

    /// <summary>
    /// Changes the preferences that are settings here, all or none. Preferences that have no setting, or whose value is unchanged, are
    /// ignored. So are preferences sent along with the port that the caller may not change: a VPN's program sends its interface too. A
    /// setting fixed by the environment is answered with a conflict: qBittorrent has no such case.
    /// </summary>
    private async ValueTask<QbitReply> ChangeAsync(QbitCall call, CancellationToken cancellationToken)
    {
        if (Read(call.Text("json")!) is not { } asked)
            return QbitReply.BadRequest("Error parsing JSON");
        if (_settings is null)
            return QbitReply.Done;
        var source = Source;
        var changes = new Dictionary<string, string?>(StringComparer.Ordinal);
        var tellsPort = call.Caller.IsOfTrustedNetwork && asked.TryGetProperty("listen_port", out _);
        foreach (var rule in PreferenceRules.All)
        {
            var values = new PreferenceValues(rule.Read(source), asked);
            if (!values.IsChanged)
                continue;
            if (!rule.Allows(call.Caller))
            {
                if (tellsPort)
                    continue;
                return QbitReply.Forbidden(Refused);
            }

            foreach (var (path, value) in rule.Change(values, source))
            {
                if (!string.Equals(value ?? "none", source.Text(path) ?? "none", StringComparison.OrdinalIgnoreCase))
                    changes[path] = value;
            }
        }

        if (changes.Count == 0 || await _settings.ChangeAsync(changes, cancellationToken) is not { } fault)
            return QbitReply.Done;
        LogRefused(logger, fault);
        return QbitReply.Conflict(fault);
    }

    private static JsonElement? Read(string json)
    {
        try
        {
            return JsonElement.Parse(json) is { ValueKind: JsonValueKind.Object } element ? element : null;
        }
        catch (JsonException)
        {
            return null;
        }
    }

    [LoggerMessage(413, LogLevel.Warning, "A client of the qBittorrent interface could not change settings: {Reason}")]
    private static partial void LogRefused(ILogger logger, string reason);
}
