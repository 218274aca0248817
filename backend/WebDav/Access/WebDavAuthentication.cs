using System.Buffers;
using System.Buffers.Binary;
using System.Net;
using System.Security.Cryptography;
using System.Text;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using NzbDav.WebDav.Requests;

namespace NzbDav.WebDav.Access;

/// <summary>
/// Basic authentication (RFC 7617; UTF-8, or ISO 8859-1 from clients that ignore that). A player's storm of ranges pays for one HMAC per request; the password hash runs once a
/// minute. A header that was right before is never slowed down, and one wrong header sent over and over counts once per lifetime,
/// so only guessing is limited. Sets no cookie and never redirects.
/// </summary>
public sealed partial class WebDavAuthentication
{
    private const int MaxHeader = 4096;

    private static readonly UTF8Encoding Strict = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);

    private readonly byte[] _key = RandomNumberGenerator.GetBytes(32);
    private readonly VerdictCache _verdicts = new();
    private readonly FailureLimiter _limiter;
    private readonly ICredentialCheck? _check;
    private readonly IOptionsMonitor<WebDavOptions> _options;
    private readonly TimeProvider _time;
    private readonly ILogger<WebDavAuthentication> _logger;

    public WebDavAuthentication(
        IOptionsMonitor<WebDavOptions> options, FailureLimiter limiter, TimeProvider time, ILogger<WebDavAuthentication> logger, ICredentialCheck? check = null)
    {
        ArgumentNullException.ThrowIfNull(options);
        _options = options;
        _time = time;
        _logger = logger;
        _check = check;
        _limiter = limiter;
    }

    /// <summary>Call after a password changed: cached verdicts end at once.</summary>
    public void Forget() => _verdicts.Clear();

    /// <summary>Decides, and answers the request itself unless it may go on.</summary>
    /// <returns>True if the request may go on.</returns>
    internal async ValueTask<bool> AdmitAsync(HttpContext http)
    {
        if (_options.CurrentValue.Anonymous)
            return true;
        var access = await DecideAsync(http.Request.Headers.Authorization, http.Connection.RemoteIpAddress);
        if (access == AccessVerdict.Granted)
            return true;
        Reply.RefuseBody(http);
        if (access == AccessVerdict.Throttled)
        {
            Reply.SetRetryAfter(http.Response, FailureLimiter.Trickle);
            await Reply.TextAsync(http, StatusCodes.Status429TooManyRequests, "Too many wrong passwords from this address.");
            return false;
        }

        http.Response.Headers.WWWAuthenticate = "Basic realm=\"NzbDav\", charset=\"UTF-8\"";
        await Reply.Status(http, StatusCodes.Status401Unauthorized);
        return false;
    }

    private ValueTask<AccessVerdict> DecideAsync(string? header, IPAddress? address)
    {
        const string Scheme = "Basic ";
        if (_check is null || header is null || header.Length > MaxHeader || !header.StartsWith(Scheme, StringComparison.OrdinalIgnoreCase))
            return ValueTask.FromResult(AccessVerdict.Denied);
        var digest = Digest(header);
        return _verdicts.Find(digest, _time.GetUtcNow(), out var wasRight) switch
        {
            true => ValueTask.FromResult(AccessVerdict.Granted),
            false => ValueTask.FromResult(AccessVerdict.Denied),
            null when TryDecode(header.AsSpan(Scheme.Length)) is var (user, password) => CheckAsync(digest, user, password, wasRight, address),
            null => ValueTask.FromResult(AccessVerdict.Denied),
        };
    }

    private async ValueTask<AccessVerdict> CheckAsync(UInt128 digest, string user, string password, bool wasRight, IPAddress? address)
    {
        var generation = _verdicts.Generation;
        var outcome = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        var running = _verdicts.Join(digest, outcome.Task);
        if (running != outcome.Task)
            return await running ? AccessVerdict.Granted : AccessVerdict.Denied;
        if (!wasRight && !_limiter.TryBegin(address))
        {
            _verdicts.End(digest, right: null, default, generation);
            outcome.SetResult(false);
            LogThrottled(_logger, address);
            return AccessVerdict.Throttled;
        }

        bool? right = null;
        try
        {
            // Other requests may await this verdict, so the first request's cancellation must not end it.
            right = await _check!.IsValidAsync(user, password, CancellationToken.None);
        }
        finally
        {
            _verdicts.End(digest, right, _time.GetUtcNow() + _options.CurrentValue.CredentialLifetime, generation);
            outcome.SetResult(right == true);
            if (!wasRight && right != false)
                _limiter.Forgive(address);
        }

        if (right == true)
            return AccessVerdict.Granted;
        LogDenied(_logger, address);
        return AccessVerdict.Denied;
    }

    private UInt128 Digest(string header)
    {
        Span<byte> mac = stackalloc byte[HMACSHA256.HashSizeInBytes];
        var bytes = ArrayPool<byte>.Shared.Rent(Encoding.UTF8.GetMaxByteCount(header.Length));
        var length = Encoding.UTF8.GetBytes(header, bytes);
        HMACSHA256.HashData(_key, bytes.AsSpan(0, length), mac);
        CryptographicOperations.ZeroMemory(bytes.AsSpan(0, length));
        ArrayPool<byte>.Shared.Return(bytes);
        return BinaryPrimitives.ReadUInt128LittleEndian(mac);
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

    // UTF-8 as the challenge asks. libsoup, and GNOME Files with it, sends ISO 8859-1 all the same where the text has only such characters.
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
}
