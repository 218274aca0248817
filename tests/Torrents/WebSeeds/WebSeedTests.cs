using System.Net;
using System.Security.Cryptography;
using NzbDav.Content;
using NzbDav.Content.Proxies;
using NzbDav.Fakes;
using NzbDav.MockSwarm.Contents;
using NzbDav.MockSwarm.Seeders;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Settings;
using NzbDav.Torrents.Status;

namespace NzbDav.Torrents.Tests.WebSeeds;

/// <summary>Torrents whose files come from web servers (BEP 19).</summary>
public sealed class WebSeedTests
{
    private const int Block = 16 << 10;
    private const int PieceLength = 64 << 10;

    [Theory]
    [InlineData("")]
    [InlineData("film.mkv")]
    public async Task A_file_comes_from_a_web_seed_alone(string suffix)
    {
        await using var fixture = new WebSeedFixture(SwarmFixture.OneFile(3_000_000));
        var torrent = fixture.Add(fixture.Seed.Url + suffix);
        Assert.Equal(fixture.HashOf(0), await WebSeedFixture.ReadAsync(torrent, 0));
        Assert.All(fixture.Seed.Requests, static request => Assert.Equal("/d/film.mkv", request.Target));
        Assert.InRange(fixture.Seed.MostConnections, 1, 4);
        var status = torrent.GetStatus();
        Assert.Equal((3_000_000L, 0L, 0L), (status.Bytes.Payload, status.Bytes.Failed, status.Bytes.Duplicate));
        var seed = Assert.Single(torrent.WebSeeds);
        Assert.Equal((WebSeedState.Active, 3_000_000L, null), (seed.State, seed.Downloaded, seed.Reason));
        Assert.Empty(torrent.GetDetails().Peers);
    }

    [Fact]
    public async Task Names_are_percent_encoded_and_padding_is_never_asked_for()
    {
        SwarmFile[] files =
        [
            new("Ä #1?/50% + &.mkv", 100_000),
            new(".pad/1", (2 * PieceLength) - 100_000, IsPadding: true),
            new("empty.txt", 0),
            new("sub/b c.mkv", 200_000),
        ];
        await using var fixture = new WebSeedFixture(new MockTorrent("A set [x]", SwarmContent.Make(9, PieceLength, files)));

        // Without the slash that the standard asks for.
        var torrent = fixture.Add(fixture.Seed.Url.TrimEnd('/'));
        Assert.Equal(fixture.HashOf(0), await WebSeedFixture.ReadAsync(torrent, 0));
        Assert.Equal(fixture.HashOf(3), await WebSeedFixture.ReadAsync(torrent, 3));
        Assert.Equal(
            ["/d/A%20set%20%5Bx%5D/%C3%84%20%231%3F/50%25%20%2B%20%26.mkv", "/d/A%20set%20%5Bx%5D/sub/b%20c.mkv"],
            fixture.Seed.Requests.Select(static request => request.Target).Distinct().Order(StringComparer.Ordinal));
        Assert.Equal(WebSeedState.Active, Assert.Single(torrent.WebSeeds).State);
    }

    [Fact]
    public async Task A_name_that_is_unsafe_here_is_asked_for_as_the_torrent_spells_it()
    {
        SwarmFile[] files = [new("back\\slash .mkv", 100_000), new("b.mkv", 1_000)];
        await using var fixture = new WebSeedFixture(new MockTorrent("a\\b", SwarmContent.Make(9, PieceLength, files)));
        var torrent = fixture.Add(fixture.Seed.Url);
        Assert.Equal(fixture.HashOf(0), await WebSeedFixture.ReadAsync(torrent, 0));
        Assert.Contains("/d/a%5Cb/back%5Cslash%20.mkv", fixture.Seed.Requests.Select(static request => request.Target));
    }

