using System.Net;
using System.Net.Sockets;
using NzbDav.MockSwarm.Contents;
using NzbDav.MockSwarm.Tracking;

namespace NzbDav.MockSwarm.Tests;

public sealed class MockTrackerTests
{
    [Fact]
    public async Task A_connection_that_is_closed_without_a_request_is_no_announce()
    {
        await using var tracker = new MockTracker(
            new MockTorrent("film.mkv", SwarmContent.Make(1, 16_384, [new SwarmFile("film.mkv", 100_000)])), []);
        using var client = new TcpClient();
        await client.ConnectAsync(IPAddress.Loopback, new Uri(tracker.Url).Port);
        client.Client.Shutdown(SocketShutdown.Send);
        Assert.Equal(0, await client.Client.ReceiveAsync(new byte[1]));
        Assert.Empty(tracker.Announces);

        using var http = new HttpClient();
        await http.GetByteArrayAsync(new Uri(tracker.Url + "?event=started"));
        Assert.Equal("event=started", Assert.Single(tracker.Announces));
    }
}
