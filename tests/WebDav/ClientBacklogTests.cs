using System.Net;
using System.Net.Sockets;
using Microsoft.AspNetCore.Connections.Features;
using Microsoft.AspNetCore.Http;
using NzbDav.Content;
using NzbDav.Fakes;
using NzbDav.WebDav.Files;
using NzbDav.WebDav.Streams;

namespace NzbDav.WebDav.Tests;

/// <summary>What the kernel tells of a client that reads, or does not.</summary>
public sealed class ClientBacklogTests : IDisposable
{
    private const int Sent = 8 << 20;

    private readonly Socket _client = new(SocketType.Stream, ProtocolType.Tcp) { ReceiveBufferSize = 64 << 10 };
    private readonly Socket _server;
    private readonly ManualTimeProvider _time = new();

    public ClientBacklogTests()
    {
        if (!OperatingSystem.IsLinux())
            Needs.Skip("Only Linux tells what a client has not taken.");
        using var listener = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        listener.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        listener.Listen();
        _client.Connect(listener.LocalEndPoint!);
        _server = listener.Accept();
        _time.Advance(TimeSpan.FromSeconds(1));
    }

    public void Dispose()
    {
        _client.Dispose();
        _server.Dispose();
    }

    [Fact]
    public async Task What_a_client_does_not_read_stays_untaken_and_its_window_moves_when_it_reads()
    {
        var backlog = ClientBacklog.Of(Request(), stream: null, _time)!;
        Assert.Equal(0, backlog.Sample().Unacknowledged);
        var sending = SendAsync();
        await Until.TrueAsync(() => backlog.Sample().Unacknowledged > 256 << 10);
        var before = backlog.Sample();
        await ReceiveAsync(Sent);
        await sending;
        await Until.TrueAsync(() => backlog.Sample().Unacknowledged == 0);
        Assert.True(backlog.Sample().WindowEnd >= before.WindowEnd + before.Unacknowledged, $"{before} → {backlog.Sample()}");
    }

    [Fact]
    public async Task A_client_that_is_gone_takes_nothing()
    {
        var backlog = ClientBacklog.Of(Request(), stream: null, _time)!;
        _client.Dispose();
        await Until.TrueAsync(() => backlog.Sample().Unacknowledged > Sent);
        _server.Dispose();
        Assert.True(backlog.Sample().Unacknowledged > Sent);
    }

    [Fact]
    public async Task While_it_is_waited_for_a_client_does_not_wait_for_the_server()
    {
        using var streams = new ActiveStreams(_time);
        var source = new StreamSource(1, "/film.mkv", "film.mkv", Sent, "192.0.2.1", "player/1", null, StreamOrigin.Dav);
        var stream = streams.Begin(source, 0, Sent, ReadIntent.Playback, static () => { })!;
        var backlog = ClientBacklog.Of(Request(), stream, _time)!;
        stream.WaitBegins();
        var waiting = backlog.WaitAsync(static _ => false, TimeSpan.FromMilliseconds(4), CancellationToken.None);
        Assert.Equal((true, 0), (stream.StalledSince != 0, stream.WaitingSince));
        for (var i = 0; i < 2; i++)
        {
            await Until.TrueAsync(() => _time.ArmedTimers > 1);
            _time.Advance(TimeSpan.FromMilliseconds(2));
        }

        Assert.False(await waiting);
        Assert.Equal((0, _time.GetTimestamp()), (stream.StalledSince, stream.WaitingSince));
        Assert.True(await backlog.WaitAsync(static taking => taking.Unacknowledged == 0, TimeSpan.Zero, CancellationToken.None));
    }

    [Theory]
    [InlineData("X-Forwarded-For", "HTTP/1.1")]
    [InlineData("Forwarded", "HTTP/1.1")]
    [InlineData("Via", "HTTP/1.1")]
    [InlineData(null, "HTTP/1.0")]
    public void Behind_a_proxy_nobody_can_tell(string? header, string protocol)
    {
        var request = Request();
        request.Request.Protocol = protocol;
        if (header is not null)
            request.Request.Headers[header] = "192.0.2.7";
        Assert.Null(ClientBacklog.Of(request, stream: null, _time));
        Assert.Null(ClientBacklog.Of(new DefaultHttpContext(), stream: null, _time));
    }

    private DefaultHttpContext Request()
    {
        var http = new DefaultHttpContext();
        http.Request.Protocol = "HTTP/1.1";
        http.Features.Set<IConnectionSocketFeature>(new Connection(_server));
        return http;
    }

    private async Task SendAsync()
    {
        var bytes = new byte[Sent];
        for (var sent = 0; sent < Sent;)
            sent += await _server.SendAsync(bytes.AsMemory(sent));
    }

    private async Task ReceiveAsync(int count)
    {
        var buffer = new byte[64 << 10];
        while (count > 0)
            count -= await _client.ReceiveAsync(buffer);
    }

    private sealed record Connection(Socket Socket) : IConnectionSocketFeature;
}
