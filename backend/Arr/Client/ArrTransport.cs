using System.Net;
using System.Net.Http.Headers;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using Polly;
using Polly.Retry;

namespace NzbDav.Arr.Client;

/// <summary>
/// Sends calls. Adds the key, applies time-outs, repetitions and redirects, and returns answers as values. A POST may already have had an
/// effect, so it is repeated only if it never reached the application or was rejected before any effect (429, 503). Thread-safe.
/// </summary>
internal sealed class ArrTransport : IDisposable
{
    /// <summary>Most redirects that are followed: to https, to the URL base, and some more for proxies.</summary>
    private const int MostRedirects = 4;

    /// <summary>Most characters of an unexpected answer that an error quotes.</summary>
    private const int QuotedLength = 300;

    private static readonly TimeSpan LongestRetryAfter = TimeSpan.FromSeconds(30);

    private readonly HttpClient _http;
    private readonly ArrOptions _options;
    private readonly TimeProvider _time;
    private readonly Uri _base;
    private readonly ResiliencePipeline<ArrReply> _pipeline;

    public ArrTransport(
        ArrOptions options, string api, TimeProvider time,
        Func<SocketsHttpConnectionContext, CancellationToken, ValueTask<Stream>>? connect)
    {
        _options = options;
        _time = time;
        _base = new Uri($"{WithoutApi(options.Url, api)}/{api}/");

        // Redirects are followed here: the handler would send the key to any host, and turn a POST into a GET.
        var handler = new SocketsHttpHandler
        {
            AllowAutoRedirect = false,
            UseCookies = false,
            PooledConnectionLifetime = TimeSpan.FromMinutes(5),
            ConnectCallback = connect,
        };
        _http = new HttpClient(handler) { Timeout = Timeout.InfiniteTimeSpan, MaxResponseContentBufferSize = options.LongestAnswer };

        var builder = new ResiliencePipelineBuilder<ArrReply> { TimeProvider = time };
        if (options.Retries > 0)
        {
            builder.AddRetry(new RetryStrategyOptions<ArrReply>
            {
                ShouldHandle = static arguments => ValueTask.FromResult(arguments.Outcome.Result is { Transient: true }),
                MaxRetryAttempts = options.Retries,
                Delay = options.RetryDelay,
                BackoffType = DelayBackoffType.Exponential,
                DelayGenerator = static arguments => ValueTask.FromResult(arguments.Outcome.Result?.RetryAfter),
            });
        }

        _pipeline = builder.Build();
    }

    /// <summary>Sends a call whose answer has a value.</summary>
    public async Task<ArrResult<T>> SendAsync<T>(ArrCall call, JsonTypeInfo<T> type, CancellationToken cancellationToken)
        where T : class
    {
        var reply = await SendAsync(call, cancellationToken);
        if (reply.Error is { } error)
            return new(error);
        try
        {
            return JsonSerializer.Deserialize(reply.Body, type) is { } value ? new(value) : new(NotArr(call, "null"));
        }
        catch (JsonException e)
        {
            return new(NotArr(call, $"JSON that is not understood at {e.Path ?? "its beginning"}"));
        }
    }

    /// <summary>Sends a call. Throws only when the caller cancels.</summary>
    public async Task<ArrReply> SendAsync(ArrCall call, CancellationToken cancellationToken) => call.IsTriedOnce
        ? await AttemptAsync(call, cancellationToken)
        : await _pipeline.ExecuteAsync(
            static (state, token) => state.Self.AttemptAsync(state.Call, token), (Self: this, Call: call), cancellationToken);

    public void Dispose() => _http.Dispose();

    private static string WithoutApi(string url, string api)
    {
        var trimmed = url.TrimEnd('/');
        return trimmed.EndsWith("/" + api, StringComparison.OrdinalIgnoreCase) ? trimmed[..^(api.Length + 1)].TrimEnd('/') : trimmed;
    }

