using System.Globalization;
using Microsoft.Extensions.DependencyInjection;
using NzbDav.Api.QBittorrent.Options;
using NzbDav.Catalog.Settings;
using NzbDav.Torrents;
using NzbDav.Torrents.Sessions;

namespace NzbDav.Api.QBittorrent.Preferences;

/// <summary>
/// The limits of all torrents together: the usual ones, and the alternative ones, which apply at scheduled times or when a client asks for
/// them. Bytes per second, 0 for none. Thread-safe.
/// </summary>
internal sealed class SpeedLimits(Live<QbitOptions> options, IServiceProvider services)
{
    private readonly TorrentEngine? _engine = services.GetService<TorrentSessions>()?.Engine;
    private readonly IQbitSettings? _settings = services.GetService<IQbitSettings>();

    /// <summary>True while the alternative limits apply.</summary>
    public bool IsAlternative => _engine?.UsesAlternativeRates ?? false;

    /// <summary>The limit that applies now.</summary>
    public long Download => IsAlternative ? options.Value.AlternativeDownloadLimit : options.Value.DownloadLimit;

    /// <inheritdoc cref="Download"/>
    public long Upload => IsAlternative ? options.Value.AlternativeUploadLimit : options.Value.UploadLimit;

    /// <summary>Sets the limit that applies now, as qBittorrent does.</summary>
    /// <returns>Null on success; otherwise why it could not be set.</returns>
    public Task<string?> SetAsync(bool download, long limit, CancellationToken cancellationToken)
    {
        var path = $"Torrents:{(IsAlternative ? "Alternative" : "")}{(download ? "Download" : "Upload")}Limit";
        if (_settings is null)
            return Task.FromResult<string?>(null);
        var source = new PreferenceSource(_settings.Read(), port: 0, proxy: null);
        var value = source.Bounded(path, PreferenceRule.Kibibytes(limit));
        return source.Number(path).ToString(CultureInfo.InvariantCulture) == value
            ? Task.FromResult<string?>(null)
            : _settings.ChangeAsync(new Dictionary<string, string?>(StringComparer.Ordinal) { [path] = value }, cancellationToken);
    }

    /// <summary>
    /// Applies the alternative or the usual limits, whatever the schedule says, until the next such call. If the schedule already says the
    /// same, it stays in charge.
    /// </summary>
    /// <returns>Null on success; otherwise why it could not be set.</returns>
    public Task<string?> UseAsync(bool alternative, CancellationToken cancellationToken)
    {
        if (_settings is null || _engine is null || IsAlternative == alternative)
            return Task.FromResult<string?>(null);
        var mode = _engine.IsAlternativeTime == alternative ? "times" : alternative ? "always" : "never";
        return _settings.ChangeAsync(
            new Dictionary<string, string?>(StringComparer.Ordinal) { ["Torrents:AlternativeLimits"] = mode }, cancellationToken);
    }
}
