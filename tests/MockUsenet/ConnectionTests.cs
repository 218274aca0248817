using System.Net.Sockets;
using System.Security.Authentication;
using NzbDav.Fakes;
using NzbDav.MockUsenet.Articles;
using NzbDav.MockUsenet.Providers;
using NzbDav.MockUsenet.Transports;

namespace NzbDav.MockUsenet.Tests;

public sealed class ConnectionTests
{
    [Fact]
    public async Task Above_the_cap_502_is_sent_instead_of_the_greeting()
    {
        Post.Seeded(out var store);
        await using var provider = MockProvider.Start(store, new MockProviderOptions { MaxConnections = 2 });
        await using var one = await Probe.OpenAsync(provider);
        await using var two = await Probe.OpenAsync(provider);
        await using var three = await Probe.DialAsync(provider);
        Assert.Equal("502 Too many connections", await three.LineAsync());
        Assert.Null(await three.LineAsync());
        Assert.Equal(2, provider.Stats.ConnectionsOpen);
        Assert.Equal(1, provider.Stats.ConnectionsRefused);

        Assert.StartsWith("205 ", await one.AskAsync("QUIT"), StringComparison.Ordinal);
        await using var four = await Probe.OpenAsync(provider);
        provider.MaxConnections = 3;
        await using var five = await Probe.OpenAsync(provider);
        Assert.Equal(3, provider.Stats.ConnectionsPeak);
        Assert.Equal(4, provider.Stats.ConnectionsOpened);
    }

    [Fact]
    public async Task A_client_that_left_without_QUIT_holds_its_place_for_a_while()
    {
        Post.Seeded(out var store);
        var time = new ManualTimeProvider();
        await using var provider = MockProvider.Start(
            store, new MockProviderOptions { MaxConnections = 2, Ghosts = TimeSpan.FromSeconds(30), Time = time });
        await using (await Probe.OpenAsync(provider))
        {
            await using var polite = await Probe.OpenAsync(provider);
            Assert.StartsWith("205 ", await polite.AskAsync("QUIT"), StringComparison.Ordinal);
        }

        await using var one = await Probe.OpenAsync(provider);
        await using var refused = await Probe.DialAsync(provider);
        Assert.Equal("502 Too many connections", await refused.LineAsync());
        await time.WhenArmedAsync(1, one.Limit);
        time.Advance(TimeSpan.FromSeconds(30));
        while (provider.Stats.ConnectionsOpen != 1)
            await Task.Delay(1, one.Limit);
        await using var two = await Probe.OpenAsync(provider);
    }

    [Fact]
    public async Task The_cap_can_be_enforced_at_login()
    {
        Post.Seeded(out var store);
        await using var provider = MockProvider.Start(store, new MockProviderOptions
        {
            MaxConnections = 0,
            CapRefusal = CapRefusal.AtLogin,
            Username = "u",
            Password = "p",
        });
        await using var probe = await Probe.OpenAsync(provider);
        await probe.AskAsync("AUTHINFO USER u");
        Assert.Equal("502 Too many connections", await probe.AskAsync("AUTHINFO PASS p"));
        Assert.Null(await probe.LineAsync());
    }

