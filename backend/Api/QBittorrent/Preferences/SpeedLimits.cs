using System.Globalization;
using Microsoft.Extensions.DependencyInjection;
using NzbDav.Catalog;
using NzbDav.Torrents;
using NzbDav.Torrents.Sessions;

namespace NzbDav.Api.QBittorrent;

/// <summary>The limits of all torrents together: the usual ones, and the alternative ones that hold at their times or when a client says so. Bytes a second, 0 for none. Thread-safe.</summary>
internal sealed class SpeedLimits(Live<QbitOptions> options, IServiceProvider services)
{
    private readonly TorrentEngine? _engine = services.GetService<TorrentSessions>()?.Engine;
    private readonly IQbitSettings? _settings = services.GetService<IQbitSettings>();

    /// <summary>The alternative limits hold now.</summary>
    public bool IsAlternative => _engine?.UsesAlternativeRates ?? false;

    /// <summary>The limit that holds now.</summary>
    public long Download => IsAlternative ? options.Value.AlternativeDownloadLimit : options.Value.DownloadLimit;

    /// <inheritdoc cref="Download"/>
    public long Upload => IsAlternative ? options.Value.AlternativeUploadLimit : options.Value.UploadLimit;

    /// <summary>Sets the limit that holds now, as the original does.</summary>
    /// <returns>Null; else why it could not be set.</returns>
    public Task<string?> SetAsync(bool download, long limit, CancellationToken cancellationToken)
    {
        var path = $"Torrents:{(IsAlternative ? "Alternative" : "")}{(download ? "Download" : "Upload")}Limit";
        if (_settings is null)
            return Task.FromResult<string?>(null);
        var source = new PreferenceSource(_settings.Read(), proxy: null);
        var value = source.Bounded(path, PreferenceRule.Kibibytes(limit));
        return source.Number(path).ToString(CultureInfo.InvariantCulture) == value
            ? Task.FromResult<string?>(null)
            : _settings.ChangeAsync(new Dictionary<string, string?>(StringComparer.Ordinal) { [path] = value }, cancellationToken);
    }

    /// <summary>Lets the alternative limits hold or the usual ones, whatever the time, until somebody says something else. What the times say anyway is left to them.</summary>
    /// <returns>Null; else why it could not be set.</returns>
    public Task<string?> UseAsync(bool alternative, CancellationToken cancellationToken)
    {
        if (_settings is null || _engine is null || IsAlternative == alternative)
            return Task.FromResult<string?>(null);
        var mode = _engine.IsAlternativeTime == alternative ? "times" : alternative ? "always" : "never";
        return _settings.ChangeAsync(new Dictionary<string, string?>(StringComparer.Ordinal) { ["Torrents:AlternativeLimits"] = mode }, cancellationToken);
    }
}
