using System.Globalization;
using System.Net;
using System.Text;
using System.Xml;
using NzbDav.Arr.Client;
using NzbDav.Arr.Resources;

namespace NzbDav.Arr.Indexers;

/// <summary>How to reach an indexer with the Newznab or Torznab API. Immutable.</summary>
public sealed record IndexerOptions
{
    /// <summary>Its name here.</summary>
    public required string Name { get; init; }

    /// <summary>Its address: <c>https://indexer.example</c>, or the whole of <c>https://indexer.example/api</c>.</summary>
    public required string Url { get; init; }

    /// <summary>The key of the account, sent as <c>apikey</c> to this host only; null: it needs none.</summary>
    public string? ApiKey { get; init; }

    /// <summary>What programs that fetch from it are called; some indexers refuse those that they do not know.</summary>
    public string UserAgent { get; init; } = "NzbDav";

    /// <summary>Time-out of a search. Indexers that ask others take seconds.</summary>
    public TimeSpan Timeout { get; init; } = TimeSpan.FromSeconds(15);

    /// <summary>What is wrong with these options and what to do; null if they are valid.</summary>
    public string? Problem()
    {
        if (!Uri.TryCreate(Url, UriKind.Absolute, out var uri) || uri.Scheme is not ("http" or "https"))
            return "This is not an address: write it like https://indexer.example or http://prowlarr:9696/1.";
        if (uri.Query.Length > 0 || uri.Fragment.Length > 0 || uri.UserInfo.Length > 0)
            return "The address must have no user, query or fragment: the key has a setting of its own.";
        return ApiKey is not null && ApiKey.Any(static c => c is <= ' ' or > '~')
            ? "The API key has invalid characters: copy it from your account at the indexer." : null;
    }

    /// <summary>Name and address, without the key.</summary>
    public override string ToString() => $"{Name} at {Url}";
}

/// <summary>
/// Searches one indexer by the Newznab API, which Torznab extends for torrents (torznab.github.io/spec-1.3-draft). Failures are returned as
/// values; only cancellation by the caller throws. Thread-safe.
/// </summary>
public sealed class NewznabClient : IDisposable
{
    /// <summary>Most bytes of an answer: 100 releases have some 300 KB.</summary>
    private const int LongestAnswer = 16 << 20;

    /// <summary>Most characters of an indexer's own words that an error quotes.</summary>
    private const int QuotedLength = 300;

    private const string MovieCategory = "2000";
    private const string SeriesCategory = "5000";

    private readonly HttpClient _http;
    private readonly IndexerOptions _options;
    private readonly TimeProvider _time;
    private readonly string _base;

    /// <param name="options">How to reach it.</param>
    /// <param name="time">Clock of time-outs.</param>
    /// <param name="connect">Opens connections; null: the system does, one address after the other.</param>
    /// <exception cref="ArgumentException">The options have a <see cref="IndexerOptions.Problem"/>.</exception>
    public NewznabClient(IndexerOptions options, TimeProvider time,
        Func<SocketsHttpConnectionContext, CancellationToken, ValueTask<Stream>>? connect = null)
    {
        ArgumentNullException.ThrowIfNull(options);
        if (options.Problem() is { } problem)
            throw new ArgumentException(problem, nameof(options));
        (_options, _time) = (options, time);
        var url = options.Url.TrimEnd('/');
        _base = url.EndsWith("/api", StringComparison.OrdinalIgnoreCase) ? url : url + "/api";

        // A redirect would send the key to any host.
        var handler = new SocketsHttpHandler
        {
            AllowAutoRedirect = false,
            UseCookies = false,
            AutomaticDecompression = DecompressionMethods.All,
            PooledConnectionLifetime = TimeSpan.FromMinutes(5),
            ConnectCallback = connect,
        };
        _http = new HttpClient(handler) { Timeout = Timeout.InfiniteTimeSpan, MaxResponseContentBufferSize = LongestAnswer };
    }

    /// <summary>The options of this client.</summary>
    public IndexerOptions Options => _options;

    /// <summary>Searches by ids, and by words if that finds nothing or the indexer does not know the ids.</summary>
    public async Task<ArrResult<IReadOnlyList<Release>>> FindReleasesAsync(ReleaseQuery query, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(query);
        ArrResult<IReadOnlyList<Release>>? byId = null;
        if (query.HasId)
        {
            byId = await AskAsync(ById(query), cancellationToken);
            if (byId is { Succeeded: true, Value.Count: > 0 } or { Error.Kind: not ArrErrorKind.Rejected } || query.Words.Length == 0)
                return byId;
        }

        return query.Words.Length == 0
            ? byId ?? new([])
            : await AskAsync($"t=search&q={Uri.EscapeDataString(query.Words)}{CategoryOf(query.Kind)}", cancellationToken);
    }

