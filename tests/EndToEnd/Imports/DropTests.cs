using System.IO.Compression;
using System.Net;
using System.Text;
using NzbDav.Catalog.Jobs;
using NzbDav.EndToEnd.Tests.Running;
using NzbDav.MockUsenet.Articles;
using NzbDav.MockUsenet.Faults;
using NzbDav.MockUsenet.Nzb;

namespace NzbDav.EndToEnd.Tests.Imports;

/// <summary>An .nzb dropped into the tree becomes files, or is refused with the reason.</summary>
public sealed class DropTests
{
    private static readonly DateTimeOffset PostedAt = new(2021, 3, 4, 5, 6, 7, TimeSpan.Zero);

    [Fact]
    public async Task Files_appear_with_the_right_names_sizes_dates_and_bytes()
    {
        await using var news = new NewsServers();
        await using var gateway = await Gateway.StartAsync(news);
        var options = new PostOptions { Date = PostedAt };
        var posted = news.Store.AddPost(
            [
                ("Film (2021) [x265] 100% #1.mkv", new SeededSource(1, "film", 5_000_000)),
                ("Untertitel für alle; ünïcode & mehr.srt", new SeededSource(2, "subs", 12_345)),
                ("one byte.bin", new SeededSource(3, "byte", 1)),
            ],
            options);
        var folder = await gateway.ImportAsync("Film (2021) & friends", [.. posted]);

        var entries = await gateway.Client.FindAsync(folder + "/");
        Assert.NotNull(entries);
        Assert.Equal(Uri.UnescapeDataString(folder + "/"), Uri.UnescapeDataString(entries[0].Href));
        Assert.True(entries[0].IsCollection);
        Assert.Equal(posted.Select(file => file.Name).Order(StringComparer.Ordinal),
            entries.Skip(1).Select(entry => entry.Name).Order(StringComparer.Ordinal));
        foreach (var file in posted)
        {
            var entry = entries.Single(one => one.Name == file.Name);
            Assert.Equal(file.Length, entry.Size);
            Assert.Equal(PostedAt, entry.Modified);
            await gateway.Client.AssertFileAsync(entry.Href, file);
            await gateway.Client.AssertRangesAsync(entry.Href, file, count: 12, seed: 5);
        }

        // An imported job is no longer listed as waiting.
        Assert.Empty(await gateway.Client.ListAsync("/dav/nzbs/movies/"));
        await gateway.AssertNothingLeaksAsync();
    }

    [Fact]
    public async Task RNG_19_Every_answer_has_the_same_size_and_tag()
    {
        await using var news = new NewsServers();
        await using var gateway = await Gateway.StartAsync(news);
        var file = news.Post("sizes.mkv", 3_456_789);
        var path = await gateway.ImportAsync("sizes", file) + "/sizes.mkv";

        var entry = await gateway.Client.StatAsync(path);
        using var head = await gateway.Client.SendAsync("HEAD", path);
        using var all = await gateway.Client.SendAsync("GET", path);
        using var part = await gateway.Client.SendAsync("GET", path, body: null, headers => headers.Range = new(0, 0));
        Assert.Equal(file.Length, entry.Size);
        Assert.Equal(file.Length, head.Content.Headers.ContentLength);
        Assert.Equal(file.Length, all.Content.Headers.ContentLength);
        Assert.Equal(file.Length, part.Content.Headers.ContentRange!.Length);
        Assert.All([head, all, part], response =>
        {
            Assert.Equal(entry.ETag, response.Headers.ETag!.ToString());
            Assert.Equal(entry.Modified, response.Content.Headers.LastModified);
            Assert.Equal("video/x-matroska", response.Content.Headers.ContentType!.ToString());
        });
    }