    [Fact]
    public async Task All_connections_can_be_refused()
    {
        Post.Seeded(out var store);
        await using var provider = MockProvider.Start(store);
        provider.RefuseConnections = true;
        await Assert.ThrowsAnyAsync<Exception>(async () =>
        {
            await using var refused = await Probe.DialAsync(provider);
            if (await refused.LineAsync() is null)
                throw new EndOfStreamException();
        });
        Assert.Equal(1, provider.Stats.ConnectionsRefused);
        provider.RefuseConnections = false;
        await using var probe = await Probe.OpenAsync(provider);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task All_connections_can_be_dropped(bool reset)
    {
        Post.Seeded(out var store);
        await using var provider = MockProvider.Start(store);
        await using var one = await Probe.OpenAsync(provider);
        await using var two = await Probe.OpenAsync(provider);
        provider.DropConnections(reset);
        foreach (var probe in new[] { one, two })
        {
            if (reset)
                await Assert.ThrowsAsync<IOException>(probe.LineAsync);
            else
                Assert.Null(await probe.LineAsync());
        }

        Assert.Equal(0, provider.Stats.ConnectionsOpen);
        await using var later = await Probe.OpenAsync(provider);
    }

    [Fact]
    public async Task Tls_serves_the_same_articles()
    {
        var file = Post.Seeded(out var store, 3_000_000, new PostOptions());
        await using var provider = MockProvider.Start(store, new MockProviderOptions { Tls = true, Username = "u", Password = "p" });
        await using var probe = await Probe.DialTlsAsync(provider);
        Assert.StartsWith("200 ", await probe.LineAsync(), StringComparison.Ordinal);
        await probe.AskAsync("AUTHINFO USER u");
        Assert.StartsWith("281 ", await probe.AskAsync("AUTHINFO PASS p"), StringComparison.Ordinal);
        await probe.SendAsync(string.Concat(file.Segments.Select(segment => $"BODY <{segment.MessageId}>\r\n")) + "QUIT\r\n");
        foreach (var segment in file.Segments)
        {
            Assert.Equal($"222 0 <{segment.MessageId}>", await probe.LineAsync());
            Assert.Equal(segment.Body.ToArray(), await probe.BytesAsync(segment.Body.Length));
        }

        Assert.StartsWith("205 ", await probe.LineAsync(), StringComparison.Ordinal);
        Assert.Null(await probe.LineAsync());
    }

    [Theory]
    [InlineData(SslProtocols.Tls12, true, 2)]
    [InlineData(SslProtocols.Tls12, false, 0)]
    [InlineData(SslProtocols.Tls13, true, 2)]
    [InlineData(SslProtocols.Tls13, false, 0)]
    public async Task Handshakes_that_resume_a_session_are_counted(SslProtocols protocol, bool mayResume, int resumed)
    {
        Post.Seeded(out var store);
        using var certificate = MockCertificate.Create();

        // Sessions are kept by name in the whole process: this name is no other test's.
        var host = $"{Guid.NewGuid():N}.localhost";
        await using var provider = MockProvider.Start(store, new MockProviderOptions { Tls = true, Certificate = certificate });
        for (var connection = 0; connection < 3; connection++)
        {
            await using var probe = await Probe.DialTlsAsync(provider, host, protocol, mayResume);

            // The ticket for the next connection comes before the greeting.
            Assert.StartsWith("200 ", await probe.LineAsync(), StringComparison.Ordinal);
        }

        Assert.Equal((3, resumed), (provider.Stats.Handshakes, provider.Stats.HandshakesResumed));
    }

    [Fact]
    public async Task A_client_without_TLS_does_no_harm()
    {
        Post.Seeded(out var store);
        await using var provider = MockProvider.Start(store, new MockProviderOptions { Tls = true });
        await using (var plain = await Probe.DialAsync(provider))
        {
            await plain.SendAsync("QUIT\r\n");
            await Assert.ThrowsAnyAsync<Exception>(async () => Assert.NotNull(await plain.LineAsync()));
        }

        await using var probe = await Probe.DialTlsAsync(provider);
        Assert.StartsWith("200 ", await probe.LineAsync(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Providers_of_one_store_hold_their_configured_articles()
    {
        var file = Post.Seeded(out var store);
        await using var even = MockProvider.Start(store, new MockProviderOptions { Holds = segment => segment.Index % 2 == 0 });
        await using var odd = MockProvider.Start(store, new MockProviderOptions { Holds = segment => segment.Index % 2 == 1 });
        Assert.NotEqual(even.Port, odd.Port);
        await using var one = await Probe.OpenAsync(even);
        await using var two = await Probe.OpenAsync(odd);
        foreach (var segment in file.Segments)
        {
            var (here, there) = segment.Index % 2 == 0 ? (one, two) : (two, one);
            Assert.StartsWith("223 ", await here.AskAsync($"STAT <{segment.MessageId}>"), StringComparison.Ordinal);
            Assert.StartsWith("430 ", await there.AskAsync($"STAT <{segment.MessageId}>"), StringComparison.Ordinal);
        }
    }

    [Fact]
    public async Task Disposal_ends_connections_whose_client_does_not_read()
    {
        var file = Post.Seeded(out var store, 50_000_000, new PostOptions());
        var provider = MockProvider.Start(store);
        await using var probe = await Probe.OpenAsync(provider);
        await probe.SendAsync(string.Concat(file.Segments.Select(segment => $"BODY <{segment.MessageId}>\r\n")));
        Assert.StartsWith("222 ", await probe.LineAsync(), StringComparison.Ordinal);
        await provider.DisposeAsync().AsTask().WaitAsync(probe.Limit);
        await Assert.ThrowsAnyAsync<Exception>(probe.RestAsync);
        using var late = new TcpClient();
        await Assert.ThrowsAsync<SocketException>(() => late.ConnectAsync("127.0.0.1", provider.Port));
        await provider.DisposeAsync();
    }
}