    /// <inheritdoc/>
    public void Dispose() => _http.Dispose();

    private static string ById(ReleaseQuery query)
    {
        var text = new StringBuilder(query.Kind == ReleaseKind.Movie ? "t=movie" : "t=tvsearch");
        if (query is { Kind: ReleaseKind.Series, TvdbId: { } tvdb })
            text.Append(CultureInfo.InvariantCulture, $"&tvdbid={tvdb}");
        else if (query.ImdbId is { } imdb)
            text.Append(CultureInfo.InvariantCulture, $"&imdbid={Uri.EscapeDataString(imdb)}");
        else
            text.Append(CultureInfo.InvariantCulture, $"&tmdbid={query.TmdbId}");
        if (query is { Kind: ReleaseKind.Series, Season: { } season })
            text.Append(CultureInfo.InvariantCulture, $"&season={season}");
        if (query is { Kind: ReleaseKind.Series, Episode: { } episode })
            text.Append(CultureInfo.InvariantCulture, $"&ep={episode}");
        return text.Append(CategoryOf(query.Kind)).ToString();
    }

    private static string CategoryOf(ReleaseKind kind) => kind switch
    {
        ReleaseKind.Movie => $"&cat={MovieCategory}",
        ReleaseKind.Series => $"&cat={SeriesCategory}",
        _ => "",
    };

    private async Task<ArrResult<IReadOnlyList<Release>>> AskAsync(string query, CancellationToken cancellationToken)
    {
        using var late = new CancellationTokenSource(_options.Timeout, _time);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, late.Token);
        var key = _options.ApiKey is { } secret ? $"&apikey={Uri.EscapeDataString(secret)}" : "";
        try
        {
            using var request = new HttpRequestMessage(HttpMethod.Get, $"{_base}?{query}&extended=1&o=xml{key}");
            request.Headers.TryAddWithoutValidation("User-Agent", _options.UserAgent);
            using var response = await _http.SendAsync(request, HttpCompletionOption.ResponseContentRead, either.Token);
            var status = (int)response.StatusCode;
            if (status is >= 300 and < 400)
            {
                return Failed(
                    ArrErrorKind.Redirected, "it answers with a redirect, which would send the key elsewhere: write the final address.");
            }

            if (status is 401 or 403)
                return Failed(ArrErrorKind.Unauthorized, $"{status}: check the API key.");
            if (!response.IsSuccessStatusCode)
                return Failed(status == 404 ? ArrErrorKind.NotFound : ArrErrorKind.Failed, $"{status} {response.ReasonPhrase}.");
            return Read(await response.Content.ReadAsByteArrayAsync(either.Token));
        }
        catch (OperationCanceledException) when (!cancellationToken.IsCancellationRequested)
        {
            return Failed(ArrErrorKind.TimedOut, $"no answer within {_options.Timeout.TotalSeconds:0} s.");
        }
        catch (HttpRequestException e) when (e.HttpRequestError == HttpRequestError.ConfigurationLimitExceeded)
        {
            return Failed(ArrErrorKind.TooLarge, $"the answer is longer than {LongestAnswer >> 20} MiB.");
        }
        catch (HttpRequestException e)
        {
            return Failed(ArrErrorKind.Unreachable, $"{e.Message} Check host, port and https.");
        }
        catch (Exception e) when (e is InvalidDataException or InvalidOperationException or IOException)
        {
            // What was compressed cannot be unpacked; or the settings have changed meanwhile.
            return Failed(ArrErrorKind.NotArr, $"the answer cannot be read: {e.Message}");
        }
    }

    private ArrResult<IReadOnlyList<Release>> Read(byte[] answer)
    {
        var settings = new XmlReaderSettings { DtdProcessing = DtdProcessing.Prohibit, XmlResolver = null, IgnoreComments = true };
        var releases = new List<Release>();
        try
        {
            using var reader = XmlReader.Create(new MemoryStream(answer), settings);
            while (releases.Count < Release.MostPerAnswer && reader.Read())
            {
                if (reader.NodeType != XmlNodeType.Element)
                    continue;
                if (reader.LocalName == "error")
                    return OfError(reader.GetAttribute("code") ?? "", reader.GetAttribute("description") ?? "");
                if (reader.LocalName != "item")
                    continue;
                using var item = reader.ReadSubtree();
                if (NewznabItem.Read(item, _options.Name) is { } release)
                    releases.Add(release);
            }
        }
        catch (XmlException e)
        {
            return Failed(ArrErrorKind.NotArr, $"the answer is no XML ({e.Message}): check the address.");
        }

        return new(releases);
    }

    /// <summary>Newznab, "Error codes": 1xx account and key, 2xx the call, 300 no such item, 5xx limits, 9xx the indexer.</summary>
    private ArrResult<IReadOnlyList<Release>> OfError(string code, string description)
    {
        if (code == "300")
            return new([]);
        if (_options.ApiKey is { } key)
            description = description.Replace(key, "…", StringComparison.Ordinal);
        var kind = code switch
        {
            ['1', _, _] => ArrErrorKind.Unauthorized,
            ['2', _, _] => ArrErrorKind.Rejected,
            _ => ArrErrorKind.Failed,
        };
        return Failed(kind, $"error {code}: {(description.Length > QuotedLength ? description[..QuotedLength] : description)}");
    }

    private ArrResult<IReadOnlyList<Release>> Failed(ArrErrorKind kind, string what) => new(new ArrError(kind, $"{_options}: {what}"));
}

