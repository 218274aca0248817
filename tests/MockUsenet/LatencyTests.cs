using NzbDav.Fakes;
using NzbDav.MockUsenet.Articles;
using NzbDav.MockUsenet.Pacing;
using NzbDav.MockUsenet.Providers;

namespace NzbDav.MockUsenet.Tests;

public sealed class LatencyTests
{
    private static readonly TimeSpan Trip = TimeSpan.FromMilliseconds(10);

    [Fact]
    public async Task The_greeting_and_serial_commands_take_one_round_trip_each()
    {
        var file = Post.Seeded(out var store);
        var time = NewClock();
        await using var provider = MockProvider.Start(store, new MockProviderOptions { Latency = Trip, Time = time });
        await using var probe = await Probe.DialAsync(provider);
        await ExpectTripAsync(time, probe);
        Assert.StartsWith("200 ", await probe.LineAsync(), StringComparison.Ordinal);
        string[] commands = ["AUTHINFO USER u", "AUTHINFO PASS p", $"BODY <{file.Segments[0].MessageId}>", "QUIT"];
        foreach (var command in commands)
        {
            await probe.SendAsync(command + "\r\n");
            await ExpectTripAsync(time, probe);
            var line = await probe.LineAsync();
            if (line!.StartsWith("222", StringComparison.Ordinal))
                await probe.BlockAsync();
        }

        Assert.Equal(1 + commands.Length, time.Armings);
    }

    [Fact]
    public async Task A_pipeline_takes_one_round_trip()
    {
        var file = Post.Seeded(out var store);
        var time = NewClock();
        await using var provider = MockProvider.Start(store, new MockProviderOptions { Time = time });
        await using var probe = await Probe.OpenAsync(provider);
        Assert.Equal(0, time.Armings);
        provider.Latency = Trip;
        await probe.SendAsync(string.Concat(file.Segments.Select(segment => $"BODY <{segment.MessageId}>\r\n")));
        await ExpectTripAsync(time, probe);
        foreach (var segment in file.Segments)
        {
            Assert.Equal($"222 0 <{segment.MessageId}>", await probe.LineAsync());
            await probe.BlockAsync();
        }

        Assert.Equal(1, time.Armings);
    }

    [Fact]
    public async Task A_command_is_stamped_on_arrival_even_while_a_reply_is_pending()
    {
        Post.Seeded(out var store);
        var time = NewClock();
        await using var provider = MockProvider.Start(store, new MockProviderOptions { Time = time });
        await using var probe = await Probe.OpenAsync(provider);
        provider.Latency = Trip;
        await probe.SendAsync("DATE\r\n");
        await time.WhenArmedAsync(1, probe.Limit);
        time.Advance(Trip / 2);
        await probe.SendAsync("STAT <a@b>\r\n");
        await CountedAsync(provider, "STAT", probe.Limit);
        time.Advance(Trip / 2);
        Assert.StartsWith("111 ", await probe.LineAsync(), StringComparison.Ordinal);
        await time.WhenArmedAsync(1, probe.Limit);
        Assert.Equal(Trip / 2, time.NextDue);
        time.Advance(Trip / 2);
        Assert.StartsWith("430 ", await probe.LineAsync(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task The_TLS_handshake_takes_its_round_trips()
    {
        Post.Seeded(out var store);
        var time = NewClock();
        await using var provider = MockProvider.Start(store, new MockProviderOptions { Tls = true, Latency = Trip, Time = time });
        using var over = new CancellationTokenSource();
        var started = time.GetTimestamp();
        var running = time.RunAsync(over.Token);
        await using var probe = await Probe.DialTlsAsync(provider);
        await probe.LineAsync();
        Assert.Equal(2 * Trip, time.GetElapsedTime(started));
        await over.CancelAsync();
        await running;
    }

    [Theory]
    [InlineData(1_000_000, 0)]
    [InlineData(0, 1_000_000)]
    [InlineData(1_000_000, 5_000_000)]
    public async Task The_rate_determines_how_long_articles_take(long connectionRate, long totalRate)
    {
        var file = Post.Seeded(out var store, 300_000, new PostOptions { ArticleSize = 100_000 });
        var time = NewClock();
        var options = new MockProviderOptions { ConnectionRate = connectionRate, TotalRate = totalRate, Time = time };
        await using var provider = MockProvider.Start(store, options);
        using var over = new CancellationTokenSource();
        var running = time.RunAsync(over.Token);
        await using var probe = await Probe.OpenAsync(provider);
        var started = time.GetTimestamp();
        await probe.SendAsync(string.Concat(file.Segments.Select(segment => $"BODY <{segment.MessageId}>\r\n")));
        foreach (var segment in file.Segments)
        {
            await probe.LineAsync();
            Assert.Equal(Post.PayloadOf(segment), PlainYenc.Decode(await probe.BlockAsync()).Payload);
        }

        var wanted = file.Segments.Sum(segment => segment.Body.Length) / 1e6;
        Assert.InRange(time.GetElapsedTime(started).TotalSeconds, wanted, wanted + 0.004);
        await over.CancelAsync();
        await running;
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Connections_share_the_total_rate_and_providers_share_their_line(bool isLine)
    {
        var file = Post.Seeded(out var store, 200_000, new PostOptions { ArticleSize = 100_000 });
        var time = NewClock();
        var options = isLine ? new MockProviderOptions
        { Line = new MockLine(1_000_000), Time = time } : new MockProviderOptions { TotalRate = 1_000_000, Time = time };
        await using var provider = MockProvider.Start(store, options);
        await using var second = MockProvider.Start(store, options);
        using var over = new CancellationTokenSource();
        await using var one = await Probe.OpenAsync(provider);
        await using var two = await Probe.OpenAsync(isLine ? second : provider);
        var started = time.GetTimestamp();
        await one.SendAsync($"BODY <{file.Segments[0].MessageId}>\r\n");
        await two.SendAsync($"BODY <{file.Segments[1].MessageId}>\r\n");
        var running = time.RunAsync(over.Token);
        await Task.WhenAll(Drain(one), Drain(two));

        // The shared line takes what is ready at the time, and makes twenty milliseconds good; this clock runs ahead of whoever is not
        // ready.
        Assert.InRange(time.GetElapsedTime(started).TotalSeconds, isLine ? 0.18 : 0.2, isLine ? double.MaxValue : 0.3);
        await over.CancelAsync();
        await running;

        static async Task Drain(Probe probe)
        {
            await probe.LineAsync();
            await probe.BlockAsync();
        }
    }

    /// <summary>A clock that does not stand at 0, which means "not stamped".</summary>
    private static ManualTimeProvider NewClock()
    {
        var time = new ManualTimeProvider();
        time.Advance(TimeSpan.FromHours(1));
        return time;
    }

    /// <summary>The server waits for one trip from now, and is let go when it is over.</summary>
    private static async Task ExpectTripAsync(ManualTimeProvider time, Probe probe)
    {
        await time.WhenArmedAsync(1, probe.Limit);
        Assert.Equal(Trip, time.NextDue);
        Assert.False(probe.Socket.Available > 0, "a reply before its time");
        time.Advance(Trip);
    }

    private static async Task CountedAsync(MockProvider provider, string command, CancellationToken limit)
    {
        while (provider.Stats.Commands.GetValueOrDefault(command) == 0)
        {
            limit.ThrowIfCancellationRequested();
            await Task.Yield();
        }
    }
}
