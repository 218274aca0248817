using System.Text;
using NzbDav.MockSwarm.Contents;
using NzbDav.Torrents.Metadata;

namespace NzbDav.Torrents.Tests.Metadata;

public sealed class MetainfoTests
{
    [Fact]
    public void A_torrent_of_one_file_is_read()
    {
        var made = new MockTorrent("a.bin", SwarmContent.Make(1, 16_384, [new SwarmFile("a.bin", 40_000)]));
        var read = Metainfo.Read(made.TorrentFile("http://t.example/announce", "udp://u.example:80", "nonsense"));

        Assert.True(read.Succeeded, read.Error);
        var info = read.Value.Info;
        Assert.Equal(made.HashText, info.Hash.ToString());
        Assert.Equal(("a.bin", 16_384, 3, 40_000L, false), (info.Name, info.PieceLength, info.PieceCount, info.Length, info.IsPrivate));
        Assert.Equal((16_384, 7_232), (info.SizeOf(0), info.SizeOf(2)));
        Assert.Equal([new TorrentFile("a.bin", 0, 40_000, false)], info.Files);
        Assert.True(info.HashOf(2).SequenceEqual(made.Content.Hashes.Span[40..]));
        Assert.Equal(made.Info.ToArray(), info.Raw.ToArray());
        Assert.Equal(["http://t.example/announce", "udp://u.example:80/"], read.Value.Trackers.Select(tier => tier[0].ToString()));
    }

    [Theory]
    [InlineData("udp://xn--\u00fc.example:80/announce")]
    [InlineData("udp://[::1/announce")]
    public void A_tracker_without_a_valid_host_name_is_left_out(string tracker)
    {
        var made = new MockTorrent("a.bin", SwarmContent.Make(1, 16_384, [new SwarmFile("a.bin", 40_000)]));
        var read = Metainfo.Read(made.TorrentFile(tracker, "udp://u.example:80"));
        Assert.Equal(["udp://u.example:80/"], read.Value!.Trackers.SelectMany(static tier => tier).Select(static uri => uri.ToString()));
    }

    [Theory]
    [InlineData(253, true)]
    [InlineData(254, false)]
    public void A_trackers_host_name_has_253_characters_at_most(int length, bool isTaken)
    {
        var name = string.Join('.', Enumerable.Repeat(new string('a', 60), 4)) + '.' + new string('b', length - 244);
        Assert.Equal(isTaken, Metainfo.ReadTracker($"udp://{name}:80/announce") is not null);
    }

    [Fact]
    public void A_torrent_of_many_files_with_padding_and_the_private_flag_is_read()
    {
        var files = new[] { new SwarmFile("x/a.bin", 10_000), new SwarmFile(".pad/6384", 6_384, true), new SwarmFile("b.bin", 5) };
        var made = new MockTorrent("set", SwarmContent.Make(1, 16_384, files), isPrivate: true);
        var read = Metainfo.Read(made.TorrentFile());

        Assert.True(read.Succeeded, read.Error);
        Assert.True(read.Value.Info.IsPrivate);
        Assert.Empty(read.Value.Trackers);
        Assert.Equal([new("x/a.bin", 0, 10_000, false), new(".pad/1", 10_000, 6_384, true), new TorrentFile("b.bin", 16_384, 5, false)], read.Value.Info.Files);
    }

    [Theory]
    [InlineData("../../etc/passwd", "_/_/etc/passwd")]
    [InlineData("a//b", "a/b")]
    [InlineData("./a", "_/a")]
    [InlineData("a\\b\u0001/c:d", "a_b_/c:d")]
    [InlineData("a\u202Egpj.exe", "a_gpj.exe")]
    public void Paths_stay_inside_their_folder(string path, string safe)
    {
        var parts = string.Concat(path.Split('/').Select(part => $"{Encoding.UTF8.GetByteCount(part)}:{part}"));
        Assert.Equal(safe, Assert.Single(Files($"d6:lengthi5e4:pathl{parts}ee")).Path);
    }

