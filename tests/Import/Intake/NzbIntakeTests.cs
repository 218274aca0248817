using NzbDav.Catalog.Database;
using NzbDav.Catalog.Jobs;
using NzbDav.Import.Intake;
using NzbDav.MockUsenet.Nzb;

namespace NzbDav.Import.Tests.Intake;

public sealed class NzbIntakeTests
{
    [Fact]
    public async Task A_valid_nzb_is_queued_unchanged()
    {
        await using var fixture = await ImportFixture.OpenAsync();
        var nzb = NzbWriter.ToBytes(fixture.Post("movie.mkv"), new NzbOptions { Meta = [new("password", "söcret")] });
        var result = await AddAsync(fixture, nzb, "../Some Movie (2020).NZB", "tv");
        Assert.Null(result.Error);
        Assert.Equal(("Some Movie (2020)", "tv", "söcret", JobState.Queued),
            (result.Job!.Name, result.Job.Category, result.Job.Password, result.Job.State));
        await using var stored = await fixture.Blobs.OpenReadAsync(result.Job.Nzb!.Value, CancellationToken.None);
        using var copy = new MemoryStream();
        await stored.CopyToAsync(copy);
        Assert.Equal(nzb, copy.ToArray());
        AssertNothingLeft(fixture);
    }

    [Fact]
    public async Task Without_a_category_the_default_is_used()
    {
        await using var fixture = await ImportFixture.OpenAsync();
        Assert.Equal("other", (await AddAsync(fixture, NzbWriter.ToBytes(fixture.Post("movie.mkv")))).Job!.Category);
    }

    [Theory]
    [InlineData("")]
    [InlineData("no xml")]
    [InlineData("<html><body>404</body></html>")]
    [InlineData("<nzb></nzb>")]
    [InlineData("<nzb><file subject='a'><segments><segment>a@b</segment>")]
    public async Task An_unreadable_nzb_is_refused_with_its_position_and_nothing_is_kept(string nzb)
    {
        await using var fixture = await ImportFixture.OpenAsync();
        var result = await AddAsync(fixture, System.Text.Encoding.UTF8.GetBytes(nzb));
        Assert.Equal((null, false), (result.Job, result.TooLarge));
        Assert.NotEmpty(result.Error!);
        Assert.Equal(0, (await fixture.Jobs.List.CountAsync(new JobFilter(), CancellationToken.None)).Total);
        AssertNothingLeft(fixture);
    }

    [Theory]
    [InlineData(0, false)]
    [InlineData(1, true)]
    public async Task The_size_limit_is_exact_and_nothing_beyond_it_is_read(int over, bool tooLarge)
    {
        await using var fixture = await ImportFixture.OpenAsync();
        var nzb = NzbWriter.ToBytes(fixture.Post("movie.mkv"));
        var padded = new byte[ImportFixture.Options.MaxNzbBytes + over];
        padded.AsSpan().Fill((byte)'\n');
        nzb.CopyTo(padded, 0);
        var result = await AddAsync(fixture, padded);
        Assert.Equal((tooLarge, tooLarge), (result.TooLarge, result.Job is null));
        Assert.Equal(tooLarge ? "The .nzb is larger than 1 MiB." : null, result.Error);
        AssertNothingLeft(fixture);
    }

    [Fact]
    public async Task An_aborted_upload_leaves_nothing_behind()
    {
        await using var fixture = await ImportFixture.OpenAsync();
        await Assert.ThrowsAsync<IOException>(
            () => fixture.Intake.AddAsync("a.nzb", null, new BrokenStream(), JobSource.Dav, CancellationToken.None));
        using var cancel = new CancellationTokenSource();
        await cancel.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(
            () => fixture.Intake.AddAsync("a.nzb", null, new MemoryStream(new byte[10]), JobSource.Dav, cancel.Token));
        AssertNothingLeft(fixture);
    }

    [Fact]
    public async Task An_unwritable_folder_is_reported_as_a_catalog_fault()
    {
        await using var fixture = await ImportFixture.OpenAsync();
        await File.WriteAllTextAsync(Cache(fixture), "in the way");
        var e = await Assert.ThrowsAsync<CatalogException>(() => AddAsync(fixture, NzbWriter.ToBytes(fixture.Post("movie.mkv"))));
        Assert.Equal(CatalogFault.NotWritable, e.Fault);
        Assert.Contains(Cache(fixture), e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Only_leftovers_of_a_crash_are_removed_at_startup()
    {
        await using var fixture = await ImportFixture.OpenAsync();
        NzbIntake.RemoveLeftovers(fixture.Database.Options);
        Directory.CreateDirectory(Cache(fixture));
        await File.WriteAllTextAsync(Path.Combine(Cache(fixture), "intake-1.tmp"), "left");
        await File.WriteAllTextAsync(Path.Combine(Cache(fixture), "other.tmp"), "not ours");
        NzbIntake.RemoveLeftovers(fixture.Database.Options);
        Assert.Equal(["other.tmp"], Directory.EnumerateFiles(Cache(fixture)).Select(Path.GetFileName));
    }

    [Theory]
    [InlineData("movie.nzb", "movie")]
    [InlineData("movie.NZB", "movie")]
    [InlineData("movie.nzb.nzb", "movie.nzb")]
    [InlineData("movie", "movie")]
    [InlineData(".nzb", "unnamed")]
    [InlineData("../..nzb", "unnamed")]
    [InlineData("a/b\\c.nzb", "c")]
    [InlineData("con.nzb", "_con")]
    [InlineData("[49/50] - \"Film.2024.1080p.part49.rar\" yEnc (1/9).nzb", "Film.2024.1080p")]
    [InlineData("[49/50] - \"Film.2024.1080p.vol03+04.par2\" yEnc (1/9)", "Film.2024.1080p")]
    [InlineData("[49/50] - \"Film.2024.1080p.mkv\" yEnc", "Film.2024.1080p")]
    [InlineData("[01/50] - &quot;Film.2024.7z.001&quot; yEnc", "Film.2024")]
    [InlineData("[49/50] - \"x\" yEnc", "x")]
    [InlineData("The \"yEnc\".nzb", "The _yEnc_")]
    public void A_job_is_named_after_its_file(string file, string name) => Assert.Equal(name, NzbIntake.JobName(file));

    private static string Cache(ImportFixture fixture) => Path.Combine(fixture.Database.Options.ConfigFolder, "cache");

    private static void AssertNothingLeft(ImportFixture fixture) =>
        Assert.Empty(Directory.Exists(Cache(fixture)) ? Directory.EnumerateFiles(Cache(fixture)) : []);

    private static async Task<IntakeResult> AddAsync(ImportFixture fixture, byte[] nzb, string name = "Job.nzb", string? category = null)
    {
        using var stream = new MemoryStream(nzb);
        return await fixture.Intake.AddAsync(name, category, stream, JobSource.Dav, CancellationToken.None);
    }

    private sealed class BrokenStream : MemoryStream
    {
        public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default) =>
            throw new IOException("broken off");
    }
}
