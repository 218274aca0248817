using System.Globalization;
using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Authentication;
using NzbDav.Content.Dialling;
using NzbDav.Content.Proxies;
using NzbDav.Usenet.Accounts;
using NzbDav.Usenet.Nntp;

namespace NzbDav.Usenet.Checks;

/// <summary>
/// The first connection of a check. <see cref="NntpHandshake"/> opens a connection in one call; this one is opened step by step, to report
/// each. A step that fails throws a <see cref="CheckFailedException"/>. Owns the connection until <see cref="DetachConnection"/>.
/// </summary>
internal sealed class CheckedLogin(CheckOptions options, TimeProvider time) : IAsyncDisposable
{
    private IPAddress[] _addresses = [];
    private Stream? _stream;
    private CheckedConnection? _connection;

    /// <summary>True when the account allows no connection in addition to those of this server.</summary>
    private bool _isFull;

    private ProviderOptions Account => options.Account;

    private string Address => $"{Account.Host}:{Account.Port}";

    public async Task<(bool Ok, string Message)> ResolveAsync(CancellationToken cancellationToken)
    {
        // With a proxy only the proxy's own name is resolved here.
        var (host, whose) = Account.Proxy is { } proxy ? (proxy.Host, "of the proxy ") : (Account.Host, "");
        var rest = Account.Proxy is null ? "" : $" The proxy looks up {Account.Host}.";
        if (IPAddress.TryParse(host, out var literal))
        {
            _addresses = [literal];
            return (true, $"{host} is an address.{rest}");
        }

        try
        {
            _addresses = await Dns.GetHostAddressesAsync(host, cancellationToken);
        }
        catch (SocketException error)
        {
            throw new CheckFailedException(error.SocketErrorCode == SocketError.TryAgain
                ? $"The name {whose}{host} could not be looked up: no DNS server answered. Check this machine's network."
                : Account.Proxy is null ? $"The name {host} does not exist. Check its spelling; the provider's help pages name the host."
                : $"The name of the proxy {host} does not exist. Check its spelling.");
        }

        if (_addresses.Length == 0)
            throw new CheckFailedException($"The name {whose}{host} has no address. Check its spelling.");
        var others = _addresses.Length == 1 ? "" : string.Create(CultureInfo.InvariantCulture, $" and {_addresses.Length - 1} more");
        return (true, $"{host} is {_addresses[0]}{others}.{rest}");
    }

    public async Task<(bool Ok, string Message)> ConnectAsync(CancellationToken cancellationToken)
    {
        if (Account.Proxy is { } proxy)
        {
            try
            {
                _stream = new NetworkStream(await NntpDialer.DialAsync(Account, Dialler.Shared, cancellationToken), ownsSocket: true);
                return (true, $"Connected to {Address} through the proxy {proxy}.");
            }
            catch (ProxyException error)
            {
                throw new CheckFailedException(error.Message);
            }
        }

        try
        {
            var socket = await Dialler.Shared.ConnectAsync(_addresses, Account.Port, cancellationToken);
            var where = socket.RemoteEndPoint;
            _stream = new NetworkStream(socket, ownsSocket: true);
            return (true, $"Connected to {where}.");
        }
        catch (SocketException error)
        {
            throw new CheckFailedException(error.SocketErrorCode switch
            {
                SocketError.ConnectionRefused =>
                    $"Nothing listens on port {Account.Port} of {Account.Host}. Check the port: usually 563 with TLS and 119 without.",
                SocketError.HostUnreachable or SocketError.NetworkUnreachable =>
                    $"There is no way to {Address}. Check this machine's network, VPN and firewall.",
                _ => $"{Address} cannot be reached: {error.Message.TrimEnd('.')}.",
            });
        }
    }

