using System.Net;
using System.Text;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using NzbDav.Content.Secrets;
using NzbDav.WebDav.Requests;

namespace NzbDav.WebDav.Access;

/// <summary>
/// Basic authentication (RFC 7617; UTF-8, or ISO 8859-1 from clients that ignore the charset). For a burst of range requests the cost is
/// one HMAC each; the password hash runs once a minute. A header that was right before is never throttled, and one wrong header sent
/// repeatedly counts once per lifetime, so only guessing is limited. Sets no cookie and never redirects.
/// </summary>
public sealed partial class WebDavAuthentication
{
    private const int MaxHeader = 4096;

    /// <summary>Purpose under which verdicts on headers are stored.</summary>
    private const string Purpose = "basic";

    private static readonly UTF8Encoding Strict = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);

    private readonly AttemptMemory _memory;
    private readonly ICredentialCheck? _check;
    private readonly IAdmissionListener? _listener;
    private readonly IOptionsMonitor<WebDavOptions> _options;
    private readonly ILogger<WebDavAuthentication> _logger;

    public WebDavAuthentication(
        IOptionsMonitor<WebDavOptions> options, AttemptMemory memory, ILogger<WebDavAuthentication> logger,
        ICredentialCheck? check = null, IAdmissionListener? listener = null)
    {
        ArgumentNullException.ThrowIfNull(options);
        _options = options;
        _logger = logger;
        _check = check;
        _listener = listener;
        _memory = memory;
    }

    /// <summary>Discards cached verdicts at once. Call after a password has changed.</summary>
    public void Forget() => _memory.Forget(SecretScope.WebDav);

    /// <summary>Decides whether the request may continue; if not, responds to it.</summary>
    /// <returns>True if the request may continue.</returns>
    internal async ValueTask<bool> AdmitAsync(HttpContext http)
    {
        if (_options.CurrentValue.Anonymous)
        {
            _listener?.Admitted(http);
            return true;
        }

        var access = await DecideAsync(http.Request.Headers.Authorization, http.Connection.RemoteIpAddress);
        if (access == SecretVerdict.Right)
        {
            _listener?.Admitted(http);
            return true;
        }

        Reply.RefuseBody(http);
        if (access == SecretVerdict.Throttled)
        {
            Reply.SetRetryAfter(http.Response, AttemptMemory.Trickle);
            await Reply.TextAsync(http, StatusCodes.Status429TooManyRequests, "Too many wrong passwords from this address.");
            return false;
        }

        http.Response.Headers.WWWAuthenticate = "Basic realm=\"NzbDav\", charset=\"UTF-8\"";
        await Reply.Status(http, StatusCodes.Status401Unauthorized);
        return false;
    }

    private ValueTask<SecretVerdict> DecideAsync(string? header, IPAddress? address)
    {
        const string Scheme = "Basic ";
        if (_check is null || header is null || header.Length > MaxHeader || !header.StartsWith(Scheme, StringComparison.OrdinalIgnoreCase))
            return ValueTask.FromResult(SecretVerdict.Wrong);
        if (_memory.Recall(SecretScope.WebDav, Purpose, header) is { } known)
            return ValueTask.FromResult(known);
        return TryDecode(header.AsSpan(Scheme.Length)) is var (user, password)
            ? CheckAsync(header, user, password, address)
            : ValueTask.FromResult(SecretVerdict.Wrong);
    }

    private async ValueTask<SecretVerdict> CheckAsync(string header, string user, string password, IPAddress? address)
    {
        var lifetime = _options.CurrentValue.CredentialLifetime;
        var verdict = await _memory.TryAsync(
            SecretScope.WebDav, address, Purpose, header, new VerdictLifetimes(lifetime, lifetime), async () =>
        {
            // Other requests may await this verdict, so the first request's cancellation must not end it.
            var right = await _check!.IsValidAsync(user, password, CancellationToken.None);
            if (!right)
                LogDenied(_logger, address);
            return right;
        });
        if (verdict == SecretVerdict.Throttled && _memory.DrainRefusedCount() is > 0 and var refused)
            LogThrottled(_logger, refused, address);
        return verdict;
    }

    // user-pass = user-id ":" password ; "a user-id containing a colon character is invalid"
    private static (string User, string Password)? TryDecode(ReadOnlySpan<char> base64)
    {
        Span<byte> bytes = new byte[base64.Length];
        if (!Convert.TryFromBase64Chars(base64.Trim(), bytes, out var length))
            return null;
        var text = Text(bytes[..length]);
        var colon = text.IndexOf(':', StringComparison.Ordinal);
        return colon < 0 ? null : (text[..colon], text[(colon + 1)..]);
    }

    // UTF-8 as the challenge requests. libsoup, and so GNOME Files, sends ISO 8859-1 instead if the text has only such characters.
    private static string Text(ReadOnlySpan<byte> bytes)
    {
        try
        {
            return Strict.GetString(bytes);
        }
        catch (DecoderFallbackException)
        {
            return Encoding.Latin1.GetString(bytes);
        }
    }

    [LoggerMessage(120, LogLevel.Warning, "wrong WebDAV credentials from {Address}")]
    private static partial void LogDenied(ILogger logger, IPAddress? address);

    [LoggerMessage(
        121, LogLevel.Warning, "too many wrong passwords: {Refused} attempts were not looked at, the last for WebDAV from {Address}")]
    private static partial void LogThrottled(ILogger logger, long refused, IPAddress? address);
}
