using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;
using NzbDav.EndToEnd.Tests.Running;

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
    }
}
