using System.Collections.Concurrent;
using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Text;

namespace NzbDav.Library.Tests.Gateways;

/// <summary>Another gateway, as a reader sees it: takes GET requests with a range on loopback, and answers as a test says.</summary>
internal sealed class FakeGateway : IAsyncDisposable
{
    private readonly Func<FakeRequest, Task> _answer;
    private readonly TcpListener _listener = new(IPAddress.Loopback, 0);
    private readonly CancellationTokenSource _stopping = new();
    private readonly ConcurrentQueue<FakeRequest> _requests = new();
    private readonly ConcurrentBag<Task> _connections = [];
    private readonly Task _accepting;

    public FakeGateway(Func<FakeRequest, Task> answer)
    {
        _answer = answer;
        _listener.Start();
        Address = string.Create(CultureInfo.InvariantCulture, $"http://127.0.0.1:{((IPEndPoint)_listener.LocalEndpoint).Port}");
        _accepting = AcceptAsync();
    }

    public string Address { get; }

    /// <summary>All requests so far.</summary>
    public IReadOnlyCollection<FakeRequest> Requests => _requests;

    public async ValueTask DisposeAsync()
    {
        await _stopping.CancelAsync();
        _listener.Stop();
        await _accepting;
        await Task.WhenAll(_connections);
        _stopping.Dispose();
    }

    private async Task AcceptAsync()
    {
        try
        {
            while (true)
                _connections.Add(ServeAsync(await _listener.AcceptSocketAsync(_stopping.Token)));
        }
        catch (Exception error) when (error is OperationCanceledException or SocketException or InvalidOperationException)
        {
        }
    }

    private async Task ServeAsync(Socket socket)
    {
        using (socket)
        {
            try
            {
                while (await ReadHeadAsync(socket) is { } head)
                {
                    var range = head.Split("\r\n")
                        .Single(static line => line.StartsWith("Range: bytes=", StringComparison.OrdinalIgnoreCase))[13..].Split('-');
                    var request = new FakeRequest(
                        head.Split(' ')[1], long.Parse(range[0], CultureInfo.InvariantCulture),
                        long.Parse(range[1], CultureInfo.InvariantCulture) + 1, socket);
                    _requests.Enqueue(request);
                    await _answer(request).WaitAsync(_stopping.Token);
                }
            }
            catch (Exception error) when (error is OperationCanceledException or SocketException or ObjectDisposedException)
            {
            }
        }
    }

    private async Task<string?> ReadHeadAsync(Socket socket)
    {
        var head = new StringBuilder();
        var one = new byte[1];
        while (!head.ToString().EndsWith("\r\n\r\n", StringComparison.Ordinal))
        {
            if (await socket.ReceiveAsync(one, _stopping.Token) == 0)
                return null;
            head.Append((char)one[0]);
        }

        return head.ToString();
    }
}
