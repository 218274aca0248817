using System.Globalization;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Authentication;
using System.Security.Cryptography.X509Certificates;
using NzbDav.Content.Dialling;
using NzbDav.Content.Proxies;
using NzbDav.Usenet.Accounts;

namespace NzbDav.Usenet.Nntp;

/// <summary>Opens a connection: TCP, TLS, greeting, AUTHINFO. Failures are values.</summary>
internal static class NntpHandshake
{
    /// <summary>Time limit for all steps together: enough for five round trips even over a satellite.</summary>
    public static readonly TimeSpan TimeLimit = TimeSpan.FromSeconds(15);

    /// <inheritdoc cref="OpenAsync(ProviderOptions, Dialler, Func{bool}, TimeProvider, CancellationToken)"/>
    public static Task<NntpConnectResult> OpenAsync(
        ProviderOptions options, Func<bool> othersOpen, TimeProvider time, CancellationToken cancellationToken) =>
        OpenAsync(options, Dialler.Shared, othersOpen, time, cancellationToken);

    /// <param name="options">The account.</param>
    /// <param name="dialler">Connects to its server.</param>
    /// <param name="othersOpen">True when other connections of the account are logged in. A refused login then means that the limit is
    /// reached.</param>
    /// <param name="time">Clock for the time limit.</param>
    /// <param name="cancellationToken">Fires when the connection is no longer needed.</param>
    /// <exception cref="OperationCanceledException"><paramref name="cancellationToken"/> fired.</exception>
    public static async Task<NntpConnectResult> OpenAsync(
        ProviderOptions options, Dialler dialler, Func<bool> othersOpen, TimeProvider time, CancellationToken cancellationToken)
    {
        using var limit = new CancellationTokenSource(TimeLimit, time);
        using var both = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, limit.Token);
        IDisposable? transport = null;
        Stream? stream = null;
        ReadAheadStream? below = null;
        var result = NntpConnectResult.Failed(NntpConnectFailure.Refused, "");
        try
        {
            if (options.Connect is { } connect)
            {
                stream = connect();
                transport = stream;
            }
            else
            {
                var socket = await NntpDialer.DialAsync(options, dialler, both.Token);
                transport = socket;
                stream = new NetworkStream(socket, ownsSocket: true);
            }

            if (options.UseTls)
                stream = await SecureAsync(below = new ReadAheadStream(stream), options, both.Token);
            result = await LoginAsync(stream, options, othersOpen, both.Token) ?? NntpConnectResult.Of(transport, stream, below);
        }
        catch (OperationCanceledException) when (!cancellationToken.IsCancellationRequested)
        {
            result = NntpConnectResult.Failed(
                NntpConnectFailure.TimedOut,
                $"{Address(options)} did not answer within {TimeLimit.TotalSeconds:0} s: check host, port and TLS (a TLS port is silent " +
                $"without it){(options.Proxy is { } proxy ? $", and the proxy {proxy}" : "")}.");
        }
        catch (ProxyException e)
        {
            result = NntpConnectResult.Failed(e.Fault is ProxyFault.Login or ProxyFault.Forbidden
                ? NntpConnectFailure.ProxyRefused : NntpConnectFailure.Proxy, e.Message);
        }
        catch (SocketException e)
        {
            result = Unreachable(e, options);
        }
        catch (AuthenticationException e)
        {
            result = NntpConnectResult.Failed(
                NntpConnectFailure.Tls, $"TLS with {Address(options)} failed: {(e.InnerException ?? e).Message}");
        }
        catch (IOException e)
        {
            result = options.UseTls && stream is not SslStream { IsAuthenticated: true }
                ? NntpConnectResult.Failed(
                    NntpConnectFailure.Tls, $"TLS with {Address(options)} failed: {e.Message} Check that this port speaks TLS.")
                : NntpConnectResult.Failed(
                    NntpConnectFailure.BadGreeting, $"{Address(options)} closed the connection while it was being opened: {e.Message}");
        }
        finally
        {
            if (result.Failure != NntpConnectFailure.None)
            {
                if (stream is not null)
                    await stream.DisposeAsync();
                transport?.Dispose();
            }
        }

