using System.Globalization;
using System.Net;
using NzbDav.Conformance.Tests.Stubs;
using NzbDav.Content;
using static NzbDav.Conformance.Tests.Files.FilmStore;

namespace NzbDav.Conformance.Tests.Files;

/// <summary>The connection while a body is sent: parallel readers, aborts, stalls, faults, several parts.</summary>
public sealed class BodyTests
{
    private readonly FilmStore _films = new();

    [Fact]
    public async Task RNG_20_parallel_ranges_have_the_right_bytes()
    {
        await using var server = await WebDavServer.StartAsync(_films.Store);
        var random = new Random(20);
        await Task.WhenAll(Enumerable.Range(0, 32).Select(_ =>
        {
            var start = random.NextInt64(Size);
            var end = random.NextInt64(start, Size);
            return CheckAsync(start, end);
        }));
        Assert.Equal(0, _films.Content.Open);
        Assert.Equal(0, _films.Content.Leased);

        async Task CheckAsync(long start, long end) =>
            StrictRange.Check(await server.SendAsync("GET", Film, ("Range", $"bytes={start}-{end}")), start, end, Size);
    }

    [Fact]
    public async Task RNG_21_an_abort_releases_the_reader()
    {
        const int Rounds = 1000;
        var endless = new StubContent(1L << 40);
        _films.Store.Root.Add(new StubFile("endless.mkv", endless));
        await using var server = await WebDavServer.StartAsync(_films.Store);
        await Parallel.ForEachAsync(Enumerable.Range(0, Rounds), new ParallelOptions { MaxDegreeOfParallelism = 16 }, async (round, _) =>
        {
            await using var connection = await RawConnection.OpenAsync(server.Port);
            await connection.SendHeadAsync("GET", "/dav/endless.mkv", [("Range", $"bytes={round * 1_000_000L}-")]);
            await connection.ReadAtLeastAsync(64 << 10);
            connection.Abort();
        });
        for (var i = 0; i < Rounds; i++)
            Assert.True(await endless.Closed.WaitAsync(TimeSpan.FromSeconds(30)), $"{endless.Open} readers are left");
        Assert.Equal(0, endless.Open);
        Assert.Equal(0, endless.Leased);
        Assert.Empty(server.Log.Entries);
    }

    [Fact]
    public async Task RNG_21_an_abort_before_the_first_byte_cancels_the_read()
    {
        var slow = new StubContent(Size) { HangAt = 0 };
        _films.Store.Root.Add(new StubFile("slow.mkv", slow));
        await using var server = await WebDavServer.StartAsync(_films.Store);
        await using var connection = await RawConnection.OpenAsync(server.Port);
        await connection.SendHeadAsync("GET", "/dav/slow.mkv", []);
        await slow.Hanging.WaitAsync();
        connection.Abort();
        Assert.True(await slow.Closed.WaitAsync(TimeSpan.FromSeconds(30)));
        Assert.Empty(server.Log.Entries);
    }

    [Fact]
    public async Task RNG_22_a_stalled_reader_is_left_alone()
    {
        // The server's real clock applies here, so this only shows that the minimum rate is off; hours are left to a soak test.
        var endless = new StubContent(64 << 20);
        _films.Store.Root.Add(new StubFile("endless.mkv", endless));
        var rates = new List<object?>();
        await using var server = await WebDavServer.StartAsync(_films.Store, before: app => app.Use(next => async http =>
        {
            var feature = http.Features.Get<Microsoft.AspNetCore.Server.Kestrel.Core.Features.IHttpMinResponseDataRateFeature>()!;
            feature.MinDataRate = new(1_024, TimeSpan.FromSeconds(10));
            await next(http);
            rates.Add(feature.MinDataRate);
        }));
        await server.SendAsync("GET", "/dav/endless.mkv", ("Range", "bytes=0-99"));
        Assert.Null(Assert.Single(rates));
    }

