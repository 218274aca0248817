using System.Net;
using System.Security.Cryptography;
using Microsoft.Extensions.DependencyInjection;
using NzbDav.Archives.Tests;
using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Tree;
using NzbDav.EndToEnd.Tests.Running;
using NzbDav.Fakes;
using NzbDav.Fakes.Archives;
using NzbDav.MockSwarm.Contents;

namespace NzbDav.EndToEnd.Tests.Torrents;

/// <summary>Torrents with archives show what is inside, from a swarm on loopback.</summary>
public sealed class TorrentArchiveTests
{
    private const string Film = "Film.2024.1080p.mkv";
    private const string Folder = "/dav/content/movies/Film/";
    private const int Size = 3_000_000;

    private static readonly byte[] Bytes = SeededBytes.Make(11, Size);

    [Theory]
    [InlineData("rar5")]
    [InlineData("rar4")]
    [InlineData("7z")]
    public async Task A_file_in_a_set_of_volumes_opens_and_seeks_also_after_a_restart(string kind)
    {
        using var folder = new Folder();
        await using var news = new NewsServers();
        IReadOnlyList<byte[]> volumes = kind switch
        {
            "rar5" => new Rar5Writer { VolumeSize = 200_000 }.Write(new PackedFile(Film, Bytes)),
            "rar4" => new Rar4Writer { VolumeSize = 200_000 }.Write(new PackedFile(Film, Bytes)),
            _ => new SevenZipWriter { VolumeSize = 200_000 }.Write(new PackedFile(Film, Bytes)),
        };
        var names = kind switch
        {
            "rar5" => VolumeNaming.Part("film", volumes.Count),
            "rar4" => VolumeNaming.Letter("film", volumes.Count),
            _ => VolumeNaming.Numeric("film.7z", volumes.Count),
        };
        await using var swarm = new TorrentSwarm(Torrent([.. names.Zip(volumes), ("film.nfo", SeededBytes.Make(2, 500))]));
        await using (var gateway = await Gateway.StartAsync(news, folder))
        {
            await DropAsync(gateway, swarm.File);

            // Three of fifteen volumes, or the end of the last one for 7z, are enough to locate the file.
            Assert.InRange(swarm.Sent, 1, Size / 2);
            Assert.Equal([Film, "film.nfo"], await gateway.Client.ListAsync(Folder));
            await AssertAsync(gateway, Film, Bytes);
        }

        await using var again = await Gateway.StartAsync(news, folder);
        var random = new Random(1);
        for (var i = 0; i < 20; i++)
        {
            var start = random.Next(Size);
            await AssertRangeAsync(again, Film, start, Math.Min(Size, start + random.Next(1, 500_000)));
        }
    }

    [Theory]
    [InlineData("")]
    [InlineData("secret")]
    public async Task A_set_with_irregular_volumes_is_laid_out_again_and_serves_no_wrong_byte(string password)
    {
        await using var news = new NewsServers();
        var volumes = new Rar5Writer
        {
            VolumeSize = 200_000,
            Password = password.Length > 0 ? password : null,
            MainExtra = static number => number switch { 6 => 60, 9 => 20, _ => 40 }
        }.Write(new PackedFile(Film, Bytes));
        await using var swarm = new TorrentSwarm(Torrent([.. VolumeNaming.Part("film", volumes.Count).Zip(volumes)]));
        await using var gateway = await Gateway.StartAsync(news);
        await DropAsync(gateway, swarm.File, password);

        var (whole, read) = await TryReadAsync(gateway, Film);
        Assert.False(whole);

        // The sixth volume is where the layout is wrong. The end of the response is an abort, and what had not left the server by then is
        // lost.
        Assert.InRange(read.Length, 0, 1_600_000);
        Assert.True(read.AsSpan().SequenceEqual(Bytes.AsSpan(0, read.Length)));

        await AssertAsync(gateway, Film, Bytes);
    }

