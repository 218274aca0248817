using System.Text;
using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Tree;
using NzbDav.Content;
using NzbDav.Fakes;
using NzbDav.Fakes.Archives;
using NzbDav.Fakes.Recovery;
using NzbDav.Import.Probing;
using NzbDav.Import.Progress;
using NzbDav.Import.Queue;
using NzbDav.Import.Tests.Corpus;
using NzbDav.MockUsenet.Articles;
using NzbDav.MockUsenet.Faults;
using NzbDav.MockUsenet.Nzb;

namespace NzbDav.Import.Tests.Steps;

/// <summary>Posts that are damaged, wrong or meant to harm.</summary>
public sealed class HostilePostTests
{
    [Theory]
    [InlineData("wrong article")]
    [InlineData("short")]
    [InlineData("corrupt")]
    [InlineData("missing")]
    public async Task A_wrong_article_of_one_provider_is_fetched_from_another(string fault)
    {
        await using var fixture = await ImportFixture.OpenAsync([new() { Name = "bad" }, new() { Name = "good" }]);
        var file = fixture.Post("movie.mkv")[0];
        fixture.Mocks[0].Faults.Add(
            fault switch
            {
                "wrong article" => Fault.WrongArticle(),
                "short" => Fault.Truncated(),
                "corrupt" => Fault.Corrupt,
                _ => Fault.Missing
            }, FaultTarget.All);
        await fixture.EnqueueAsync([file]);
        Assert.Null((await fixture.RunAsync()).FailureMessage);
        await AssertEqualAsync(fixture, "content/movies/Job/movie.mkv", file);
    }

    [Fact]
    public async Task An_nzb_with_a_skipped_number_never_yields_a_shorter_file()
    {
        await using var fixture = await ImportFixture.OpenAsync();
        for (var left = 0; left < 3; left++)
        {
            var name = $"movie{left}.mkv";
            await fixture.EnqueueAsync(
                NzbWriter.ToBytes(fixture.Post(name), new NzbOptions { Include = segment => segment.Index != left }), name);
            Assert.Equal(JobState.Completed, (await fixture.RunAsync()).State);
            Assert.Equal(25_000, (await fixture.FindAsync($"content/movies/{name}/{name}"))!.Size);
        }
    }

    [Fact]
    public async Task A_wrong_size_in_the_header_is_detected()
    {
        await using var fixture = await ImportFixture.OpenAsync();
        var file = fixture.Store.AddFile("movie.mkv", new SeededSource(1, "movie", 25_000),
            new PostOptions { ArticleSize = 10_000, Shape = _ => ArticleShape.WrongFileSize });
        await fixture.EnqueueAsync([file]);
        Assert.Equal(JobState.Completed, (await fixture.RunAsync()).State);
        await AssertEqualAsync(fixture, "content/movies/Job/movie.mkv", file);
    }

    [Fact]
    public async Task Message_ids_are_cleaned_and_those_with_commands_are_not_sent()
    {
        await using var fixture = await ImportFixture.OpenAsync();
        var file = fixture.Post("movie.mkv")[0];
        var nzb = new StringBuilder("<nzb><file subject=\"&quot;movie.mkv&quot; yEnc (1/3)\"><segments>");
        foreach (var segment in file.Segments)
            nzb.Append(
                $"<segment bytes=\"{segment.EncodedSize}\" number=\"{segment.Number}\"> \r\n\t&lt;{segment.MessageId}&gt; </segment>");
        nzb.Append(
            "</segments></file><file subject=\"&quot;evil.txt&quot; yEnc (1/1)\"><segments><segment bytes=\"1\" " +
            "number=\"1\">a@b&gt;&#13;&#10;QUIT</segment></segments></file></nzb>");
        await fixture.EnqueueAsync(Encoding.UTF8.GetBytes(nzb.ToString()));
        Assert.Null((await fixture.RunAsync()).FailureMessage);
        await AssertEqualAsync(fixture, "content/movies/Job/movie.mkv", file);
    }

    [Fact]
    public async Task Media_without_a_name_is_recognised_by_its_bytes()
    {
        await using var fixture = await ImportFixture.OpenAsync();
        var bytes = new byte[5_000];
        SeededBytes.Fill(4, 0, bytes);
        new byte[] { 0, 0, 0, 0x20, (byte)'f', (byte)'t', (byte)'y', (byte)'p', (byte)'i', (byte)'s', (byte)'o', (byte)'m' }.CopyTo(
            bytes, 0);
        var file = fixture.Store.AddFile(
            "", new MemorySource(bytes), new PostOptions { Subject = _ => "", YencName = _ => "qk8ZpL0xvT3mW9sJ" });
        await fixture.EnqueueAsync(NzbWriter.ToBytes([file]), name: "Some Film (1999)");
        Assert.Null((await fixture.RunAsync()).FailureMessage);
        await AssertEqualAsync(fixture, "content/movies/Some Film (1999)/Some Film (1999).mp4", file);
    }

