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
        Assert.Equal([new("x/a.bin", 0, 10_000, false), new(".pad/1", 10_000, 6_384, true), new TorrentFile("b.bin", 16_384, 5, false)],
            read.Value.Info.Files);
    }

    [Theory]
    [InlineData("", false)]
    [InlineData("7:privatei0e", false)]
    [InlineData("7:privatei1e", true)]
    [InlineData("7:privatei2e", true)]
    [InlineData("7:private1:1", true)]
    [InlineData("7:privatele", true)]
    [InlineData("7:privatei1e7:privatei0e", true)]
    public void Anything_but_the_integer_0_makes_a_torrent_private(string field, bool isPrivate)
    {
        var info = $"d6:lengthi5e4:name1:a12:piece lengthi16384e6:pieces20:aaaaaaaaaaaaaaaaaaaa{field}e";
        var torrent = $"d5:nodesll9:192.0.2.1i6881eee4:info{info}e";
        var read = Metainfo.Read(Encoding.ASCII.GetBytes(torrent));
        Assert.Equal((isPrivate, isPrivate ? 0 : 1), (read.Value!.Info.IsPrivate, read.Value.Nodes.Count));
    }

    [Theory]
    [InlineData("", "")]
    [InlineData("8:url-list0:", "")]
    [InlineData("8:url-list19:http://a.example/d/", "http://a.example/d/")]
    [InlineData("8:url-listl19:http://a.example/d/i1e19:http://a.example/d/18:ftp://a.example/d/19:https://b.example/ee",
        "http://a.example/d/ https://b.example/e")]
    [InlineData("8:url-listl18:https://b.example/le18:https://c.example/e9:httpseedsl17:http://a.example/e",
        "https://b.example/ https://c.example/")]
    [InlineData("8:url-listd1:ai1ee", "")]
    public void Web_seeds_are_read_and_written(string field, string expected)
    {
        var torrent = $"d4:infod6:lengthi5e4:name1:a12:piece lengthi16384e6:pieces20:aaaaaaaaaaaaaaaaaaaae{field}e";
        var read = Metainfo.Read(Encoding.ASCII.GetBytes(torrent));
        Assert.True(read.Succeeded, read.Error);
        var again = Metainfo.Read(read.Value!.Write()).Value!;
        Assert.Equal(expected, string.Join(' ', again.WebSeeds));
        Assert.Equal(again.WebSeeds, again.With([]).WebSeeds);
    }

    [Fact]
    public void Comment_program_time_and_nodes_are_read_and_written()
    {
        const string Info = "d6:lengthi5e4:name1:a12:piece lengthi16384e6:pieces20:aaaaaaaaaaaaaaaaaaaae";
        const string Torrent = "d7:comment1:x13:comment.utf-88:prüfung10:created by9:mktorrent13:creation datei1700000000e4:info" + Info
            + "5:nodesll9:192.0.2.1i6881eel11:2001:db8::1i6882eel12:node.exampleli7eei6883eeli1eel1:ai0eee";
        var read = Metainfo.Read(Encoding.UTF8.GetBytes(Torrent + "e")).Value!;
        Assert.Equal(new TorrentOrigin("prüfung", "mktorrent", 1_700_000_000), read.Origin);
        string[] nodes = ["192.0.2.1:6881", "[2001:db8::1]:6882", "Unspecified/node.example:6883"];
        Assert.Equal(nodes, read.Nodes.Select(static node => node.ToString()!));

        var again = Metainfo.Read(read.With([[new Uri("http://t.example/a")]]).Write()).Value!;
        Assert.Equal((read.Origin, "http://t.example/a"), (again.Origin, again.Trackers[0][0].ToString()));
        Assert.Equal(read.Nodes.Select(static node => node.ToString()), again.Nodes.Select(static node => node.ToString()));
        Assert.Equal(read.Info.Hash, again.Info.Hash);
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
    [InlineData(
        "d4:infod5:filesld6:lengthi9223372036854775807e4:pathl1:aeed6:lengthi5e4:pathl1:beee4:name1:a12:piece " +
        "lengthi16384e6:pieces20:aaaaaaaaaaaaaaaaaaaaee", "usable length")]
    public void An_unusable_torrent_is_refused_with_a_reason(string torrent, string reason)
    {
        var read = Metainfo.Read(Encoding.UTF8.GetBytes(torrent));
        Assert.False(read.Succeeded);
        Assert.Contains(reason, read.Error, StringComparison.Ordinal);
    }

    [Fact]
    public void A_torrent_truncated_anywhere_is_refused()
    {
        var whole = new MockTorrent("a.bin", SwarmContent.Make(1, 16_384, [new SwarmFile("a.bin", 40_000)]))
            .TorrentFile("http://t.example/a");
        for (var length = 0; length < whole.Length; length++)
            Assert.False(Metainfo.Read(whole.AsSpan(0, length)).Succeeded);
    }

    [Fact]
    public void A_torrent_with_any_byte_changed_never_throws()
    {
        var whole = new MockTorrent("a", SwarmContent.Make(1, 16_384, [new SwarmFile("b", 100), new SwarmFile("c/d", 200)]))
            .TorrentFile("http://t.example/a");
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
        var link = MagnetLink.Read(
            "magnet:?xt=urn:btih:0123456789abcdef0123456789abcdef01234567&dn=A+b%20c&tr=http%3A%2F%2Ft.example%2Fa&tr.1=udp://u.example:1"
            + "&x.pe=127.0.0.1:80&x.pe=[::1]:81&x.pe=host.example:82&x.pe=127.0.0.1&x.pe=:5&x.pe=a:99999&x.pe=1.2.3.4:0").Value;
        Assert.Equal("A b c", link?.Name);
        Assert.Equal(["http://t.example/a", "udp://u.example:1/"], link!.Trackers.Select(uri => uri.ToString()));
        Assert.Equal(["127.0.0.1:80", "[::1]:81", "Unspecified/host.example:82"], link.Peers.Select(peer => peer.ToString()!));
    }

    [Theory]
    [InlineData("&amp;dn=A&amp;tr=http%3A%2F%2Ft.example%2Fannounce", "A", "http://t.example/announce")]
    [InlineData("&amp;amp;dn=A&AMP;tr=http%3A%2F%2Ft.example%2Fa%3Fx%3D1%26amp%3By%3D2", "A", "http://t.example/a?x=1&y=2")]
    [InlineData("&dn=Howl&#039;s+Moving+Castle&tr=http://t.example/a", "Howl's Moving Castle", "http://t.example/a")]
    [InlineData("&dn=Things+to+Do%E2%80%A6You%26%23039%3Bre+Dead&tr=http://t.example/a", "Things to Do…You're Dead", "http://t.example/a")]
    [InlineData("&dn=A&quot;b=c&quot;&tr=http://t.example/a", "A\"b=c\"", "http://t.example/a")]
    [InlineData("&dn=Tom & Jerry+(1940)&tr=http://t.example/a", "Tom & Jerry (1940)", "http://t.example/a")]
    [InlineData("&dn=A&tr=http://t.example/a%252Fb+c/announce?k=x+y&z", "A", "http://t.example/a%2Fb+c/announce?k=x+y")]
    [InlineData("&&dn=A&tr=http://t.example/a%0A&", "A", "http://t.example/a")]
    public void Magnet_links_that_went_through_a_page_keep_name_and_trackers(string rest, string name, string tracker)
    {
        var link = MagnetLink.Read("magnet:?xt=urn:btih:0123456789abcdef0123456789abcdef01234567" + rest).Value;
        Assert.Equal((name, tracker), (link?.Name, link?.Trackers.Single().AbsoluteUri));
    }

    [Fact]
    public void Places_of_a_torrent_file_in_a_magnet_link_are_read()
    {
        var link = MagnetLink.Read("magnet:?&xt=urn:btih:0123456789abcdef0123456789abcdef01234567&xt=urn:md5:00&xl=1&dn=a.zim"
            + "&ws=http%3A%2F%2Fw.example%2Fa&as=http%3A%2F%2Fa.example%2Fa.torrent&xs=https://b.example/a.torrent"
            + "&xs=urn:tree:tiger:00&xs=udp://c.example:1&xs.1=http://a.example/a.torrent").Value;
        Assert.Equal(["http://a.example/a.torrent", "https://b.example/a.torrent"], link!.Sources.Select(static uri => uri.ToString()));
    }

    [Theory]
    [InlineData("&xt=urn:btmh:1220", true)]
    [InlineData("&xt.2=URN:BTMH:1220", true)]
    [InlineData("&xt=urn:btih:", true)]
    [InlineData("&xt=urn:btmh:1320", false)]
    [InlineData("&xt=urn:btmh:", false)]
    [InlineData("", false)]
    public void The_alias_of_a_hybrid_is_read_beside_its_hash(string parameter, bool isRead)
    {
        const string Newer = "9ebff9d9f124f657c82be6c6d2c6c9519d84056aae8d2e07fbb87307a03c846f";
        var hash = "xt=urn:btih:a6402c7b12102375961735a7e8eeac4ee7dee300";
        foreach (var link in new[] { $"magnet:?{hash}{parameter}{(parameter.Length > 0 ? Newer : "")}",
            $"magnet:?x=y{parameter}{(parameter.Length > 0 ? Newer : "")}&{hash}" })
        {
            var read = MagnetLink.Read(link).Value!;
            Assert.Equal("a6402c7b12102375961735a7e8eeac4ee7dee300", read.Hash.ToString());
            Assert.Equal(isRead ? Newer[..40] : null, read.Alias?.ToString());
        }
    }

    [Fact]
    public void A_hybrid_has_the_SHA_256_of_its_info_as_alias_and_others_have_none()
    {
        var content = SwarmContent.Make(1, 16_384, [new SwarmFile("a.bin", 40_000)]);
        var hybrid = new MockTorrent("a.bin", content, isHybrid: true);
        var info = Metainfo.Read(hybrid.TorrentFile()).Value!.Info;
        Assert.Equal((hybrid.HashText, Convert.ToHexStringLower(hybrid.Alias.Span)), (info.Hash.ToString(), info.Alias.ToString()));
        Assert.Null(Metainfo.Read(new MockTorrent("a.bin", content).TorrentFile()).Value!.Info.Alias);
        foreach (var rest in new[] { "12:meta versioni2e", "9:file treede", "9:file treede12:meta versioni3e" })
        {
            var read = Metainfo.Read(
                Encoding.UTF8.GetBytes($"d4:infod6:lengthi5e4:name1:a12:piece lengthi16384e6:pieces20:aaaaaaaaaaaaaaaaaaaa{rest}ee"));
            Assert.Null(read.Value!.Info.Alias);
        }
    }

    [Theory]
    [InlineData("http://x", "magnet:?")]
    [InlineData("magnet:?dn=x", "no BitTorrent hash")]
    [InlineData("magnet:?xt=urn:btih:zz", "neither")]
    [InlineData("magnet:?xt=urn:btih:0123456789abcdef0123456789abcdef0123456z", "neither")]
    [InlineData("magnet:?xt=urn:btmh:1220aa", "version 2")]
    [InlineData("magnet:?xt=urn:btih:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef", "version 2")]
    [InlineData("magnet:?xt=urn:btih:0123456789abcdef0123456789abcdef01234567&xt=urn:btih:1123456789abcdef0123456789abcdef01234567",
        "two different")]
    public void Unusable_magnet_links_are_refused_with_a_reason(string link, string reason) =>
        Assert.Contains(reason, MagnetLink.Read(link).Error, StringComparison.Ordinal);

    [Fact]
    public void Extension_handshakes_round_trip_and_garbage_is_refused()
    {
        var output = new System.Buffers.ArrayBufferWriter<byte>();
        ExtensionHandshake.Write(output, 1_234, 6_881, exchanges: true, uploadOnly: true);
        Assert.True(ExtensionHandshake.TryRead(output.WrittenSpan, default, out var read));
        Assert.Equal(
            new ExtensionHandshake(1, 1_234, 2_000, 6_881, "NzbDav") { ExchangeId = 2, DontHaveId = 3, IsUploadOnly = true }, read);

        Assert.True(ExtensionHandshake.TryRead("d1:md11:ut_metadatai999ee13:metadata_sizei-5e1:pi99999e4:reqql1:aee"u8, default, out read));
        Assert.Equal(default, read);
        Assert.False(ExtensionHandshake.TryRead("d1:m"u8, default, out _));
        Assert.False(ExtensionHandshake.TryRead("i1e"u8, default, out _));
    }

    private static IReadOnlyList<TorrentFile> Files(string list)
    {
        var read = Metainfo.Read(
            Encoding.UTF8.GetBytes($"d4:infod5:filesl{list}e4:name1:n12:piece lengthi16384e6:pieces20:aaaaaaaaaaaaaaaaaaaaee"));
        Assert.True(read.Succeeded, read.Error);
        return read.Value.Info.Files;
    }
}