    [Fact]
    public async Task An_encrypted_set_opens_with_a_password_of_the_settings()
    {
        await using var news = new NewsServers();
        var volumes = new Rar5Writer { VolumeSize = 200_000, Password = "secret" }.Write(new PackedFile(Film, Bytes));
        await using var swarm = new TorrentSwarm(Torrent([.. VolumeNaming.Part("film", volumes.Count).Zip(volumes)]));
        await using var gateway = await Gateway.StartAsync(
            news, change: static settings => settings with { ImportRules = settings.ImportRules with { Passwords = ["wrong", "secret"] } });
        await DropAsync(gateway, swarm.File);
        Assert.Equal([Film], await gateway.Client.ListAsync(Folder));
        await AssertAsync(gateway, Film, Bytes);
        await AssertRangeAsync(gateway, Film, 1_234_567, 2_000_001);
    }

    [Theory]
    [InlineData("headers5")]
    [InlineData("headers4")]
    [InlineData("headers7")]
    public async Task A_set_with_encrypted_headers_opens_with_the_password_in_the_name_of_its_torrent(string fixture)
    {
        using var folder = new Folder();
        await using var news = new NewsServers();
        var volumes = Directory.GetFiles(Path.Combine(AppContext.BaseDirectory, "Fixtures"), fixture + ".*").Order(StringComparer.Ordinal)
            .Select(static path => (Path.GetFileName(path), File.ReadAllBytes(path))).ToArray();
        Assert.NotEmpty(volumes);
        await using var swarm = new TorrentSwarm(Torrent(volumes));
        await using (var gateway = await Gateway.StartAsync(news, folder))
        {
            await DropAsync(gateway, swarm.File, "secret");
            Assert.Contains("video.mkv", await gateway.Client.ListAsync(Folder));
            await AssertAsync(gateway, "video.mkv", Sources.All["video.mkv"]);
            await AssertAsync(gateway, "note.nfo", Sources.All["note.nfo"]);
        }

        // The job is not needed: the password is stored with the layout, even with one that was laid out again.
        await using var again = await Gateway.StartAsync(news, folder);
        var (layouts, mender) =
            (again.Services.GetRequiredService<TorrentLayouts>(), again.Services.GetRequiredService<ITorrentLayoutCorrector>());
        var item = (await again.Services.GetRequiredService<TreeStore>()
            .ResolveAsync(["content", "movies", "Film", "video.mkv"], Deadline.Token))!;
        for (var i = 0; i < 2; i++)
        {
            var layout = (await layouts.FindAsync(item.Id, Deadline.Token))!;
            Assert.Equal("secret", layout.Password);
            Assert.DoesNotContain("secret", layout.ToString(), StringComparison.Ordinal);
            await mender.CorrectAsync(item, layout, Deadline.Token);
        }

        await AssertAsync(again, "video.mkv", Sources.All["video.mkv"]);
    }

    [Fact]
    public async Task Without_its_password_a_set_is_shown_as_volumes()
    {
        await using var news = new NewsServers();
        var volumes = new Rar5Writer { VolumeSize = 200_000, Password = "secret" }.Write(new PackedFile(Film, Bytes));
        var names = VolumeNaming.Part("film", volumes.Count);
        await using var swarm = new TorrentSwarm(Torrent([.. names.Zip(volumes)]));
        await using var gateway = await Gateway.StartAsync(news);
        await DropAsync(gateway, swarm.File);
        Assert.Equal(names.Order(StringComparer.Ordinal), await gateway.Client.ListAsync(Folder));
        await AssertAsync(gateway, names[3], volumes[3]);
    }

    [Fact]
    public async Task Files_of_a_disc_image_are_in_a_folder_beside_it()
    {
        await using var news = new NewsServers();
        var image = new UdfWriter().Write(new PackedFile("BDMV/STREAM/00001.m2ts", Bytes));
        await using var swarm = new TorrentSwarm(Torrent([("disc/Film.iso", image)]));
        await using var gateway = await Gateway.StartAsync(news);
        await DropAsync(gateway, swarm.File);
        Assert.Equal(["Film", "Film.iso"], await gateway.Client.ListAsync(Folder + "disc/"));
        await AssertAsync(gateway, "disc/Film/BDMV/STREAM/00001.m2ts", Bytes);
        await AssertAsync(gateway, "disc/Film.iso", image);
    }

