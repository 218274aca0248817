using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Authentication;
using System.Text;
using NzbDav.MockUsenet.Providers;

namespace NzbDav.MockUsenet.Tests;

/// <summary>A minimal client: writes lines and reads bytes one by one. Every wait ends with the test's time-out.</summary>
internal sealed class Probe : IAsyncDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);
    private readonly CancellationTokenSource _limit = new(Patience);
    private readonly Stream _stream;

    private Probe(Socket socket, Stream stream) => (Socket, _stream) = (socket, stream);

    public Socket Socket { get; }

    public CancellationToken Limit => _limit.Token;

    /// <summary>Connects without reading the greeting.</summary>
    public static async Task<Probe> DialAsync(MockProvider provider)
    {
        var socket = new Socket(SocketType.Stream, ProtocolType.Tcp);
        await socket.ConnectAsync(new IPEndPoint(IPAddress.Loopback, provider.Port));
        return new Probe(socket, new BufferedStream(new NetworkStream(socket, ownsSocket: true), 65_536));
    }

    /// <summary>Connects over TLS, trusting the provider's certificate and nothing else.</summary>
    public static async Task<Probe> DialTlsAsync(
        MockProvider provider, string host = "localhost", SslProtocols protocol = SslProtocols.None, bool mayResume = true)
    {
        var socket = new Socket(SocketType.Stream, ProtocolType.Tcp);
        await socket.ConnectAsync(new IPEndPoint(IPAddress.Loopback, provider.Port));
        var tls = new SslStream(new NetworkStream(socket, ownsSocket: true), false, (_, certificate, _, _) =>
            certificate?.GetCertHashString() == provider.Certificate!.GetCertHashString());
        await tls.AuthenticateAsClientAsync(
            new SslClientAuthenticationOptions { TargetHost = host, EnabledSslProtocols = protocol, AllowTlsResume = mayResume });
        return new Probe(socket, tls);
    }

    /// <summary>Connects and expects a greeting that accepts it.</summary>
    public static async Task<Probe> OpenAsync(MockProvider provider)
    {
        var probe = await DialAsync(provider);
        Assert.StartsWith("200 ", await probe.LineAsync(), StringComparison.Ordinal);
        return probe;
    }

    public async Task SendAsync(string text)
    {
        await _stream.WriteAsync(Encoding.UTF8.GetBytes(text), Limit);
        await _stream.FlushAsync(Limit);
    }

    /// <summary>Sends a command and returns the first line of its reply.</summary>
    public async Task<string?> AskAsync(string command)
    {
        await SendAsync(command + "\r\n");
        return await LineAsync();
    }

    /// <summary>The next line without its CRLF, or null at the end of the connection.</summary>
    public async Task<string?> LineAsync()
    {
        var line = await RawLineAsync();
        return line is null ? null : Encoding.Latin1.GetString(line[..^2]);
    }

    /// <summary>All bytes up to and with the dot line, or up to the end of the connection.</summary>
    public async Task<byte[]> BlockAsync()
    {
        var block = new List<byte>();
        while (await RawLineAsync() is { } line)
        {
            block.AddRange(line);
            if (line is [(byte)'.', (byte)'\r', (byte)'\n'])
                break;
        }

        return [.. block];
    }

    /// <summary>Exactly so many bytes.</summary>
    public async Task<byte[]> BytesAsync(int count)
    {
        var bytes = new byte[count];
        await _stream.ReadExactlyAsync(bytes, Limit);
        return bytes;
    }

    /// <summary>All bytes up to the end of the connection.</summary>
    public async Task<byte[]> RestAsync()
    {
        using var rest = new MemoryStream();
        await _stream.CopyToAsync(rest, Limit);
        return rest.ToArray();
    }

    public async ValueTask DisposeAsync()
    {
        await _stream.DisposeAsync();
        _limit.Dispose();
    }

    private async Task<byte[]?> RawLineAsync()
    {
        var line = new List<byte>();
        var one = new byte[1];
        while (await _stream.ReadAsync(one, Limit) == 1)
        {
            line.Add(one[0]);
            if (line is [.., (byte)'\r', (byte)'\n'])
                return [.. line];
        }

        return line.Count == 0 ? null : throw new EndOfStreamException($"The connection ended {line.Count} bytes into a line.");
    }
}