    [Theory]
    [InlineData(ContentFault.Missing)]
    [InlineData(ContentFault.Unavailable)]
    public async Task RNG_23_a_fault_after_the_first_byte_breaks_the_connection(ContentFault fault)
    {
        _films.Content.FaultAt = 300_000;
        _films.Content.Fault = fault;
        await using var server = await WebDavServer.StartAsync(_films.Store);
        foreach (var range in (string[])["bytes=100-", "bytes=0-5,200000-400000"])
        {
            var response = await server.SendAsync("GET", Film, ("Range", range));

            // A reset may overtake what was sent before it, including the head.
            Assert.True(response.Status is 206 or 0);
            Assert.False(response.IsComplete);
        }

        for (var readers = 3; readers > 0; readers--)
            Assert.True(await _films.Content.Closed.WaitAsync(TimeSpan.FromSeconds(30)));
        var log = server.Log.Entries.First();
        Assert.Contains("/film.mkv", log.Text, StringComparison.Ordinal);
        Assert.Contains(fault.ToString(), log.Text, StringComparison.Ordinal);
        Assert.Equal(0, _films.Content.Open);
        Assert.Equal(0, _films.Content.Leased);
    }

    [Fact]
    public async Task RNG_23_a_source_that_ends_early_never_ends_cleanly()
    {
        _films.Store.Root.Add(new StubFile("short.mkv", new StubContent(Size) { EndAt = 5000 }));
        await using var server = await WebDavServer.StartAsync(_films.Store);
        var response = await server.SendAsync("GET", "/dav/short.mkv");
        Assert.True(response["Content-Length"] is null || response["Content-Length"] == Size.ToString(CultureInfo.InvariantCulture));
        Assert.False(response.IsComplete);
    }

    [Fact]
    public async Task RNG_24_the_etag_survives_a_restart_and_changes_with_the_bytes()
    {
        string? before;
        await using (var server = await WebDavServer.StartAsync(_films.Store))
            before = (await server.SendAsync("GET", Film))["ETag"];
        await using (var server = await WebDavServer.StartAsync(_films.Store))
        {
            Assert.Equal(before, (await server.SendAsync("HEAD", Film))["ETag"]);
            Assert.Equal(204, (await server.SendAsync("PUT", Film, "other bytes"u8.ToArray())).Status);
            Assert.NotEqual(before, (await server.SendAsync("HEAD", Film))["ETag"]);
            Assert.Equal(412, (await server.SendAsync("GET", Film, ("If-Match", before!))).Status);
        }
    }

    [Fact]
    public async Task RNG_25_up_to_eight_parts_are_sent_and_more_get_the_whole_file()
    {
        await using var server = await WebDavServer.StartAsync(_films.Store);
        var eight = string.Join(',', Enumerable.Range(0, 8).Select(i => $"{i * 100_000}-{(i * 100_000) + 70_000}"));
        var parts = MultipartBody.Parse(await server.SendAsync("GET", Film, ("Range", "bytes=" + eight)), Size);
        Assert.Equal(8, parts.Count);
        CheckWhole(await server.SendAsync("GET", Film, ("Range", $"bytes={eight},900000-900001")));
        Assert.Equal(0, _films.Content.Open);
    }

    [Fact]
    public async Task The_first_bytes_are_sent_while_the_rest_is_awaited()
    {
        var slow = new StubContent(Size) { HangAt = 700, LeaseSize = 700 };
        _films.Store.Root.Add(new StubFile("slow.mkv", slow));
        await using var server = await WebDavServer.StartAsync(_films.Store);
        await using var connection = await RawConnection.OpenAsync(server.Port);
        await connection.SendHeadAsync("GET", "/dav/slow.mkv", []);
        await slow.Hanging.WaitAsync();
        var seen = RawResponse.Parse(await connection.ReadAtLeastAsync(700), isHead: false);
        Assert.Equal(200, seen.Status);
        Assert.Equal(0, slow.Leased);

        // However long it takes: the limit applies to the first byte only.
        server.Clock.Advance(TimeSpan.FromMinutes(10));
        Assert.Equal(1, slow.Open);
    }

    [Fact]
    public async Task A_connection_serves_one_range_after_another()
    {
        await using var server = await WebDavServer.StartAsync(_films.Store);
        using var client = new HttpClient { BaseAddress = new Uri($"http://{IPAddress.Loopback}:{server.Port}") };
        for (var i = 0; i < 20; i++)
        {
            using var request = new HttpRequestMessage(HttpMethod.Get, Film);
            request.Headers.Range = new(i * 1000, (i * 1000) + 99_999);
            using var response = await client.SendAsync(request);
            Assert.Equal(StubBytes.Slice(i * 1000, (i * 1000) + 100_000), await response.Content.ReadAsByteArrayAsync());
        }
    }
}