    [Fact]
    public void Two_files_never_share_a_path()
    {
        var files = Files("d6:lengthi1e4:pathl1:aeed6:lengthi1e4:pathl1:aeed6:lengthi1e4:pathl1:a1:beed6:lengthi1e4:pathl5:c.txteed6:lengthi1e4:pathl5:c.txtee");
        Assert.Equal(["a", "a (2)", "a (3)/b", "c.txt", "c (2).txt"], files.Select(file => file.Path));
    }

    [Fact]
    public void Many_equal_names_cost_no_more_than_distinct_ones()
    {
        var files = Files(string.Concat(Enumerable.Repeat("d6:lengthi0e4:pathl1:aee", 50_000)) + "d6:lengthi1e4:pathl1:bee");
        Assert.Equal(50_001, files.Select(file => file.Path).Distinct(StringComparer.Ordinal).Count());
    }

    [Fact]
    public void A_long_name_keeps_its_extension()
    {
        var name = new string('ü', 200) + ".mkv";
        var path = Assert.Single(Files($"d6:lengthi1e4:pathl{Encoding.UTF8.GetByteCount(name)}:{name}ee")).Path;
        Assert.EndsWith("ü.mkv", path, StringComparison.Ordinal);
        Assert.InRange(Encoding.UTF8.GetByteCount(path), 250, 255);
    }

    [Theory]
    [InlineData("", "bencoded")]
    [InlineData("<html>", "bencoded")]
    [InlineData("magnet:?xt=urn:btih:1234", "magnet")]
    [InlineData("de", "no info")]
    [InlineData("d4:infodee", "piece hashes")]
    [InlineData("d4:infoi1ee", "not a dictionary")]
    [InlineData("d4:infod4:name1:a6:lengthi5e12:piece lengthi16384e6:pieces3:abcee", "piece hashes")]
    [InlineData("d4:infod4:name1:a6:lengthi5e12:piece lengthi0e6:pieces20:aaaaaaaaaaaaaaaaaaaaee", "pieces are 0 bytes")]
    [InlineData("d4:infod4:name1:a6:lengthi5e12:piece lengthi99999999999e6:pieces20:aaaaaaaaaaaaaaaaaaaaee", "pieces are 99999999999")]
    [InlineData("d4:infod4:name1:a6:lengthi-5e12:piece lengthi16384e6:pieces20:aaaaaaaaaaaaaaaaaaaaee", "usable length")]
    [InlineData("d4:infod4:name1:a6:lengthi50000e12:piece lengthi16384e6:pieces20:aaaaaaaaaaaaaaaaaaaaee", "need 4 pieces")]
    [InlineData("d4:infod4:name1:a6:lengthi0e12:piece lengthi16384e6:pieces0:ee", "all empty")]
    [InlineData("d4:infod9:file treede12:meta versioni2e4:name1:a12:piece lengthi16384eee", "version 2")]
    [InlineData("d4:infod4:name1:a", "ends in the middle")]
    [InlineData("d4:infod5:filesld6:lengthi9223372036854775807e4:pathl1:aeed6:lengthi5e4:pathl1:beee4:name1:a12:piece lengthi16384e6:pieces20:aaaaaaaaaaaaaaaaaaaaee", "usable length")]
    public void An_unusable_torrent_is_refused_with_a_reason(string torrent, string reason)
    {
        var read = Metainfo.Read(Encoding.UTF8.GetBytes(torrent));
        Assert.False(read.Succeeded);
        Assert.Contains(reason, read.Error, StringComparison.Ordinal);
    }

    [Fact]
    public void A_torrent_truncated_anywhere_is_refused()
    {
        var whole = new MockTorrent("a.bin", SwarmContent.Make(1, 16_384, [new SwarmFile("a.bin", 40_000)])).TorrentFile("http://t.example/a");
        for (var length = 0; length < whole.Length; length++)
            Assert.False(Metainfo.Read(whole.AsSpan(0, length)).Succeeded);
    }