    /// <summary>
    /// rclone with <c>--links</c> would show the first as a symbolic link, and media servers play whatever address is in the second.
    /// </summary>
    [Fact]
    public async Task No_torrent_names_a_file_that_a_mount_or_a_player_follows()
    {
        await using var news = new NewsServers();
        var evil = "/etc/shadow"u8.ToArray();
        var packed = new Rar5Writer().Write(new PackedFile(Film, Bytes), new PackedFile("b.rclonelink", evil))[0];
        var torrent = Torrent([("film.rar", packed), ("a.rclonelink", evil), ("a.strm", evil), ("a.url", evil)]);
        await using var swarm = new TorrentSwarm(torrent);
        await using var gateway = await Gateway.StartAsync(news);
        await DropAsync(gateway, swarm.File);
        Assert.Equal([Film, "a.rclonelink.txt", "a.strm.txt", "b.rclonelink.txt"], await gateway.Client.ListAsync(Folder));
        Assert.Equal(
            [Film + ".rclonelink", "a.rclonelink.txt.rclonelink", "a.strm.txt.rclonelink", "b.rclonelink.txt.rclonelink"],
            await gateway.Client.ListAsync("/dav/completed-symlinks/movies/Film/"));
        await AssertAsync(gateway, "b.rclonelink.txt", evil);
    }

    [Fact]
    public async Task A_set_waits_while_no_peer_has_its_headers()
    {
        await using var news = new NewsServers();
        var volumes = new Rar5Writer { VolumeSize = 200_000 }.Write(new PackedFile(Film, Bytes));
        var torrent = Torrent([.. VolumeNaming.Part("film", volumes.Count).Zip(volumes)]);
        await using var gateway = await Gateway.StartAsync(news, change: static settings => settings
            with
        { Torrents = settings.Torrents with { ReaderTimeout = TimeSpan.FromMilliseconds(200) } });
        await gateway.Client.PutAsync("/dav/torrents/movies/Film.torrent", torrent.TorrentFile());
        await Deadline.UntilAsync(async () => (await gateway.FindJobAsync("Film"))?.WaitingSince is not null, "the job waits");
        var job = await gateway.FindJobAsync("Film");
        Assert.Equal(JobState.Queued, job!.State);
        Assert.Contains("What is inside 'film.part01.rar' cannot be read yet", job.FailureMessage, StringComparison.Ordinal);
    }

    private static MockTorrent Torrent(IReadOnlyList<(string Path, byte[] Bytes)> files) =>
        new("Film", SwarmContent.Of(16 << 10, [.. files.Select(static file => new SwarmFile(file.Path, file.Bytes.Length))],
            files.SelectMany(static file => file.Bytes).ToArray()));

    private static async Task DropAsync(Gateway gateway, byte[] torrent, string password = "")
    {
        await gateway.Client.PutAsync(
            DavClient.Path("torrents", "movies", password.Length > 0 ? $"Film{{{{{password}}}}}.torrent" : "Film.torrent"), torrent);
        var job = await gateway.WaitAsync("Film");
        Assert.True(job?.State == JobState.Completed, job?.FailureMessage);
    }

    private static async Task AssertAsync(Gateway gateway, string path, byte[] expected)
    {
        var (whole, read) = await TryReadAsync(gateway, path);
        Assert.True(whole);
        Assert.Equal(Convert.ToHexString(SHA256.HashData(expected)), Convert.ToHexString(SHA256.HashData(read)));
    }

    private static async Task AssertRangeAsync(Gateway gateway, string path, int start, int end)
    {
        using var response = await gateway.Client.SendAsync(
            "GET", Folder + path, body: null, headers => headers.Range = new System.Net.Http.Headers.RangeHeaderValue(start, end - 1));
        Assert.Equal(HttpStatusCode.PartialContent, response.StatusCode);
        Assert.Equal(Convert.ToHexString(SHA256.HashData(Bytes.AsSpan(start, end - start))),
            Convert.ToHexString(SHA256.HashData(await response.Content.ReadAsByteArrayAsync())));
    }

    /// <summary>The bytes of a GET, and whether the response completed.</summary>
    private static async Task<(bool Whole, byte[] Bytes)> TryReadAsync(Gateway gateway, string path)
    {
        using var response = await gateway.Client.SendAsync("GET", Folder + path);
        Assert.Equal(HttpStatusCode.OK, response.StatusCode);
        using var read = new MemoryStream();
        try
        {
            await using var body = await response.Content.ReadAsStreamAsync();
            await body.CopyToAsync(read);
            return (true, read.ToArray());
        }
        catch (Exception e) when (e is IOException or HttpRequestException)
        {
            return (false, read.ToArray());
        }
    }
}