    [Fact]
    public async Task Dropping_into_a_new_category_creates_it()
    {
        await using var news = new NewsServers();
        await using var gateway = await Gateway.StartAsync(news);
        var file = news.Post("first.mkv", 800_000);
        await gateway.Client.PutAsync("/dav/nzbs/anim%C3%A9%20%2B/first.nzb", NzbWriter.ToBytes([file]));
        Assert.Equal(JobState.Completed, (await gateway.WaitAsync("first"))!.State);

        Assert.Contains("animé +", await gateway.Client.ListAsync("/dav/nzbs/"));
        Assert.Equal(["first"], await gateway.Client.ListAsync("/dav/content/anim%C3%A9%20%2B/"));
        await gateway.Client.AssertFileAsync("/dav/content/anim%C3%A9%20%2B/first/first.mkv", file);
    }

    [Fact]
    public async Task An_nzb_dropped_outside_a_category_goes_into_the_default_one()
    {
        await using var news = new NewsServers();
        await using var gateway = await Gateway.StartAsync(news);
        var file = news.Post("loose.mkv", 800_000);
        await gateway.Client.PutAsync("/dav/nzbs/loose.nzb", NzbWriter.ToBytes([file]));
        Assert.Equal(JobState.Completed, (await gateway.WaitAsync("loose"))!.State);
        await gateway.Client.AssertFileAsync("/dav/content/other/loose/loose.mkv", file);
    }

    [Fact]
    public async Task The_same_post_dropped_twice_is_one_job_unless_the_first_failed()
    {
        await using var news = new NewsServers();
        await using var gateway = await Gateway.StartAsync(news);
        var file = news.Post("twice.mkv", 800_000);
        var gone = news.Providers[0].Faults.Add(Fault.Missing, FaultTarget.All);
        await gateway.Client.PutAsync("/dav/nzbs/movies/first.nzb", NzbWriter.ToBytes([file]));
        Assert.Equal(JobState.Failed, (await gateway.WaitAsync("first"))!.State);

        // A failed job is retried; a completed one is not, whatever else the .nzb contains.
        news.Providers[0].Faults.Remove(gone);
        await gateway.ImportAsync("second", file);
        await gateway.Client.PutAsync(
            "/dav/nzbs/movies/second.nzb", NzbWriter.ToBytes([file], new NzbOptions { Meta = [new("title", "third")] }));
        Assert.Equal(HttpStatusCode.OK, (await gateway.Client.AskAsync("HEAD", "/dav/nzbs/movies/second.nzb")).Status);
        Assert.Equal(["second"], await gateway.Client.ListAsync("/dav/content/movies/"));

        // Another name is a deliberate choice: it is imported again.
        await gateway.ImportAsync("third", file);
        Assert.Equal(["second", "third"], await gateway.Client.ListAsync("/dav/content/movies/"));
        await gateway.Client.AssertFileAsync("/dav/content/movies/second/twice.mkv", file);

        // Another category is another library.
        await gateway.Client.PutAsync("/dav/nzbs/tv/fourth.nzb", NzbWriter.ToBytes([file]));
        Assert.Equal(JobState.Completed, (await gateway.WaitAsync("fourth"))!.State);
    }

    [Fact]
    public async Task An_nzb_imported_at_once_is_still_listed_for_a_client_that_checks_its_upload()
    {
        await using var news = new NewsServers();
        await using var gateway = await Gateway.StartAsync(news);
        await gateway.ImportAsync("fast", news.Post("fast.mkv", 800_000));
        var (status, _) = await gateway.Client.AskAsync("HEAD", "/dav/nzbs/movies/fast.nzb");
        Assert.Equal(HttpStatusCode.OK, status);
        Assert.Empty(await gateway.Client.ListAsync("/dav/nzbs/movies/"));
    }

