using System.Text.Json.Serialization.Metadata;
using NzbDav.Arr.Resources;

namespace NzbDav.Arr.Client;

/// <summary>
/// Client of one instance of Sonarr, Radarr, Lidarr (api/v3, v3, v1) or Prowlarr (v1). Failures are returned as values; only cancellation
/// by the caller throws. Calls that fail temporarily are repeated (<see cref="ArrOptions.Retries"/>). Keep one client per instance: it
/// holds connections. Thread-safe.
/// </summary>
public sealed partial class ArrClient : IDisposable
{
    private readonly ArrTransport _transport;
    private readonly ArrDialect _dialect;

    /// <param name="options">How to reach the instance.</param>
    /// <param name="time">Clock of time-outs and waits; the system's if null.</param>
    /// <param name="connect">Opens connections; null: the system does, one address after the other.</param>
    /// <exception cref="ArgumentException">The options have a <see cref="ArrOptions.Problem"/>.</exception>
    public ArrClient(
        ArrOptions options, TimeProvider? time = null,
        Func<SocketsHttpConnectionContext, CancellationToken, ValueTask<Stream>>? connect = null)
    {
        ArgumentNullException.ThrowIfNull(options);
        if (options.Problem() is { } problem)
            throw new ArgumentException(problem, nameof(options));
        Options = options;
        _dialect = ArrDialect.Of(options.Application);
        _transport = new ArrTransport(options, _dialect.Api, time ?? TimeProvider.System, connect);
    }

    /// <summary>The options of this client.</summary>
    public ArrOptions Options { get; }

    /// <summary>The configured application. <see cref="SystemStatusAsync"/> returns the actual one.</summary>
    public ArrApplication Application => Options.Application;

    internal ArrDialect Dialect => _dialect;

    /// <summary>Identity and version. Use it to check address and key. An application other than the configured one is an error.</summary>
    public async Task<ArrResult<SystemStatus>> SystemStatusAsync(CancellationToken cancellationToken = default)
    {
        var result = await GetAsync("system/status", ArrJson.Default.SystemStatus, cancellationToken);
        if (!result.Succeeded || string.Equals(result.Value.AppName, Application.ToString(), StringComparison.OrdinalIgnoreCase))
            return result;
        return new(new ArrError(
            ArrErrorKind.NotArr,
            $"{Options.Url} is {(result.Value.AppName.Length > 0 ? result.Value.AppName : "something without a name")}, not " +
            $"{Application}: correct the application or the address."));
    }

    /// <inheritdoc/>
    public void Dispose() => _transport.Dispose();

    private Task<ArrResult<T>> GetAsync<T>(string path, JsonTypeInfo<T> type, CancellationToken cancellationToken)
        where T : class => _transport.SendAsync(new ArrCall(HttpMethod.Get, path, null, Options.Timeout), type, cancellationToken);

    private async Task<ArrError?> SendAsync(
        HttpMethod method, string path, byte[]? body, TimeSpan timeout, CancellationToken cancellationToken) =>
        (await _transport.SendAsync(new ArrCall(method, path, body, timeout), cancellationToken)).Error;

    /// <summary>Deletes an item. One that is already gone counts as deleted, since an earlier attempt may have deleted it.</summary>
    private async Task<ArrError?> DeleteAsync(string path, CancellationToken cancellationToken)
    {
        var error = await SendAsync(HttpMethod.Delete, path, null, Options.Timeout, cancellationToken);
        return error is { Kind: ArrErrorKind.NotFound } ? null : error;
    }

    /// <summary>Reads every page of a list. A row that moves to a later page in the meantime is returned once.</summary>
    private async Task<ArrResult<IReadOnlyList<T>>> PagesAsync<T>(
        string path, JsonTypeInfo<ArrPage<T>> type, CancellationToken cancellationToken)
        where T : class, IArrRow
    {
        var rows = new List<T>();
        var seen = new HashSet<int>();
        for (var page = 1; ; page++)
        {
            var result = await GetAsync($"{path}&page={page}&pageSize={Options.PageSize}", type, cancellationToken);
            if (!result.Succeeded)
                return new(result.Error);
            rows.AddRange(result.Value.Records.Where(row => seen.Add(row.Id)));

            // The server may return fewer rows per page than requested, so its own page size counts.
            var size = result.Value.PageSize > 0 ? result.Value.PageSize : Options.PageSize;
            if (result.Value.Records.Count == 0 || (long)page * size >= result.Value.TotalRecords)
                return new(rows);
            if (rows.Count >= Options.MostRows || page >= Options.MostRows)
                return new(new ArrError(ArrErrorKind.TooLarge, $"{Options}: {path.Split('?')[0]} has more than {Options.MostRows} rows."));
        }
    }

    private ArrResult<T> NotSupported<T>(string what)
        where T : class => new(NotSupported(what));

    private ArrError NotSupported(string what) => new(ArrErrorKind.NotSupported, $"{Application} has no {what}.");
}

/// <summary>The names that one application uses in its API. Immutable.</summary>
/// <param name="Api">Path of the API below the URL base, without leading or trailing slash.</param>
/// <param name="UnknownItems">Query parameter that includes queue rows which belong to nothing in the library; null: the application has no
/// queue.</param>
/// <param name="FileResource">Resource of the library's files.</param>
/// <param name="OwnerResource">Resource of the series, films or artists that own files; null: the application has no library.</param>
/// <param name="OwnerParameter">Query parameter that names the owner.</param>
/// <param name="CategoryField">Field for the category in the settings of a download client.</param>
internal sealed record ArrDialect(
    string Api,
    string? UnknownItems,
    string? FileResource,
    string? OwnerResource,
    string? OwnerParameter,
    string CategoryField)
{
    private static readonly ArrDialect Sonarr = new(
        "api/v3", "includeUnknownSeriesItems", "episodefile", "series", "seriesId", "tvCategory");
    private static readonly ArrDialect Radarr = new("api/v3", "includeUnknownMovieItems", "moviefile", "movie", "movieId", "movieCategory");
    private static readonly ArrDialect Lidarr = new(
        "api/v1", "includeUnknownArtistItems", "trackfile", "artist", "artistId", "musicCategory");
    private static readonly ArrDialect Prowlarr = new("api/v1", null, null, null, null, "category");

    public static ArrDialect Of(ArrApplication application) => application switch
    {
        ArrApplication.Sonarr => Sonarr,
        ArrApplication.Radarr => Radarr,
        ArrApplication.Lidarr => Lidarr,
        ArrApplication.Prowlarr => Prowlarr,
        _ => throw new ArgumentOutOfRangeException(nameof(application), application, "Sonarr, Radarr, Lidarr or Prowlarr."),
    };
}