    [Theory]
    [InlineData("../../escape.mkv", "escape.mkv")]
    [InlineData("/etc/passwd.mkv", "passwd.mkv")]
    [InlineData("..\\..\\con.mkv", "_con.mkv")]
    public async Task Names_in_posts_cannot_leave_the_job_folder(string posted, string published)
    {
        await using var fixture = await ImportFixture.OpenAsync();
        await fixture.EnqueueAsync(
            [fixture.Store.AddFile(posted, new SeededSource(1, "x", 25_000), new PostOptions { ArticleSize = 10_000 })]);
        Assert.Null((await fixture.RunAsync()).FailureMessage);
        Assert.Equal([published], await fixture.PublishedAsync());
    }

    /// <summary>
    /// Whatever names a file: its subject, its articles, recovery data, an archive, an archive in an archive, a disc image, the job's own
    /// name.
    /// </summary>
    [Theory]
    [InlineData("subject")]
    [InlineData("yEnc")]
    [InlineData("recovery data")]
    [InlineData("RAR5")]
    [InlineData("RAR4")]
    [InlineData("7z")]
    [InlineData("nested")]
    [InlineData("disc")]
    [InlineData("job")]
    public async Task No_post_names_a_file_that_a_mount_or_a_player_follows(string way)
    {
        await using var fixture = await ImportFixture.OpenAsync();
        var film = PostShape.Film(1, 40_000);
        var evil = "/etc/shadow"u8.ToArray();
        var par2 = new Par2Writer().Add("film.mkv", film).Add("a/evil.rclonelink", evil);
        PackedFile[] packed = [new("film.mkv", film), new("a/evil.rclonelink", evil), new("evil.strm", evil), new("Evil.desktop", evil)];
        (string Name, byte[] Bytes)[] posted = way switch
        {
            "recovery data" => [("x", film), ("y", evil), ("z", par2.Index())],
            "RAR5" => [("x.rar", new Rar5Writer().Write(packed)[0])],
            "RAR4" => [("x.rar", new Rar4Writer().Write(packed)[0])],
            "7z" => [("x.7z", new SevenZipWriter().Write(packed)[0])],
            "nested" => [("x.rar", new Rar5Writer().Write(new PackedFile("y.rar", new Rar5Writer().Write(packed)[0]))[0])],
            "disc" => [("film.iso", new UdfWriter().Write(packed))],
            "job" => [("b94d27b9934d3e08a52e52d7da7dabfa", PostShape.Film(1, 40_000))],
            _ => [("film.mkv", film), ("evil.rclonelink", evil), ("evil.strm", evil), ("Evil.desktop", evil)],
        };
        var options = new PostOptions { ArticleSize = 10_000 };
        if (way == "yEnc")
            options = options with { Subject = file => $"[{file + 1}/4] yEnc (1/1)" };
        else if (way == "subject")
            options = options with { YencName = file => "" };
        else if (way == "recovery data")
            options = options with { Subject = file => $"{file} yEnc (1/1)", YencName = file => $"{file}" };
        var name = way == "job" ? "Job.strm" : "Job";
        var post = fixture.Store.AddPost([.. posted.Select(file => (file.Name, (IArticleSource)new MemorySource(file.Bytes)))], options);
        await fixture.EnqueueAsync(NzbWriter.ToBytes(post), name);
        Assert.Null((await fixture.RunAsync()).FailureMessage);
        var files = new List<string>();
        await CollectAsync(fixture, (await fixture.FindAsync("content/movies/" + name))!, "", files);
        string[] expected = way switch
        {
            "subject" or "yEnc" => ["Evil.desktop.txt", "evil.rclonelink.txt", "evil.strm.txt", "film.mkv"],
            "recovery data" => ["a/evil.rclonelink.txt", "film.mkv"],
            "disc" => ["film.iso", "film/Evil.desktop.txt", "film/a/evil.rclonelink.txt", "film/evil.strm.txt", "film/film.mkv"],
            "job" => ["Job.strm.mkv"],
            _ => ["Evil.desktop.txt", "a/evil.rclonelink.txt", "evil.strm.txt", "film.mkv"],
        };
        Assert.Equal(expected, files.Order(StringComparer.Ordinal));
    }

    [Fact]
    public async Task Patterns_of_the_settings_see_the_posted_name()
    {
        await using var fixture = await ImportFixture.OpenAsync();
        await fixture.EnqueueAsync(fixture.Post("film.mkv", "visit us.url", "x.lnk"));
        Assert.Null((await fixture.RunAsync()).FailureMessage);
        Assert.Equal(["film.mkv"], await fixture.PublishedAsync());
    }