    [Fact]
    public async Task A_redirect_is_followed_once_and_remembered()
    {
        await using var fixture = new WebSeedFixture(SwarmFixture.OneFile(1_000_000));
        await using var site = new MockWebSeed(fixture.Torrent)
        { Reply = request => ("302 Found", $"Location: {fixture.Seed.Url}film.mkv\r\n") };
        var torrent = fixture.Add(site.Url);
        Assert.Equal(fixture.HashOf(0), await WebSeedFixture.ReadAsync(torrent, 0));

        // One for each request that began before the first was answered.
        Assert.InRange(site.Requests.Count, 1, 4);
        Assert.NotEmpty(fixture.Seed.Requests);
    }

    [Fact]
    public async Task A_redirect_into_a_refused_network_is_not_followed()
    {
        await using var fixture = new WebSeedFixture(SwarmFixture.OneFile(100_000), refused: "localhost");
        fixture.Seed.Reply = request =>
            ("302 Found", $"Location: {fixture.Seed.Url.Replace("127.0.0.1", "localhost", StringComparison.Ordinal)}film.mkv\r\n");
        var torrent = fixture.Add(fixture.Seed.Url);
        var read = WebSeedFixture.ReadAsync(torrent, 0);
        await Until.TrueAsync(() => torrent.WebSeeds[0].State == WebSeedState.Waiting);
        Assert.Contains("localhost is refused", torrent.WebSeeds[0].Reason, StringComparison.Ordinal);
        Assert.All(fixture.Seed.Requests, static request => Assert.Equal("/d/film.mkv", request.Target));
        fixture.Seed.Reply = null;
        fixture.Time.Advance(TimeSpan.FromSeconds(3));
        Assert.Equal(fixture.HashOf(0), await read);
    }

    [Fact]
    public async Task A_server_that_ignores_ranges_is_dropped_and_another_takes_over()
    {
        await using var fixture = new WebSeedFixture(SwarmFixture.OneFile(1_000_000));
        await using var bad = new MockWebSeed(fixture.Torrent) { IgnoresRanges = true };
        var torrent = fixture.Add(bad.Url, fixture.Seed.Url);
        Assert.Equal(fixture.HashOf(0), await WebSeedFixture.ReadAsync(torrent, 0));
        await Until.TrueAsync(() => torrent.WebSeeds[0].State == WebSeedState.Dropped);
        Assert.Equal("it ignores ranges", torrent.WebSeeds[0].Reason);
        Assert.InRange(bad.Requests.Count, 1, 4);
    }

    [Fact]
    public async Task A_whole_file_without_a_range_is_taken_where_all_of_it_is_wanted()
    {
        await using var fixture = new WebSeedFixture(SwarmFixture.OneFile(900));
        fixture.Seed.IgnoresRanges = true;
        Assert.Equal(fixture.HashOf(0), await WebSeedFixture.ReadAsync(fixture.Add(fixture.Seed.Url), 0));
    }

    [Fact]
    public async Task A_server_with_wrong_bytes_is_dropped_after_one_piece_and_its_bytes_reach_nobody()
    {
        await using var fixture = new WebSeedFixture(SwarmFixture.OneFile(20 * PieceLength));
        fixture.Seed.IsWrong = static offset => offset == 0;
        await using var good = new MockWebSeed(fixture.Torrent);
        var torrent = fixture.Add(fixture.Seed.Url);
        var read = WebSeedFixture.ReadAsync(torrent, 0);
        await Until.TrueAsync(() => torrent.WebSeeds[0].State == WebSeedState.Dropped);
        Assert.Equal("what it sends is not the torrent's content", torrent.WebSeeds[0].Reason);
        Assert.Equal(PieceLength, torrent.GetStatus().Bytes.Failed);
        torrent.Swarm.AddWebSeeds([new Uri(good.Url)], isFromLink: false);
        Assert.Equal(fixture.HashOf(0), await read);
    }

