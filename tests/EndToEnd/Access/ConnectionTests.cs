using System.Net;
using System.Net.Sockets;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;
using NzbDav.EndToEnd.Tests.Running;
using NzbDav.WebDav;

namespace NzbDav.EndToEnd.Tests.Access;

/// <summary>Limits on what strangers can hold open.</summary>
public sealed class ConnectionTests
{
    [Fact]
    public async Task Connections_and_their_idle_time_are_bounded()
    {
        await using var news = new NewsServers();
        await using var gateway = await Gateway.StartAsync(news);
        var limits = gateway.Services.GetRequiredService<IOptions<KestrelServerOptions>>().Value.Limits;
        Assert.Equal(2_000, limits.MaxConcurrentConnections);
        Assert.Equal(TimeSpan.FromMinutes(3), limits.KeepAliveTimeout);
        Assert.Equal(TimeSpan.FromSeconds(15), limits.RequestHeadersTimeout);
        Assert.Null(limits.MinResponseDataRate);
    }

    [Fact]
    public async Task A_stranger_who_opens_2000_connections_keeps_nobody_from_playing()
    {
        await using var news = new NewsServers();
        var file = news.Post("Film.mkv", 5_000_000);
        await using var gateway = await Gateway.StartAsync(news);
        var folder = await gateway.ImportAsync("Film", file);
        var port = new Uri(gateway.Root).Port;
        List<Socket> stranger = [];
        try
        {
            for (var i = 0; i < WebDavServerLimits.MostConnections; i++)
            {
                var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
                stranger.Add(socket);
                socket.Bind(new IPEndPoint(IPAddress.Parse("127.0.0.2"), 0));
                await socket.ConnectAsync(IPAddress.Loopback, port, Deadline.Token);
            }

            // A player that had no connection before; it comes from 127.0.0.1.
            using var player = new DavClient(gateway.Root, Gateway.User, Gateway.Password);
            await player.AssertFileAsync(folder + "/Film.mkv", file);
        }
        finally
        {
            stranger.ForEach(static socket => socket.Dispose());
        }
    }
}