    [Fact]
    public async Task A_compressed_nzb_is_imported_and_still_listed_for_a_client_that_checks_its_upload()
    {
        await using var news = new NewsServers();
        await using var gateway = await Gateway.StartAsync(news);
        var (packed, one, two) = (news.Post("packed.mkv", 800_000), news.Post("one.mkv", 800_000), news.Post("two.mkv", 800_000));
        using var gzip = new MemoryStream();
        await using (var stream = new GZipStream(gzip, CompressionLevel.Optimal, leaveOpen: true))
            await stream.WriteAsync(NzbWriter.ToBytes([packed]));
        using var zip = new MemoryStream();
        using (var archive = new ZipArchive(zip, ZipArchiveMode.Create, leaveOpen: true))
        {
            foreach (var file in new[] { one, two })
            {
                await using var entry = archive.CreateEntry(file.Name.Replace(".mkv", ".nzb", StringComparison.Ordinal)).Open();
                await entry.WriteAsync(NzbWriter.ToBytes([file]));
            }
        }

        await gateway.Client.PutAsync("/dav/nzbs/movies/packed.nzb.gz", gzip.ToArray());
        await gateway.Client.PutAsync("/dav/nzbs/movies/both.zip", zip.ToArray());
        foreach (var file in new[] { packed, one, two })
        {
            var name = Path.GetFileNameWithoutExtension(file.Name);
            Assert.Equal(JobState.Completed, (await gateway.WaitAsync(name))!.State);
            await gateway.Client.AssertFileAsync(DavClient.Path("content", "movies", name, file.Name), file);
        }

        Assert.Equal(gzip.Length, (await gateway.Client.StatAsync("/dav/nzbs/movies/packed.nzb.gz")).Size);
        Assert.Equal(zip.Length, (await gateway.Client.StatAsync("/dav/nzbs/movies/both.zip")).Size);
        using var refused = await gateway.Client.SendAsync("GET", "/dav/nzbs/movies/both.zip");
        Assert.Equal(HttpStatusCode.NotFound, refused.StatusCode);
    }

    [Theory]
    [InlineData("This is no NZB.", "Line 1, column ")]
    [InlineData("<html>\n<body>Too many requests</body>\n</html>", "Line ")]
    [InlineData("<?xml version=\"1.0\"?>\n<nzb>\n</nzb>", "Line 2, column 1: ")]
    [InlineData("<?xml version=\"1.0\"?>\n<nzb>\n<file subject=\"a\"><segments><segment bytes=\"1\" number=\"1\">a@b</segment>\n",
        "Line 4, column ")]
    [InlineData("PK\u0003\u0004\u0014\u0000\u0000", "The file that the .nzb is packed in is damaged: ")]
    public async Task An_invalid_nzb_is_refused_with_the_position_and_nothing_is_queued(string text, string place)
    {
        await using var news = new NewsServers();
        await using var gateway = await Gateway.StartAsync(news);
        var (status, said) = await gateway.Client.AskAsync("PUT", "/dav/nzbs/movies/bad.nzb", Encoding.UTF8.GetBytes(text));
        Assert.Equal(HttpStatusCode.UnprocessableEntity, status);
        Assert.Contains(place, said, StringComparison.Ordinal);
        await AssertNothingTakenAsync(gateway);
    }

    [Fact]
    public async Task A_truncated_nzb_is_refused_with_the_position()
    {
        await using var news = new NewsServers();
        await using var gateway = await Gateway.StartAsync(news);
        var nzb = NzbWriter.ToBytes([news.Post("cut.mkv", 5_000_000)]);
        foreach (var length in new[] { 1, 60, 250, nzb.Length / 2, nzb.Length - 8 })
        {
            var (status, said) = await gateway.Client.AskAsync("PUT", "/dav/nzbs/movies/cut.nzb", nzb[..length]);
            Assert.Equal(HttpStatusCode.UnprocessableEntity, status);
            Assert.Matches("^Line [0-9]+, column [0-9]+: ", said);
        }

        await AssertNothingTakenAsync(gateway);
    }

