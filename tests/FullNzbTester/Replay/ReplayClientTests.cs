using System.Net;
using System.Net.Sockets;
using System.Text;
using NzbDav.FullNzbTester.Dav;
using NzbDav.FullNzbTester.Replay;
using NzbDav.MockUsenet.Articles;

namespace NzbDav.FullNzbTester.Tests.Replay;

public sealed class ReplayClientTests
{
    private const int Length = 1_000;

    [Fact]
    public async Task A_connection_stays_open_after_a_whole_response_until_disposal()
    {
        var recording = await Recordings.ReadAsync(
            """{"kind":"file","file":1,"size":1000,"volumes":[[1,1,1000,1000]]}""",
            """{"kind":"request","at":0,"request":1,"client":1,"file":1,"start":0,"end":1000,"intent":0}""",
            """{"kind":"sent","at":10,"request":1,"ms":10,"bytes":1000,"stalled":0,"waited":0}""",
            """{"kind":"end","at":10,"request":1,"bytes":1000,"outcome":"complete"}""");
        var source = new SeededSource(1, "film", Length);
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        var counts = new ReplayCounts();
        using var client = new ReplayClient(
            new DavTarget(new Uri($"http://127.0.0.1:{((IPEndPoint)listener.LocalEndpoint).Port}/film"), "Basic none", Length), source,
            speed: 1, static () => 0, counts);
        var playing = client.RunAsync(recording.Requests, CancellationToken.None);
        using var server = await listener.AcceptSocketAsync();
        await ServeAsync(server, source);
        await playing;
        Assert.Equal((1, Length, 0L, 0), (counts.Requests, counts.Bytes, counts.Wrong, counts.Failed));
        Assert.False(server.Poll(0, SelectMode.SelectRead), "the client closed the connection");
        client.Dispose();
        Assert.Equal(0, await server.ReceiveAsync(new byte[1]));
    }

    private static async Task ServeAsync(Socket server, SeededSource source)
    {
        var heard = new byte[2_000];
        var count = 0;
        while (!Encoding.ASCII.GetString(heard, 0, count).EndsWith("\r\n\r\n", StringComparison.Ordinal))
            count += await server.ReceiveAsync(heard.AsMemory(count));
        var body = new byte[Length];
        source.Fill(0, body);
        await server.SendAsync(
            (byte[])[.. "HTTP/1.1 206 Partial Content\r\nContent-Length: 1000\r\nContent-Range: bytes 0-999/1000\r\n\r\n"u8, .. body]);
    }
}