    public async Task<(bool Ok, string Message)> SecureAsync(CancellationToken cancellationToken)
    {
        var judge = new CertificateValidator(Account.Host, time);
        var authentication = NntpHandshake.Authentication(Account);
        authentication.RemoteCertificateValidationCallback = (_, certificate, chain, errors) =>
        {
            judge.Evaluate(certificate, chain, errors);
            return !Account.VerifyCertificate || errors == SslPolicyErrors.None;
        };
        var secure = new SslStream(_stream!, leaveInnerStreamOpen: false);
        _stream = secure;
        try
        {
            await secure.AuthenticateAsClientAsync(authentication, cancellationToken);
        }
        catch (Exception error) when (error is AuthenticationException or IOException)
        {
            throw new CheckFailedException(judge.Fault is { } fault
                ? $"The certificate is not accepted: {fault}. Use the host name that the provider gives; switch the check of " +
                    $"certificates off only for a server of your own."
                : $"Port {Account.Port} does not speak TLS ({(error.InnerException ?? error).Message.TrimEnd('.')}). Use the TLS port, " +
                    $"usually 563, or switch TLS off.");
        }

        var name = secure.SslProtocol == SslProtocols.Tls13
            ? "TLS 1.3" : secure.SslProtocol == SslProtocols.Tls12 ? "TLS 1.2" : secure.SslProtocol.ToString();
        return (true,
            judge.Fault is { } wrong ? $"{name}, but nobody checks the certificate, and {wrong}." : $"{name}, {judge.Description}.");
    }

    public async Task<(bool Ok, string Message)> ReadGreetingAsync(CancellationToken cancellationToken)
    {
        _connection = new CheckedConnection(_stream!);
        _stream = null;
        NntpStatusLine greeting;
        try
        {
            greeting = await _connection.Lines.NextAsync(cancellationToken);
        }
        catch (IOException)
        {
            throw new CheckFailedException(
                $"{Address} closed the connection without a " +
                $"greeting.{(Account.UseTls ? " The provider may refuse this address." : " Is TLS needed on this port?")}");
        }

        // RFC 3977 §5.1.1: 200 posting allowed, 201 posting prohibited, 400 temporarily unavailable, 502 permanently unavailable.
        return greeting.Code switch
        {
            200 or 201 => (true, $"The server greets: {greeting.Text}"),
            400 or 502 when NntpHandshake.IsAboutConnections(greeting) => Full(greeting),
            400 => throw new CheckFailedException(
                $"The server is not available at the moment: it said \"{greeting.Text}\". Try again later."),
            502 => throw new CheckFailedException(
                $"The server does not serve this address: it said \"{greeting.Text}\". Ask the provider."),
            _ => throw new CheckFailedException($"This is no news server: it said \"{greeting.Text}\". Check host and port."),
        };
    }

    public async Task<(bool Ok, string Message)> LogInAsync(CancellationToken cancellationToken)
    {
        if (_isFull)
            return (true, string.Create(
                CultureInfo.InvariantCulture, $"This server is logged in with the same account on {options.OwnConnections} connections."));
        var lines = _connection!.Lines;
        if (Account.Username.Length == 0)
            return await ProbeWithoutLoginAsync(lines, cancellationToken);

        // RFC 4643 §2.3.1: "AUTHINFO USER username" → 281 accepted, 381 password required, 481 failed, 482 out of sequence, 502
        // unavailable.
        var answer = await lines.ExecuteAsync($"AUTHINFO USER {Account.Username}\r\n", cancellationToken);
        if (answer.Code == 381)
            answer = await lines.ExecuteAsync($"AUTHINFO PASS {Account.Password}\r\n", cancellationToken);
        if (answer.Code == 281)
            return (true, $"User name and password are right: {answer.Text}");
        if (answer.Code is 400 or 481 or 482 or 502 && (options.OwnConnections > 0 || NntpHandshake.IsAboutConnections(answer)))
            return Full(answer);
        throw new CheckFailedException(answer.Code switch
        {
            481 => $"User name or password is wrong: the server said \"{answer.Text}\". Type both again; they are often others than " +
                $"those of the provider's website.",
            482 => $"The server rejects the login: it said \"{answer.Text}\". Providers say so when an account has expired, is blocked " +
                $"or has no data left: look at the provider's website, then at user name and password.",
            502 => $"The server does not let this account in: it said \"{answer.Text}\". The account may have expired, or all its " +
                $"connections are in use elsewhere.",
            483 => $"The server wants TLS: it said \"{answer.Text}\". Switch TLS on and use the TLS port, usually 563.",
            _ => $"The server did not accept the login: it said \"{answer.Text}\". Check user name and password.",
        });
    }