    [Fact]
    public async Task Entities_of_a_document_type_are_not_expanded()
    {
        var bomb = new StringBuilder("<?xml version=\"1.0\"?>\n<!DOCTYPE nzb [\n<!ENTITY a \"aaaaaaaaaa\">\n");
        for (var level = 'b'; level <= 'k'; level++)
            bomb.Append($"<!ENTITY {level} \"{string.Concat(Enumerable.Repeat($"&{(char)(level - 1)};", 10))}\">\n");
        bomb.Append(
            "<!ENTITY file SYSTEM \"file:///etc/passwd\">\n]>\n<nzb><file subject=\"&k;&file;\" poster=\"&k;\" " +
            "date=\"1\"><groups><group>&k;</group></groups>");
        bomb.Append("<segments><segment bytes=\"1\" number=\"1\">&k;@b</segment></segments></file></nzb>");

        await using var news = new NewsServers();
        await using var gateway = await Gateway.StartAsync(news);
        var before = GC.GetTotalAllocatedBytes();
        var (status, said) = await gateway.Client.AskAsync("PUT", "/dav/nzbs/movies/bomb.nzb", Encoding.UTF8.GetBytes(bomb.ToString()));

        // Fully expanded it would be 10^11 characters. Tests that run beside this one allocate too.
        Assert.InRange(GC.GetTotalAllocatedBytes() - before, 0, 32L << 30);
        Assert.DoesNotContain("root:", said, StringComparison.Ordinal);
        if (status == HttpStatusCode.Created)
            Assert.Equal(JobState.Failed, (await gateway.WaitAsync("bomb"))!.State);
        else
            Assert.Equal(HttpStatusCode.UnprocessableEntity, status);
    }

    [Fact]
    public async Task An_nzb_over_the_limit_is_refused()
    {
        await using var news = new NewsServers();
        await using var gateway = await Gateway.StartAsync(news, change: settings => settings with { MaxNzbMiB = 1 });
        var (status, said) = await gateway.Client.AskAsync("PUT", "/dav/nzbs/movies/big.nzb", new byte[(1 << 20) + 1]);
        Assert.Equal(HttpStatusCode.RequestEntityTooLarge, status);
        Assert.Contains("larger", said, StringComparison.Ordinal);
        await AssertNothingTakenAsync(gateway);
    }

    [Fact]
    public async Task Other_file_types_are_refused()
    {
        await using var news = new NewsServers();
        await using var gateway = await Gateway.StartAsync(news);
        var (status, said) = await gateway.Client.AskAsync("PUT", "/dav/nzbs/movies/readme.txt", "hello"u8.ToArray());
        Assert.Equal(HttpStatusCode.UnprocessableEntity, status);
        Assert.Contains(".nzb", said, StringComparison.Ordinal);
        await AssertNothingTakenAsync(gateway);
    }

    [Fact]
    public async Task An_aborted_upload_leaves_nothing()
    {
        await using var news = new NewsServers();
        await using var gateway = await Gateway.StartAsync(news);
        var nzb = NzbWriter.ToBytes([news.Post("broken.mkv", 50_000_000)]);
        await Assert.ThrowsAnyAsync<Exception>(() => gateway.Client.SendAsync("PUT", "/dav/nzbs/movies/broken.nzb", new BrokenUpload(nzb)));
        await AssertNothingTakenAsync(gateway);
    }

    private static async Task AssertNothingTakenAsync(Gateway gateway)
    {
        Assert.Equal(0, (await gateway.Jobs.List.CountAsync(new JobFilter(), Deadline.Token)).Total);
        Assert.Empty(await gateway.Client.ListAsync("/dav/nzbs/movies/"));
        await Deadline.UntilAsync(() => !Directory.EnumerateFiles(gateway.ConfigFolder, "*.tmp", SearchOption.AllDirectories).Any(),
            "nothing is left of the upload");
    }

    /// <summary>Sends half of the announced bytes, then breaks off.</summary>
    private sealed class BrokenUpload(byte[] bytes) : HttpContent
    {
        protected override async Task SerializeToStreamAsync(Stream stream, TransportContext? context)
        {
            await stream.WriteAsync(bytes.AsMemory(0, bytes.Length / 2));
            await stream.FlushAsync();
            throw new IOException("The client dies.");
        }

        protected override bool TryComputeLength(out long length)
        {
            length = bytes.Length;
            return true;
        }
    }
}