    private async ValueTask<ArrReply> AttemptAsync(ArrCall call, CancellationToken cancellationToken)
    {
        using var late = new CancellationTokenSource(call.Timeout, _time);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, late.Token);
        var repeatable = call.Method != HttpMethod.Post;
        try
        {
            var address = new Uri(_base, call.Path);
            for (var hop = 0; ; hop++)
            {
                using var request = Request(call, address);
                using var response = await _http.SendAsync(request, HttpCompletionOption.ResponseContentRead, either.Token);
                if (!IsRedirect(response.StatusCode))
                    return await ReadAsync(call, response, either.Token);
                if (hop == MostRedirects)
                    return Refused(call, response, "there are too many redirects; write the final address into the settings");
                if (response.Headers.Location is not { } location)
                    return Refused(call, response, "it has no Location header");
                var next = new Uri(address, location);
                if (FindRedirectFault(call, response.StatusCode, address, next) is { } why)
                    return Refused(call, response, why);
                address = next;
            }
        }
        catch (OperationCanceledException) when (!cancellationToken.IsCancellationRequested)
        {
            return new(Error(ArrErrorKind.TimedOut, call,
                $"no answer within {call.Timeout.TotalSeconds:0} s; is it running, and is the machine overloaded?"), [], repeatable);
        }
        catch (HttpRequestException e) when (e.HttpRequestError == HttpRequestError.ConfigurationLimitExceeded)
        {
            return new(Error(ArrErrorKind.TooLarge, call, $"the answer is longer than {_options.LongestAnswer} bytes."), []);
        }
        catch (HttpRequestException e)
        {
            var unsent = e.HttpRequestError is HttpRequestError.ConnectionError or HttpRequestError.NameResolutionError
                or HttpRequestError.SecureConnectionError;
            return new(Error(ArrErrorKind.Unreachable, call, $"{e.Message} Check host, port and https."), [], unsent || repeatable);
        }
    }

    private HttpRequestMessage Request(ArrCall call, Uri address)
    {
        var request = new HttpRequestMessage(call.Method, address);
        request.Headers.TryAddWithoutValidation("X-Api-Key", _options.ApiKey);
        request.Headers.Accept.Add(new MediaTypeWithQualityHeaderValue("application/json"));
        if (call.Body is { } body)
        {
            request.Content = new ByteArrayContent(body);
            request.Content.Headers.ContentType = new MediaTypeHeaderValue("application/json");
        }

        return request;
    }

    private static bool IsRedirect(HttpStatusCode status) =>
        status is HttpStatusCode.MovedPermanently or HttpStatusCode.Found or HttpStatusCode.SeeOther
        or HttpStatusCode.TemporaryRedirect or HttpStatusCode.PermanentRedirect;

    /// <summary>
    /// Why a redirect must not be followed; null if it may be. The applications answer 307 with their URL base, proxies 301 to https.
    /// </summary>
    private string? FindRedirectFault(ArrCall call, HttpStatusCode status, Uri from, Uri to)
    {
        var sameServer = from.Scheme == to.Scheme && from.Port == to.Port;
        var toTls = from.Scheme == Uri.UriSchemeHttp && to.Scheme == Uri.UriSchemeHttps;
        if (!string.Equals(from.IdnHost, to.IdnHost, StringComparison.OrdinalIgnoreCase) || !(sameServer || toTls))
            return $"it leads to {to.GetLeftPart(UriPartial.Authority)}, and the API key goes to the configured server only; write that " +
                $"address into the settings if it is right";

        // RFC 9110 15.4.4: 303 asks for a GET of another resource. 15.4.2 and 15.4.3: 301 and 302 keep the method, though clients may turn
        // POST into GET; this one does not.
        if (status == HttpStatusCode.SeeOther && call.Method != HttpMethod.Get)
            return "303 would turn the call into a GET";
        var path = new Uri(_base, call.Path).AbsolutePath;
        var api = path[path.IndexOf("/api/v", StringComparison.Ordinal)..];
        return to.AbsolutePath.EndsWith(api, StringComparison.Ordinal)
            ? null
            : $"it leads to {to.AbsolutePath}, which is not the API; a sign-in page in front of it must let /api through";
    }

    private ArrReply Refused(ArrCall call, HttpResponseMessage response, string why) =>
        new(Error(ArrErrorKind.Redirected, call, $"the redirect is not followed: {why}.") with { Status = (int)response.StatusCode }, []);

    private async Task<ArrReply> ReadAsync(ArrCall call, HttpResponseMessage response, CancellationToken cancellationToken)
    {
        var status = (int)response.StatusCode;
        var body = await response.Content.ReadAsByteArrayAsync(cancellationToken);
        if (response.IsSuccessStatusCode)
        {
            return response.Content.Headers.ContentType?.MediaType is "text/html"
                ? new(NotArr(call, "a page of HTML") with { Status = status }, [])
                : new(null, body);
        }

        var (message, validations) = ArrProblemReader.Read(body, QuotedLength);
        var (kind, advice) = response.StatusCode switch
        {
            HttpStatusCode.Unauthorized or HttpStatusCode.Forbidden => (ArrErrorKind.Unauthorized, "check the API key (Settings, General)"),
            HttpStatusCode.NotFound => (ArrErrorKind.NotFound, "not found; if every call says so, check the URL base"),
            HttpStatusCode.BadRequest or HttpStatusCode.Conflict => (ArrErrorKind.Rejected, "refused"),
            _ => (ArrErrorKind.Failed, "failed"),
        };
        var error = Error(kind, call, message.Length > 0 ? $"{status}, {advice}: {message}" : $"{status}, {advice}.")
            with
        { Status = status, Validations = validations };

        // 429 and 503 are refused before any effect. 408, 502 and 504 may have had an effect, so only repeatable calls are retried.
        var transient = status is 429 or 503 || (status is 408 or 502 or 504 && call.Method != HttpMethod.Post);
        return new(error, [], transient, transient ? RetryAfter(response) : null);
    }

    private TimeSpan? RetryAfter(HttpResponseMessage response)
    {
        var header = response.Headers.RetryAfter;
        var wait = header?.Delta ?? (header?.Date is { } date ? date - _time.GetUtcNow() : null);
        return wait is { } value ? TimeSpan.FromTicks(Math.Clamp(value.Ticks, 0, LongestRetryAfter.Ticks)) : null;
    }

    private ArrError NotArr(ArrCall call, string what) =>
        Error(ArrErrorKind.NotArr, call,
            $"the answer is {what}, not {_options.Application}'s API: check the application and the URL base.");

    // The query is left out, as it may contain data that does not belong in a log. The path identifies the call.
    private ArrError Error(ArrErrorKind kind, ArrCall call, string what) =>
        new(kind, $"{_options.Application} at {_options.Url}, {call.Method} {call.Path.Split('?')[0]}: {what}");
}

/// <summary>One API call. It may be sent several times, each time as a new HTTP message.</summary>
/// <param name="Method">GET, POST, PUT or DELETE.</param>
/// <param name="Path">Path below the API, without a leading slash, including the query.</param>
/// <param name="Body">JSON body; null: none.</param>
/// <param name="Timeout">Time-out of one attempt.</param>
internal sealed record ArrCall(HttpMethod Method, string Path, byte[]? Body, TimeSpan Timeout)
{
    /// <summary>True: it is not repeated, because somebody waits.</summary>
    public bool IsTriedOnce { get; init; }
}

/// <summary>The result of one attempt.</summary>
/// <param name="Error">Null on success.</param>
/// <param name="Body">The bytes of the answer on success.</param>
/// <param name="Transient">True if the call may safely be repeated and might then succeed.</param>
/// <param name="RetryAfter">Delay that the server requested; null: none.</param>
internal sealed record ArrReply(ArrError? Error, byte[] Body, bool Transient = false, TimeSpan? RetryAfter = null);
