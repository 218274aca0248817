using System.Globalization;
using System.IO.Compression;
using System.Net;
using System.Text;
using NzbDav.Fakes;
using NzbDav.Torrents.Blocking;
using NzbDav.Torrents.Settings;
using NzbDav.Torrents.Wire.Encryption;

namespace NzbDav.Torrents.Tests.Blocking;

public sealed class BlocklistTests : IDisposable
{
    private const string List = """
        # a comment
        Some organisation:1.9.96.105-1.9.96.107
        A name: with colons:2.0.0.0-2.0.0.255
        003.000.000.000 - 003.000.000.009 , 000 , With zeros before
        004.000.000.000 - 004.000.000.009 , 200 , Allowed by its level
        5.6.0.0/16
        6.7.8.9
        2001:db8::/32
        2001:dbf::5
        v6:2001:dc0::-2001:dc0::ff
        nonsense
        7.7.7.7-7.7.7.1
        8.8.8.8/33
        """;

    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory();

    public void Dispose() => _folder.Delete(recursive: true);

    [Theory]
    [InlineData("1.9.96.104", false)]
    [InlineData("1.9.96.105", true)]
    [InlineData("1.9.96.107", true)]
    [InlineData("1.9.96.108", false)]
    [InlineData("2.0.0.77", true)]
    [InlineData("3.0.0.9", true)]
    [InlineData("3.0.0.10", false)]
    [InlineData("4.0.0.1", false)]
    [InlineData("5.6.255.255", true)]
    [InlineData("5.7.0.0", false)]
    [InlineData("6.7.8.9", true)]
    [InlineData("::ffff:6.7.8.9", true)]
    [InlineData("2001:db8:1::1", true)]
    [InlineData("2001:dbf::5", true)]
    [InlineData("2001:dbf::6", false)]
    [InlineData("2001:dc0::80", true)]
    [InlineData("7.7.7.7", false)]
    public void Every_kind_of_line_is_parsed(string address, bool isBlocked)
    {
        foreach (var packed in new[] { false, true })
        {
            var (ranges, malformed, first) = Read(List, packed);
            Assert.Equal(isBlocked, ranges.Contain(IPAddress.Parse(address)));
            Assert.Equal((3, "line 11: nonsense"), (malformed, first));
        }
    }

    [Fact]
    public void Ranges_that_overlap_or_touch_are_merged()
    {
        var (ranges, _, _) = Read(
            "1.0.0.0-1.0.0.9\n1.0.0.5-1.0.0.20\n1.0.0.21-1.0.0.30\n0.0.0.0-0.0.0.5\n255.255.255.0-255.255.255.255\n255.255.255.255",
            isPacked: false);
        Assert.Equal(3, ranges.Count);
        Assert.True(ranges.Contain(IPAddress.Parse("1.0.0.30")));
        Assert.True(ranges.Contain(IPAddress.Broadcast));
    }

    [Fact]
    public void Half_a_million_ranges_take_eight_bytes_each()
    {
        var text = new StringBuilder();
        for (uint i = 0; i < 500_000; i++)
        {
            var first = (i * 8_192) + 7;
            text.Append(CultureInfo.InvariantCulture, $"n:{first >> 24}.{(first >> 16) & 255}.{(first >> 8) & 255}.{first & 255}-{first >> 24}.{(first >> 16) & 255}.{(first >> 8) & 255}.{(first & 255) + 1}\n");
        }

        using var file = new MemoryStream(Encoding.ASCII.GetBytes(text.ToString()));
        var (ranges, malformed, _) = BlocklistReader.Read(file);
        Assert.Equal((500_000, 0), (ranges.Count, malformed));
        Assert.Equal(4_000_000, ranges.Bytes);
        Assert.True(ranges.Contain(new IPAddress([0, 0, 32, 8])));
        Assert.False(ranges.Contain(new IPAddress([0, 0, 32, 9])));
    }

    [Fact]
    public void A_line_that_never_ends_is_refused() =>
        Assert.Throws<InvalidDataException>(() => Read(new string('x', 5_000), isPacked: true));

    [Fact]
    public void A_changed_file_is_read_again_and_an_unreadable_one_changes_nothing()
    {
        var path = Path.Combine(_folder.FullName, "list.p2p");
        File.WriteAllText(path, "a:1.2.3.4-1.2.3.4\nrubbish\n");
        var time = new ManualTimeProvider();
        var told = new List<string>();
        using var list = new Blocklist(() => path, () => [], time, told.Add);
        var changes = 0;
        list.Changed += () => changes++;
        Assert.True(list.Contains(IPAddress.Parse("1.2.3.4")));
        Assert.Equal("The blocklist has 1 ranges of addresses; 1 lines cannot be read, the first is line 2: rubbish", Assert.Single(told));

        time.Advance(TimeSpan.FromSeconds(10));
        Assert.Equal((0, 1), (changes, told.Count));
        File.WriteAllText(path, "a:1.2.3.5-1.2.3.6\n1.2.3.8/32\n");
        time.Advance(TimeSpan.FromSeconds(10));
        Assert.False(list.Contains(IPAddress.Parse("1.2.3.4")));
        Assert.True(list.Contains(IPAddress.Parse("1.2.3.5")));
        Assert.Equal((1, 2), (changes, told.Count));

        File.Delete(path);
        time.Advance(TimeSpan.FromSeconds(20));
        Assert.True(list.Contains(IPAddress.Parse("1.2.3.5")));
        Assert.Equal((1, 3), (changes, told.Count));
    }

