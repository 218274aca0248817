using System.Net;
using System.Text.Json;
using Microsoft.Extensions.Logging;
using NzbDav.Access.Outbound;
using NzbDav.Api.Native.Play;
using NzbDav.Api.Sab.Calls;
using NzbDav.Catalog.Settings;

namespace NzbDav.Api.Stremio;

/// <summary>The title of a film or series.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Year">The year of a film, or of a series' first episode; null: not known.</param>
internal sealed record KnownTitle(string Name, int? Year);

/// <summary>
/// Asks other Stremio add-ons for the title of an id: the library and many indexers know titles alone. Remembers the answers. Thread-safe.
/// </summary>
internal sealed partial class StremioTitles : IDisposable
{
    /// <summary>How long an answer may take: the streams are waited for meanwhile.</summary>
    private static readonly TimeSpan Longest = TimeSpan.FromSeconds(4);

    private static readonly TimeSpan Remembered = TimeSpan.FromDays(1);

    /// <summary>How long it is remembered that there was no answer.</summary>
    private static readonly TimeSpan RememberedFailure = TimeSpan.FromMinutes(2);

    /// <summary>Most titles that are remembered; all go together.</summary>
    private const int Most = 2_000;

    /// <summary>Longest answer in bytes: a series of a thousand episodes with their summaries has one.</summary>
    private const int LongestAnswer = 4 << 20;

    private readonly IReleaseSearch _search;
    private readonly TimeProvider _time;
    private readonly ILogger<StremioTitles> _logger;
    private readonly HttpClient _http;
    private readonly Lock _gate = new();
    private readonly Dictionary<Uri, (KnownTitle? Title, DateTimeOffset Until)> _known = [];

    public StremioTitles(
        IReleaseSearch search, Live<SabOptions> options, OwnNetworks own, TimeProvider time, ILogger<StremioTitles> logger)
    {
        (_search, _time, _logger) = (search, time, logger);
        var guard = new OutboundGuard(() => options.Value.PrivateHosts, "NzbDav__Api__PrivateHosts", own: own);
        var handler = guard.CreateHandler();
        handler.AutomaticDecompression = DecompressionMethods.All;
        _http = new HttpClient(handler) { Timeout = Timeout.InfiniteTimeSpan, MaxResponseContentBufferSize = LongestAnswer };
        _http.DefaultRequestHeaders.Add("User-Agent", SabOptions.DefaultUserAgent);
    }

    /// <inheritdoc/>
    public void Dispose() => _http.Dispose();

    /// <summary>The title of an id; null: no add-on knows it, or none may be asked.</summary>
    public async Task<KnownTitle?> FindAsync(StremioId id, bool isSeries, CancellationToken cancellationToken)
    {
        var root = id.Source switch
        {
            StremioId.Imdb => _search.Options.Titles,
            StremioId.Kitsu => _search.Options.AnimeTitles,
            _ => null,
        };
        if (root is null)
            return null;
        var name = Uri.EscapeDataString(id.Source == StremioId.Imdb ? "tt" + id.Number : $"{id.Source}:{id.Number}");
        var address = new Uri($"{root.AbsoluteUri.TrimEnd('/')}/meta/{(isSeries ? "series" : "movie")}/{name}.json");
        lock (_gate)
        {
            if (_known.TryGetValue(address, out var known) && known.Until > _time.GetUtcNow())
                return known.Title;
        }

        var title = default(KnownTitle);
        var isAnswered = false;
        using var late = new CancellationTokenSource(Longest, _time);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, late.Token);
        try
        {
            using var response = await _http.GetAsync(address, either.Token);
            isAnswered = response.IsSuccessStatusCode || response.StatusCode == HttpStatusCode.NotFound;
            if (response.IsSuccessStatusCode)
                title = Read(await response.Content.ReadAsByteArrayAsync(either.Token));
            else if (!isAnswered)
                LogNoTitle(_logger, root.Host, $"it answers {(int)response.StatusCode}");
        }
        catch (OperationCanceledException) when (!cancellationToken.IsCancellationRequested)
        {
            LogNoTitle(_logger, root.Host, $"no answer within {Longest.TotalSeconds} s");
        }
        catch (Exception e) when (e is HttpRequestException or JsonException or IOException or InvalidOperationException)
        {
            LogNoTitle(_logger, root.Host, e.InnerException is RefusedAddressException refused ? refused.Message : e.Message);
        }

        lock (_gate)
        {
            if (_known.Count >= Most)
                _known.Clear();
            _known[address] = (title, _time.GetUtcNow() + (isAnswered ? Remembered : RememberedFailure));
        }

        return title;
    }

    private static KnownTitle? Read(byte[] answer)
    {
        using var json = JsonDocument.Parse(answer);
        if (json.RootElement.ValueKind != JsonValueKind.Object || !json.RootElement.TryGetProperty("meta", out var meta)
            || meta.ValueKind != JsonValueKind.Object || !meta.TryGetProperty("name", out var name)
            || name.ValueKind != JsonValueKind.String || name.GetString() is not { Length: > 0 } text)
            return null;

        // 1999, or 2008–2013.
        var year = default(int?);
        foreach (var field in (string[])["year", "releaseInfo"])
        {
            if (year is null && meta.TryGetProperty(field, out var value) && value.ToString() is { Length: >= 4 } years
                && int.TryParse(years.AsSpan(0, 4), out var number))
                year = number;
        }

        return new KnownTitle(text.Length > 150 ? text[..150] : text, year);
    }

    [LoggerMessage(1841, LogLevel.Warning, "{Host} does not tell a title: {Reason}. Without it, only ids are searched for.")]
    private static partial void LogNoTitle(ILogger logger, string host, string reason);
}
