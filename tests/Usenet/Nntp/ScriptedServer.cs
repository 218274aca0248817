using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Cryptography.X509Certificates;

namespace NzbDav.Usenet.Tests.Nntp;

/// <summary>
/// A TCP server on the loopback whose every connection goes by a script. A connection stays open after its script until disposal.
/// </summary>
internal sealed class ScriptedServer : IAsyncDisposable
{
    private readonly Socket _listener = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
    private readonly CancellationTokenSource _stop = new();
    private readonly Func<ScriptedPeer, Task> _script;
    private readonly X509Certificate2? _certificate;
    private readonly List<Task> _running = [];
    private readonly Task _accepting;
    private int _connections;

    /// <param name="script">What the server does on each connection.</param>
    /// <param name="certificate">For TLS from the first byte; null: plain.</param>
    /// <param name="anyAddress">Reachable by other addresses than 127.0.0.1.</param>
    public ScriptedServer(Func<ScriptedPeer, Task> script, X509Certificate2? certificate = null, bool anyAddress = false)
    {
        _script = script;
        _certificate = certificate;
        _listener.Bind(new IPEndPoint(anyAddress ? IPAddress.Any : IPAddress.Loopback, 0));
        _listener.Listen();
        _accepting = AcceptAsync();
    }

    public int Port => ((IPEndPoint)_listener.LocalEndPoint!).Port;

    /// <summary>Clients that have connected so far.</summary>
    public int Connections => Volatile.Read(ref _connections);

    /// <summary>Completes when a client has connected.</summary>
    public TaskCompletionSource Accepted { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public async ValueTask DisposeAsync()
    {
        await _stop.CancelAsync();
        await _accepting;
        await Task.WhenAll(_running);
        _listener.Dispose();
        _stop.Dispose();
    }

    private async Task AcceptAsync()
    {
        try
        {
            while (true)
            {
                var socket = await _listener.AcceptAsync(_stop.Token);
                _running.Add(ServeAsync(socket));
            }
        }
        catch (OperationCanceledException)
        {
        }
    }

    private async Task ServeAsync(Socket socket)
    {
        Interlocked.Increment(ref _connections);
        Accepted.TrySetResult();
        using (socket)
        {
            try
            {
                Stream stream = new NetworkStream(socket);
                if (_certificate is not null)
                {
                    var secure = new SslStream(stream);
                    await secure.AuthenticateAsServerAsync(
                        new SslServerAuthenticationOptions { ServerCertificate = _certificate }, _stop.Token);
                    stream = secure;
                }

                await _script(new ScriptedPeer(socket, stream, _stop.Token));
                await Task.Delay(Timeout.Infinite, _stop.Token);
            }
            catch (Exception e) when (e is IOException or SocketException or OperationCanceledException or ObjectDisposedException
                or System.Security.Authentication.AuthenticationException)
            {
                // The client left, or the server stops.
            }
        }
    }
}