    [Fact]
    public async Task Blocked_peers_are_neither_dialled_nor_accepted_and_newly_blocked_ones_are_disconnected()
    {
        var path = Path.Combine(_folder.FullName, "list.txt");
        const long Size = 4 * SwarmFixture.PieceLength;
        var options = new TorrentOptions { Workers = 1, Encryption = EncryptionPolicy.Off, Listen = new IPEndPoint(IPAddress.Loopback, 0) };
        await using var fixture = new SwarmFixture(SwarmFixture.OneFile(Size), SwarmFixture.Seeders(1), options);
        var torrent = fixture.Add();
        await fixture.ReadAsync(torrent, 0, Size);
        Assert.Equal(1, torrent.GetStatus().Peers);

        await File.WriteAllTextAsync(path, "127.0.0.0/8\n");
        fixture.Engine.Apply(options with { Blocklist = path });
        await Until.TrueAsync(() => torrent.GetStatus().Peers == 0);
        var connections = fixture.Swarm.Seeders[0].Counters.Connections;
        torrent.AddPeers(fixture.Swarm.Endpoints);
        using var client = new System.Net.Sockets.TcpClient();
        await client.ConnectAsync(IPAddress.Loopback, fixture.Engine.Port);
        Assert.Equal(0, await ReadAsync(client.GetStream()));
        Assert.Equal(connections, fixture.Swarm.Seeders[0].Counters.Connections);
        Assert.Equal(0, torrent.GetStatus().Peers);
        Assert.True(fixture.Engine.GetNetwork() is { HasBlocklist: true, BlockedRanges: 1, Blocked: >= 2 });
    }

    [Fact]
    public async Task A_banned_peer_is_disconnected_and_returns_once_it_is_allowed_again()
    {
        const long Size = 4 * SwarmFixture.PieceLength;
        var options = new TorrentOptions { Workers = 1, Encryption = EncryptionPolicy.Off, Listen = new IPEndPoint(IPAddress.Loopback, 0) };
        await using var fixture = new SwarmFixture(SwarmFixture.OneFile(Size), SwarmFixture.Seeders(1), options);
        var torrent = fixture.Add();
        await fixture.ReadAsync(torrent, 0, Size);
        fixture.Engine.Apply(options with { BannedAddresses = [IPAddress.Loopback, IPAddress.Parse("2001:db8::1")] });
        await Until.TrueAsync(() => torrent.GetStatus().Peers == 0);
        torrent.AddPeers(fixture.Swarm.Endpoints);
        Assert.Equal(0, torrent.GetStatus().Peers);
        fixture.Engine.Apply(options);
        torrent.AddPeers(fixture.Swarm.Endpoints);
        await Until.TrueAsync(() => torrent.GetStatus().Peers == 1);
    }

    [Fact]
    public void Single_addresses_are_blocked_in_either_notation_in_addition_to_the_file()
    {
        IReadOnlyList<IPAddress> banned = [IPAddress.Parse("::ffff:203.0.113.7"), IPAddress.Parse("2001:db8::1")];
        using var list = new Blocklist(static () => null, () => banned, new ManualTimeProvider(), static _ => { });
        Assert.True(list.Contains(IPAddress.Parse("203.0.113.7")));
        Assert.True(list.Contains(IPAddress.Parse("2001:db8::1")));
        Assert.False(list.Contains(IPAddress.Parse("203.0.113.8")));
        banned = [];
        list.Update();
        Assert.False(list.Contains(IPAddress.Parse("203.0.113.7")));
    }

    private static async Task<int> ReadAsync(Stream stream)
    {
        try
        {
            return await stream.ReadAsync(new byte[1]);
        }
        catch (IOException)
        {
            return 0;
        }
    }

    private static (AddressRanges Ranges, int Malformed, string? First) Read(string text, bool isPacked)
    {
        var bytes = Encoding.ASCII.GetBytes(text);
        using var file = new MemoryStream();
        if (isPacked)
        {
            using var packed = new GZipStream(file, CompressionLevel.Fastest, leaveOpen: true);
            packed.Write(bytes);
        }
        else
        {
            file.Write(bytes);
        }

        file.Position = 0;
        return BlocklistReader.Read(file);
    }
}