/// <summary>An item of a Newznab or Torznab feed.</summary>
internal static class NewznabItem
{
    private const string Magnet = "magnet:";

    /// <summary>Reads an item; null if it has no title or no link.</summary>
    /// <param name="item">At the beginning of the item; read to its end.</param>
    /// <param name="indexer">The indexer's name.</param>
    public static Release? Read(XmlReader item, string indexer)
    {
        string? title = null, link = null, enclosure = null, type = null, posted = null;
        long? size = null;
        var attributes = new Dictionary<string, string>(StringComparer.OrdinalIgnoreCase);
        item.Read();
        for (item.Read(); !item.EOF;)
        {
            if (item.NodeType != XmlNodeType.Element)
            {
                item.Read();
                continue;
            }

            // Feeds have atom:link beside their own.
            switch (item.NamespaceURI.Length == 0 || item.LocalName == "attr" ? item.LocalName : "")
            {
                case "title":
                    title = item.ReadElementContentAsString().Trim();
                    continue;
                case "link":
                    link = item.ReadElementContentAsString().Trim();
                    continue;
                case "pubDate":
                    posted = item.ReadElementContentAsString().Trim();
                    continue;
                case "size":
                    size = Number(item.ReadElementContentAsString());
                    continue;
                case "enclosure":
                    (enclosure, type) = (item.GetAttribute("url"), item.GetAttribute("type"));
                    size ??= Number(item.GetAttribute("length"));
                    break;
                case "attr" when item.GetAttribute("name") is { } name && item.GetAttribute("value") is { } value:
                    attributes.TryAdd(name, value);
                    break;
            }

            item.Skip();
        }

        var magnet = attributes.GetValueOrDefault("magneturl");
        var isTorrent = magnet is not null || type == "application/x-bittorrent" || attributes.ContainsKey("infohash")
            || attributes.ContainsKey("seeders") || (enclosure ?? link)?.StartsWith(Magnet, StringComparison.OrdinalIgnoreCase) == true;
        var address = magnet ?? enclosure ?? link;
        if (string.IsNullOrEmpty(title) || string.IsNullOrEmpty(address) || !Release.Fits(title, address))
            return null;
        return new Release
        {
            Title = title,
            Indexer = indexer,
            Link = address,
            IsTorrent = isTorrent,
            Size = Number(attributes.GetValueOrDefault("size")) ?? size,
            Posted = Date(attributes.GetValueOrDefault("usenetdate")) ?? Date(posted),
            Grabs = (int?)Number(attributes.GetValueOrDefault("grabs")),
            Seeders = (int?)Number(attributes.GetValueOrDefault("seeders")),
            InfoHash = attributes.GetValueOrDefault("infohash") is { Length: > 0 } hash ? hash.ToLowerInvariant() : null,
            HasPassword = attributes.GetValueOrDefault("password") is not (null or "0" or ""),
        };
    }

    private static long? Number(string? text) =>
        long.TryParse(text, NumberStyles.AllowLeadingWhite | NumberStyles.AllowTrailingWhite, CultureInfo.InvariantCulture, out var number)
            && number is > 0 and <= 1L << 50 ? number : text?.Trim() == "0" ? 0 : null;

    /// <summary>RFC 822, as feeds have it: <c>Sat, 14 Mar 2015 17:10:42 +0000</c>.</summary>
    private static DateTimeOffset? Date(string? text) =>
        DateTimeOffset.TryParse(text, CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal, out var date) ? date : null;
}