    /// <summary>The message for a step that got no answer in time.</summary>
    public static string ExplainSilence(ProviderOptions account, CheckStep step) => step switch
    {
        CheckStep.Resolve when account.Proxy is { } proxy =>
            $"The name of the proxy {proxy} was not resolved in time: the DNS server does not answer. Check this machine's network.",
        CheckStep.Resolve =>
            $"The name {account.Host} was not resolved in time: the DNS server does not answer. Check this machine's network.",
        CheckStep.Connect when account.Proxy is { } proxy =>
            $"No answer through the proxy {proxy}: either it is silent, or {account.Host}:{account.Port} is. Check both; a firewall may " +
            $"be in the way.",
        CheckStep.Connect => $"{account.Host}:{account.Port} does not answer. Check host and port; a firewall may be in the way.",
        CheckStep.Tls =>
            $"{account.Host}:{account.Port} accepts the connection and does not answer to TLS. Use the TLS port, usually 563, or switch " +
            $"TLS off.",
        CheckStep.Greeting when !account.UseTls =>
            $"{account.Host}:{account.Port} accepts the connection and says nothing: a TLS port does so without TLS. Switch TLS on.",
        CheckStep.Greeting => $"{account.Host}:{account.Port} accepts the connection and does not greet. Check host and port.",
        _ => $"{account.Host}:{account.Port} fell silent. Try again; if it stays so, ask the provider.",
    };

    /// <summary>
    /// Passes ownership of the connection to the caller. Null when the account allows none in addition to those of this server.
    /// </summary>
    public CheckedConnection? DetachConnection()
    {
        if (_isFull)
            return null;
        var connection = _connection;
        _connection = null;
        return connection;
    }

    public async ValueTask DisposeAsync()
    {
        if (_connection is not null)
            await _connection.DisposeAsync();
        if (_stream is not null)
            await _stream.DisposeAsync();
    }

    /// <summary>Checks without a user name whether the server requires one.</summary>
    private static async Task<(bool Ok, string Message)> ProbeWithoutLoginAsync(NntpLineReader lines, CancellationToken cancellationToken)
    {
        var answer = await lines.ExecuteAsync("DATE\r\n", cancellationToken);

        // RFC 4643 §2.2: 480 authentication required.
        return answer.Code == 480
            ? throw new CheckFailedException($"This server wants a user name and a password: it said \"{answer.Text}\".")
            : (true, "The server asks for no login.");
    }

    /// <summary>Result of a step for an account without a free connection.</summary>
    private (bool Ok, string Message) Full(NntpStatusLine answer)
    {
        if (options.OwnConnections == 0)
            throw new CheckFailedException(
                $"All connections of this account are in use: the server said \"{answer.Text}\". Close other programs that use it, or " +
                $"wait a minute for it to forget lost ones.");
        _isFull = true;
        return (true, string.Create(CultureInfo.InvariantCulture,
            $"The server grants no connection beside the {options.OwnConnections} that this server has open: it said \"{answer.Text}\"."));
    }
}

/// <summary>A logged-in connection of a check. Owned by its opener. Disposal sends QUIT, so that the server no longer counts it.</summary>
internal sealed class CheckedConnection(Stream stream) : IAsyncDisposable
{
    /// <summary>Longest wait for the answer to QUIT.</summary>
    private static readonly TimeSpan QuitTimeout = TimeSpan.FromMilliseconds(500);

    private const int Receive = 64 << 10;

    /// <summary>Sends commands and reads answers.</summary>
    public NntpLineReader Lines { get; } = new(stream, Receive);

    /// <summary>True while answers are outstanding. No further command can be sent.</summary>
    public bool IsBusy { get; set; }

    public async ValueTask DisposeAsync()
    {
        try
        {
            if (!IsBusy)
            {
                using var timeout = new CancellationTokenSource(QuitTimeout);
                await Lines.ExecuteAsync("QUIT\r\n", timeout.Token);
            }
        }
        catch (Exception error) when (error is IOException or SocketException or OperationCanceledException or ObjectDisposedException)
        {
            // The connection has ended in any case.
        }

        await stream.DisposeAsync();
    }
}

/// <summary>Thrown when a step finds a fault. The message tells what it is and what to do. Never leaves the check.</summary>
internal sealed class CheckFailedException(string message) : Exception(message);