    [Theory]
    [InlineData("503 Service Unavailable")]
    [InlineData("429 Too Many Requests")]
    public async Task Retry_after_is_obeyed(string status)
    {
        await using var fixture = new WebSeedFixture(SwarmFixture.OneFile(300_000));
        fixture.Seed.Reply = _ => (status, "Retry-After: 25\r\n");
        var torrent = fixture.Add(fixture.Seed.Url);
        var read = WebSeedFixture.ReadAsync(torrent, 0);
        await Until.TrueAsync(() => torrent.WebSeeds[0].State == WebSeedState.Waiting);
        Assert.Equal($"it answers {status[..3]}", torrent.WebSeeds[0].Reason);
        fixture.Seed.Reply = null;
        var before = fixture.Seed.Requests.Count;
        for (var second = 0; second < 24; second++)
            fixture.Time.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal((before, WebSeedState.Waiting), (fixture.Seed.Requests.Count, torrent.WebSeeds[0].State));
        fixture.Time.Advance(TimeSpan.FromSeconds(2));
        Assert.Equal(fixture.HashOf(0), await read);
    }

    [Fact]
    public async Task Answers_that_break_off_are_asked_for_again_from_there()
    {
        await using var fixture = new WebSeedFixture(SwarmFixture.OneFile(1_000_000));
        fixture.Seed.BreaksAfter = 50_001;
        var torrent = fixture.Add(fixture.Seed.Url);
        Assert.Equal(fixture.HashOf(0), await WebSeedFixture.ReadAsync(torrent, 0));
        Assert.Equal((1_000_000L, 0L), (torrent.GetStatus().Bytes.Payload, torrent.GetStatus().Bytes.Duplicate));
    }

    [Fact]
    public async Task A_silent_server_is_left_and_asked_again_later()
    {
        await using var fixture = new WebSeedFixture(SwarmFixture.OneFile(300_000));
        var hold = new TaskCompletionSource();
        fixture.Seed.Hold = hold.Task;
        var torrent = fixture.Add(fixture.Seed.Url);
        var read = WebSeedFixture.ReadAsync(torrent, 0);
        await Until.TrueAsync(() => fixture.Seed.Requests.Count > 0);
        fixture.Time.Advance(TimeSpan.FromSeconds(21));
        await Until.TrueAsync(() => torrent.WebSeeds[0].State == WebSeedState.Waiting);
        Assert.Equal("it was silent for 20 s", torrent.WebSeeds[0].Reason);
        fixture.Seed.Hold = null;
        hold.SetResult();
        fixture.Time.Advance(TimeSpan.FromSeconds(3));
        Assert.Equal(fixture.HashOf(0), await read);
    }

    [Fact]
    public async Task A_server_without_one_of_the_files_still_sends_the_others()
    {
        SwarmFile[] files = [new("a.mkv", 2 * PieceLength), new("b.mkv", 2 * PieceLength)];
        await using var fixture = new WebSeedFixture(new MockTorrent("set", SwarmContent.Make(9, PieceLength, files)));
        fixture.Seed.Reply = static request => request.Target.EndsWith("a.mkv", StringComparison.Ordinal) ? ("404 Not Found", "") : null;
        await using var other = new MockWebSeed(fixture.Torrent);
        var torrent = fixture.Add(fixture.Seed.Url);
        var missing = WebSeedFixture.ReadAsync(torrent, 0);
        await Until.TrueAsync(() => fixture.Seed.Requests.Count > 0);
        Assert.Equal(fixture.HashOf(1), await WebSeedFixture.ReadAsync(torrent, 1));
        Assert.False(missing.IsCompleted);
        torrent.Swarm.AddWebSeeds([new Uri(other.Url)], isFromLink: false);
        Assert.Equal(fixture.HashOf(0), await missing);
        Assert.All(other.Requests, static request => Assert.Equal("/d/set/a.mkv", request.Target));
    }

    [Fact]
    public async Task What_nobody_reads_any_more_is_not_fetched_to_its_end()
    {
        await using var fixture = new WebSeedFixture(SwarmFixture.OneFile(64L << 20));
        var torrent = fixture.Add(fixture.Seed.Url);
        var info = await torrent.DescribeAsync(CancellationToken.None);
        await using (var reader = torrent.Open(info.Files[0]).OpenReader(0, info.Length, ReadIntent.Playback))
        {
            using var lease = await reader.NextAsync(CancellationToken.None);
        }

        await Until.TrueAsync(() =>
        {
            fixture.Time.Advance(TimeSpan.FromSeconds(1));
            return torrent.WebSeeds[0].Pending == 0;
        });
        Assert.Equal(WebSeedState.Active, torrent.WebSeeds[0].State);
        var end = info.Length - Block;
        await using var last = torrent.Open(info.Files[0]).OpenReader(end, info.Length, ReadIntent.Playback);
        using var bytes = await last.NextAsync(CancellationToken.None);
        var expected = new byte[bytes.Length];
        fixture.Torrent.Content.Fill(end, expected);
        Assert.Equal(SHA256.HashData(expected), SHA256.HashData(bytes.Memory.Span));
        Assert.True(torrent.GetStatus().Have * (long)PieceLength < info.Length, "only what was read, and a window ahead, was fetched");
    }