        return result;
    }

    /// <summary>
    /// The result for a connection that could not be made. A DNS answer "try again" does not mean that the name is wrong.
    /// </summary>
    internal static NntpConnectResult Unreachable(SocketException error, ProviderOptions options) => error.SocketErrorCode switch
    {
        SocketError.HostNotFound or SocketError.NoData =>
            NntpConnectResult.Failed(
                NntpConnectFailure.UnknownHost, $"the host name '{options.Host}' cannot be resolved: check its spelling and the DNS."),
        SocketError.TryAgain =>
            NntpConnectResult.Failed(NntpConnectFailure.TimedOut, $"the DNS does not answer for the host name '{options.Host}'."),
        _ => NntpConnectResult.Failed(NntpConnectFailure.Refused, $"{Address(options)} cannot be reached: {error.Message}."),
    };

    private static async Task<Stream> SecureAsync(Stream stream, ProviderOptions options, CancellationToken cancellationToken)
    {
        var secure = new SslStream(stream, leaveInnerStreamOpen: false);
        try
        {
            // The runtime resumes TLS sessions while host and options stay the same. That saves a round trip per connection.
            await secure.AuthenticateAsClientAsync(Authentication(options), cancellationToken);
            return secure;
        }
        catch
        {
            await secure.DisposeAsync();
            throw;
        }
    }

    /// <summary>How to verify the certificate of an account's server.</summary>
    internal static SslClientAuthenticationOptions Authentication(ProviderOptions options)
    {
        var authentication = new SslClientAuthenticationOptions { TargetHost = options.Host };
        if (!options.VerifyCertificate)
        {
#pragma warning disable CA5359 // The user switched verification off for this provider, deliberately.
            authentication.RemoteCertificateValidationCallback = static (_, _, _, _) => true;
#pragma warning restore CA5359
        }
        else if (options.TrustedRoots is { } roots)
        {
            authentication.CertificateChainPolicy = new X509ChainPolicy
            {
                TrustMode = X509ChainTrustMode.CustomRootTrust,
                RevocationMode = X509RevocationMode.NoCheck,
            };
            authentication.CertificateChainPolicy.CustomTrustStore.AddRange(roots);
        }

        return authentication;
    }

    /// <returns>Null when the login succeeded.</returns>
    private static async Task<NntpConnectResult?> LoginAsync(
        Stream stream, ProviderOptions options, Func<bool> othersOpen, CancellationToken cancellationToken)
    {
        var reader = new NntpLineReader(stream);
        var greeting = await reader.NextAsync(cancellationToken);

        // RFC 3977 §5.1.1: 200 posting allowed, 201 posting prohibited, 400 temporarily unavailable, 502 permanently unavailable.
        if (greeting.Code is not (200 or 201))
            return Refusal(greeting, options, othersOpen(), NntpConnectFailure.BadGreeting);
        if (options.Username.Length == 0)
            return null;

        // RFC 4643 §2.3.1: "AUTHINFO USER username" → 281 accepted, 381 password required, 481 failed, 482 out of sequence, 502
        // unavailable.
        var answer = await reader.ExecuteAsync($"AUTHINFO USER {options.Username}\r\n", cancellationToken);
        if (answer.Code == 381)
            answer = await reader.ExecuteAsync($"AUTHINFO PASS {options.Password}\r\n", cancellationToken);
        return answer.Code == 281 ? null : Refusal(answer, options, othersOpen(), NntpConnectFailure.LoginRefused);
    }

    /// <summary>
    /// Makes a failure of an answer. Servers report too many connections with 400, 481, 482 or 502; only the text or the circumstances
    /// distinguish that from a wrong password.
    /// </summary>
    private static NntpConnectResult Refusal(NntpStatusLine answer, ProviderOptions options, bool othersOpen, NntpConnectFailure otherwise)
    {
        var answered = string.Create(CultureInfo.InvariantCulture, $"{Address(options)} answered \"{answer.Text}\"");
        if (IsAboutQuota(answer))
            return NntpConnectResult.Failed(NntpConnectFailure.LoginRefused, $"{answered}: the account has used up what it may download.");
        if (answer.Code is 400 or 481 or 482 or 502 && (othersOpen || IsAboutConnections(answer)))
            return NntpConnectResult.Failed(
                NntpConnectFailure.TooManyConnections, $"{answered}: the account allows fewer connections than configured.");
        return otherwise == NntpConnectFailure.LoginRefused
            ? NntpConnectResult.Failed(otherwise, $"{answered} to the login: check user name, password and that the account is paid for.")
            : NntpConnectResult.Failed(otherwise, $"{answered} instead of an NNTP greeting.");
    }

    /// <summary>True for an answer about the number of connections, whatever its code.</summary>
    internal static bool IsAboutConnections(NntpStatusLine answer) =>
        answer.Text.Contains("connection", StringComparison.OrdinalIgnoreCase)
        && (answer.Text.Contains("too many", StringComparison.OrdinalIgnoreCase)
            || answer.Text.Contains("limit", StringComparison.OrdinalIgnoreCase)
            || answer.Text.Contains("max", StringComparison.OrdinalIgnoreCase));

    /// <summary>True for an answer about the download quota, whatever its code.</summary>
    private static bool IsAboutQuota(NntpStatusLine answer)
    {
        return !IsAboutConnections(answer) && (Says("quota") || (Says("limit") && (Says("download") || Says("transfer") || Says("byte"))));

        bool Says(string word) => answer.Text.Contains(word, StringComparison.OrdinalIgnoreCase);
    }

    private static string Address(ProviderOptions options) => $"{options.Host}:{options.Port}";
}