    [Fact]
    public void A_torrent_with_any_byte_changed_never_throws()
    {
        var whole = new MockTorrent("a", SwarmContent.Make(1, 16_384, [new SwarmFile("b", 100), new SwarmFile("c/d", 200)])).TorrentFile("http://t.example/a");
        for (var at = 0; at < whole.Length; at++)
        {
            var changed = whole.ToArray();
            foreach (var value in "de0:9i"u8)
            {
                changed[at] = value;
                Assert.True(Metainfo.Read(changed) is { } read && (read.Succeeded || read.Error.Length > 0));
            }
        }
    }

    [Theory]
    [InlineData("xt=urn:btih:0123456789abcdef0123456789ABCDEF01234567")]
    [InlineData("xt=urn:btih:aerukz4jvpg66ajdivtytk6n54asgrlh")]
    [InlineData("dn=x&xt.1=urn:btih:AERUKZ4JVPG66AJDIVTYTK6N54ASGRLH&tr=")]
    public void Magnet_hashes_are_read_in_every_form(string query) =>
        Assert.Equal("0123456789abcdef0123456789abcdef01234567", MagnetLink.Read($" magnet:?{query}\n").Value?.Hash.ToString());

    [Fact]
    public void Names_trackers_and_peers_of_a_magnet_link_are_read()
    {
        var link = MagnetLink.Read("magnet:?xt=urn:btih:0123456789abcdef0123456789abcdef01234567&dn=A+b%20c&tr=http%3A%2F%2Ft.example%2Fa&tr.1=udp://u.example:1"
            + "&x.pe=127.0.0.1:80&x.pe=[::1]:81&x.pe=host.example:82&x.pe=127.0.0.1&x.pe=:5&x.pe=a:99999&x.pe=1.2.3.4:0").Value;
        Assert.Equal("A b c", link?.Name);
        Assert.Equal(["http://t.example/a", "udp://u.example:1/"], link!.Trackers.Select(uri => uri.ToString()));
        Assert.Equal(["127.0.0.1:80", "[::1]:81", "Unspecified/host.example:82"], link.Peers.Select(peer => peer.ToString()!));
    }

    [Theory]
    [InlineData("http://x", "magnet:?")]
    [InlineData("magnet:?dn=x", "no BitTorrent hash")]
    [InlineData("magnet:?xt=urn:btih:zz", "neither")]
    [InlineData("magnet:?xt=urn:btih:0123456789abcdef0123456789abcdef0123456z", "neither")]
    [InlineData("magnet:?xt=urn:btmh:1220aa", "version 2")]
    [InlineData("magnet:?xt=urn:btih:0123456789abcdef0123456789abcdef01234567&xt=urn:btih:1123456789abcdef0123456789abcdef01234567", "two different")]
    public void Unusable_magnet_links_are_refused_with_a_reason(string link, string reason) =>
        Assert.Contains(reason, MagnetLink.Read(link).Error, StringComparison.Ordinal);

    [Fact]
    public void Extension_handshakes_round_trip_and_garbage_is_refused()
    {
        var output = new System.Buffers.ArrayBufferWriter<byte>();
        ExtensionHandshake.Write(output, 1_234, 6_881, exchanges: true, uploadOnly: true);
        Assert.True(ExtensionHandshake.TryRead(output.WrittenSpan, default, out var read));
        Assert.Equal(new ExtensionHandshake(1, 1_234, 2_000, 6_881, "NzbDav") { ExchangeId = 2, DontHaveId = 3, IsUploadOnly = true }, read);

        Assert.True(ExtensionHandshake.TryRead("d1:md11:ut_metadatai999ee13:metadata_sizei-5e1:pi99999e4:reqql1:aee"u8, default, out read));
        Assert.Equal(default, read);
        Assert.False(ExtensionHandshake.TryRead("d1:m"u8, default, out _));
        Assert.False(ExtensionHandshake.TryRead("i1e"u8, default, out _));
    }

    private static IReadOnlyList<TorrentFile> Files(string list)
    {
        var read = Metainfo.Read(Encoding.UTF8.GetBytes($"d4:infod5:filesl{list}e4:name1:n12:piece lengthi16384e6:pieces20:aaaaaaaaaaaaaaaaaaaaee"));
        Assert.True(read.Succeeded, read.Error);
        return read.Value.Info.Files;
    }
}