    [Fact]
    public async Task Peers_and_web_seeds_serve_together()
    {
        await using var fixture = new SwarmFixture(
            SwarmFixture.OneFile(8 << 20), SwarmFixture.Seeders(1, new SeederOptions { Rate = 2 << 20 }));
        await using var seed = new MockWebSeed(fixture.Swarm.Torrent);
        var torrent = fixture.Add();
        torrent.Swarm.AddWebSeeds([new Uri(seed.Url)], isFromLink: false);
        await fixture.ReadAsync(torrent, 0, 8 << 20);
        Assert.True(Assert.Single(torrent.WebSeeds).Downloaded > 0);
        Assert.Equal(0, torrent.GetStatus().Bytes.Failed);
    }

    [Fact]
    public async Task A_link_names_web_seeds_but_a_private_torrent_takes_only_its_own()
    {
        await using var fixture = new WebSeedFixture(SwarmFixture.OneFile(300_000));
        var link = MagnetLink.Read($"{fixture.Torrent.Magnet([], [])}&ws={Uri.EscapeDataString(fixture.Seed.Url)}&xs=http%3A%2F%2F127.0.0.1%3A1%2Fx.torrent").Value!;
        Assert.Equal([new Uri(fixture.Seed.Url)], link.WebSeeds);
        var torrent = fixture.Engine.Add(link);
        Assert.Equal(WebSeedState.Spare, Assert.Single(torrent.WebSeeds).State);
        torrent.Describe(fixture.Info);
        Assert.Equal(fixture.HashOf(0), await WebSeedFixture.ReadAsync(torrent, 0));

        var content = SwarmContent.Make(11, PieceLength, [new SwarmFile("film.mkv", 300_000)]);
        var secret = new MockTorrent("film.mkv", content, isPrivate: true);
        var closed = fixture.Engine.Add(MagnetLink.Read($"{secret.Magnet([], [])}&ws={Uri.EscapeDataString(fixture.Seed.Url)}").Value!);
        closed.Describe(Metainfo.Read(secret.TorrentFile()).Value!.Info);
        Assert.Empty(closed.WebSeeds);
        fixture.Engine.Add(new Metainfo(Metainfo.Read(secret.TorrentFile()).Value!.Info, []) { WebSeeds = [new Uri(fixture.Seed.Url)] });
        Assert.Equal(WebSeedState.Active, Assert.Single(closed.WebSeeds).State);
    }

    [Fact]
    public async Task Everything_goes_through_the_proxy()
    {
        await using var proxy = new MockProxy();
        var options = new TorrentOptions { Workers = 2, Proxy = new ProxyAddress(ProxyKind.Socks5, "127.0.0.1", proxy.Port, "", "") };
        await using var fixture = new WebSeedFixture(SwarmFixture.OneFile(300_000), options: options);
        var url = new Uri(fixture.Seed.Url);
        proxy.Names["seed.invalid"] = new IPEndPoint(IPAddress.Loopback, url.Port);
        var torrent = fixture.Add(fixture.Seed.Url.Replace("127.0.0.1", "seed.invalid", StringComparison.Ordinal));
        Assert.Equal(fixture.HashOf(0), await WebSeedFixture.ReadAsync(torrent, 0));
        Assert.Equal([$"seed.invalid:{url.Port}"], proxy.Asked.Distinct());
        Assert.Equal(proxy.Asked.Count, fixture.Seed.MostConnections);
    }
}
