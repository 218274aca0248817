using System.Net;
using System.Net.Sockets;

namespace NzbDav.EndToEnd.Tests.Running;

/// <summary>A news server that refuses every login and repeats the password in its refusal, as some do.</summary>
internal sealed class EchoingProvider : IAsyncDisposable
{
    private readonly TcpListener _listener = new(IPAddress.Loopback, 0);
    private readonly CancellationTokenSource _stop = new();
    private readonly Task _serving;

    public EchoingProvider()
    {
        _listener.Start();
        _serving = ServeAsync();
    }

    public int Port => ((IPEndPoint)_listener.LocalEndpoint).Port;

    public async ValueTask DisposeAsync()
    {
        await _stop.CancelAsync();
        _listener.Stop();
        await _serving;
        _stop.Dispose();
    }

    private async Task ServeAsync()
    {
        try
        {
            while (true)
            {
                using var client = await _listener.AcceptTcpClientAsync(_stop.Token);
                await AnswerAsync(client);
            }
        }
        catch (Exception e) when (e is OperationCanceledException or SocketException or InvalidOperationException)
        {
        }
    }

    private async Task AnswerAsync(TcpClient client)
    {
        try
        {
            await using var stream = client.GetStream();
            using var reader = new StreamReader(stream);
            await using var writer = new StreamWriter(stream) { NewLine = "\r\n", AutoFlush = true };
            await writer.WriteLineAsync("200 hello");
            while (await reader.ReadLineAsync(_stop.Token) is { } line)
            {
                var isUser = line.StartsWith("AUTHINFO USER", StringComparison.OrdinalIgnoreCase);
                await writer.WriteLineAsync(isUser ? "381 more" : line.StartsWith("AUTHINFO PASS ", StringComparison.OrdinalIgnoreCase)
                    ? $"481 wrong password {line[14..]}" : "480 login first");
            }
        }
        catch (IOException)
        {
        }
    }
}