    [Fact]
    public async Task An_address_is_no_video()
    {
        await using var fixture = await ImportFixture.OpenAsync();
        await fixture.EnqueueAsync(fixture.Post("film.strm"));
        Assert.Equal(ImportFailure.NoVideo, (await fixture.RunAsync()).FailureCode);
    }

    [Fact]
    public async Task A_post_without_a_video_is_refused_only_in_video_categories()
    {
        await using var fixture = await ImportFixture.OpenAsync();
        var files = fixture.Post("book.epub");
        await fixture.EnqueueAsync(files);
        var job = await fixture.RunAsync();
        Assert.Equal(ImportFailure.NoVideo, job.FailureCode);
        Assert.Equal(
            "There is no video in this post, and the category 'movies' is for videos. Its biggest file is 'book.epub' with 25000 bytes.",
            job.FailureMessage);
        using var nzb = new MemoryStream(NzbWriter.ToBytes(files));
        await fixture.Intake.AddAsync("Job.nzb", "books", nzb, JobSource.Api, CancellationToken.None);
        Assert.Equal(JobState.Completed, (await fixture.RunAsync()).State);
    }

    [Fact]
    public async Task Ignore_patterns_leave_files_out_but_never_the_only_important_one()
    {
        await using var fixture = await ImportFixture.OpenAsync(
            rules: ImportFixture.Options with { Blocklist = ["*.exe", "*.nfo"], Samples = ["*sample*"] });
        (string, IArticleSource)[] files = [("film-sample.mkv", new SeededSource(1, "a", 1_000)), ("film.mkv", new SeededSource(
            1, "b", 100_000)), ("setup.exe", new SeededSource(1, "c", 300_000)), ("film.nfo", new SeededSource(1, "d", 100))];
        await fixture.EnqueueAsync(fixture.Store.AddPost(files, new PostOptions { ArticleSize = 50_000 }));
        await fixture.RunAsync();
        Assert.Equal(["film.mkv"], await fixture.PublishedAsync());
        var only = fixture.Store.AddFile("only.sample.mkv", new SeededSource(1, "e", 10_000));
        await fixture.EnqueueAsync(NzbWriter.ToBytes([only]), name: "Only");
        Assert.Equal(JobState.Completed, (await fixture.RunAsync()).State);
        Assert.NotNull(await fixture.FindAsync("content/movies/Only/only.sample.mkv"));
    }

    [Fact]
    public async Task A_bad_job_does_not_disturb_others()
    {
        await using var fixture = await ImportFixture.OpenAsync();
        using var queue = new ImportQueue(
            fixture.Jobs, fixture.Worker, fixture.Switch, ImportFixture.Options, fixture.Clock, fixture.Log.For<ImportQueue>());
        var dead = fixture.Post("dead.mkv");
        fixture.Mocks[0].Faults.Add(Fault.Missing, FaultTarget.File(dead[0]));
        var jobs = new List<CatalogJob>();
        for (var i = 0; i < 4; i++)
        {
            jobs.Add(await fixture.EnqueueAsync(NzbWriter.ToBytes(fixture.Post($"good{i}.mkv")), name: $"good{i}"));
            jobs.Add(await fixture.EnqueueAsync(i % 2 == 0 ? NzbWriter.ToBytes(dead) : Encoding.UTF8.GetBytes("<nzb>"), name: $"bad{i}"));
        }

        await queue.StartAsync(CancellationToken.None);
        var outcome = new JobOutcome(fixture.Jobs, fixture.Clock);
        foreach (var job in jobs)
            Assert.Equal(job.Name.StartsWith("good", StringComparison.Ordinal) ? JobState.Completed : JobState.Failed,
                (await outcome.WaitAsync(job.Id, CancellationToken.None))!.State);
        await queue.StopAsync(CancellationToken.None);
    }

    private static async Task CollectAsync(ImportFixture fixture, CatalogItem folder, string path, List<string> files)
    {
        await foreach (var item in fixture.Tree.ListAsync(folder.Id, after: null, CancellationToken.None))
        {
            if (item.IsCollection)
                await CollectAsync(fixture, item, $"{path}{item.Name}/", files);
            else
                files.Add(path + item.Name);
        }
    }

    private static async Task AssertEqualAsync(ImportFixture fixture, string path, PostedFile file)
    {
        var content = await fixture.Opener.OpenAsync((await fixture.FindAsync(path))!, CancellationToken.None);
        var expected = new byte[file.Length];
        file.Source.Fill(0, expected);
        Assert.Equal(expected.Length, content.Length);
        Assert.Equal(expected, await ContentBytes.ReadAsync(content, 0, expected.Length, ReadIntent.Download, CancellationToken.None));
    }
}
