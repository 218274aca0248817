using System.IO.Compression;
using Microsoft.Extensions.DependencyInjection;
using NzbDav.Catalog.Blobs;
using NzbDav.Catalog.Jobs;

namespace NzbDav.Api.Tests.Sab;

/// <summary>Jobs added as a file.</summary>
public sealed class UploadTests
{
    [Fact]
    public async Task SAB_03_the_answer_has_exactly_two_members()
    {
        await using var sab = await SabFixture.OpenAsync();
        var answer = await sab.UploadAsync("name", "Show.S01E01.nzb", SabFixture.Nzb("x"), "cat=tv&priority=1");
        Assert.Equal(["nzo_ids", "status"], answer.EnumerateObject().Select(member => member.Name).Order(StringComparer.Ordinal));
        var job = await sab.JobAsync(answer);
        Assert.Equal(
            ("Show.S01E01", "tv", 1, JobState.Queued, JobSource.Api), (job.Name, job.Category, job.Priority, job.State, job.Source));
        Assert.Equal((1_400_000, 1), (job.TotalBytes, job.FileCount));
    }

    [Theory]
    [InlineData("name", "raw")]
    [InlineData("nzbfile", "raw")]
    [InlineData("file", "raw")]
    [InlineData("name", "gz")]
    [InlineData("name", "bz2")]
    [InlineData("name", "zip")]
    public async Task SAB_06_uploads_are_accepted_in_every_field_and_compression(string field, string packing)
    {
        await using var sab = await SabFixture.OpenAsync();
        var nzb = SabFixture.Nzb("x");
        var answer = await sab.UploadAsync(field, "Show.nzb" + (packing == "raw" ? "" : "." + packing), Pack(nzb, packing), "cat=*");
        var job = await sab.JobAsync(answer);
        Assert.Equal(("Show", "other"), (job.Name, job.Category));
        Assert.Equal(nzb, (await sab.Get<BlobStore>().ReadAsync(job.Nzb!.Value, CancellationToken.None)).ToArray());
    }

    [Theory]
    [InlineData("")]
    [InlineData("*")]
    [InlineData("None")]
    [InlineData("Default")]
    public async Task SAB_06_words_for_no_category_create_no_category(string category)
    {
        await using var sab = await SabFixture.OpenAsync();
        Assert.Equal(
            "other", (await sab.JobAsync(await sab.UploadAsync("name", "Show.nzb", SabFixture.Nzb("x"), "cat=" + category))).Category);
    }

    [Fact]
    public async Task SAB_06_a_name_and_a_password_may_be_sent()
    {
        await using var sab = await SabFixture.OpenAsync();
        var job = await sab.JobAsync(await sab.UploadAsync(
            "name", "abc.nzb", SabFixture.Nzb("x"), "nzbname=Show.S01E01.1080p&password=s%20ecret&priority=-2&cat=New%20one"));
        Assert.Equal(("Show.S01E01.1080p", "s ecret", true, "New one"), (job.Name, job.Password, job.Paused, job.Category));
        job = await sab.JobAsync(await sab.UploadAsync("name", "Film{{hidden}}.nzb", SabFixture.Nzb("y"), ""));
        Assert.Equal(("Film", "hidden"), (job.Name, job.Password));
        job = await sab.JobAsync(await sab.UploadAsync("name", "Film{{hidden}}.nzb", SabFixture.Nzb("z"), "nzbname=Other"));
        Assert.Equal(("Other", "hidden"), (job.Name, job.Password));
        job = await sab.JobAsync(await sab.UploadAsync("name", "abc.nzb", SabFixture.Nzb("v"), "nzbname=Film%2Fhidden"));
        Assert.Equal(("Film", "hidden"), (job.Name, job.Password));
        var subject = Uri.EscapeDataString("[49/50] - \"x\" yEnc");
        job = await sab.JobAsync(await sab.UploadAsync("name", "abc.nzb", SabFixture.Nzb("w"), "nzbname=" + subject));
        Assert.Equal("x", job.Name);
    }

    [Theory]
    [InlineData("mode=addfile")]
    [InlineData("mode=addurl&name=http%3A%2F%2Findexer.invalid%2Fx.nzb")]
    public async Task An_invalid_category_is_refused_and_logged(string mode)
    {
        await using var sab = await SabFixture.OpenAsync();
        var answer = mode.Contains("addfile", StringComparison.Ordinal)
            ? await sab.UploadAsync("name", "Show.nzb", SabFixture.Nzb("x"), "cat=..%2Fup")
            : await sab.AskAsync(mode + "&cat=..%2Fup");
        Assert.DoesNotContain("SABnzbd_nzo_", answer.GetRawText(), StringComparison.Ordinal);
        Assert.Contains(
            sab.Log.Entries, entry => entry.Text.Contains("'../up' is not a valid name for a category", StringComparison.Ordinal));
    }

    [Fact]
    public async Task SAB_06_the_same_upload_twice_is_two_jobs()
    {
        await using var sab = await SabFixture.OpenAsync();
        var first = await sab.JobAsync(await sab.UploadAsync("name", "a.nzb", SabFixture.Nzb("x"), ""));
        var second = await sab.JobAsync(await sab.UploadAsync("name", "a.nzb", SabFixture.Nzb("x"), ""));
        Assert.NotEqual(first.Id, second.Id);
        Assert.Equal(first.ContentHash, second.ContentHash);
    }

    [Fact]
    public async Task SAB_06_an_invalid_nzb_is_received_but_not_queued()
    {
        await using var sab = await SabFixture.OpenAsync();
        foreach (var bytes in (byte[][])["not xml"u8.ToArray(), "<nzb></nzb>"u8.ToArray(), "<html><body>login</body></html>"u8.ToArray(),
            Pack("nothing"u8.ToArray(), "gz")])
        {
            var answer = await sab.UploadAsync("name", "bad.nzb", bytes, "");
            Assert.Equal("""{"nzo_ids":[],"status":true}""", answer.GetRawText());
        }

        Assert.Equal(4, (await sab.AskAsync("mode=warnings")).GetProperty("warnings").GetArrayLength());
        Assert.Equal("no file given", (await sab.UploadAsync("name", "empty.nzb", [], "")).GetProperty("error").GetString());
        Assert.Equal("no file given", (await sab.AskAsync("mode=addfile")).GetProperty("error").GetString());
        var refused = await sab.UploadAsync("name", "a.nzb", SabFixture.Nzb("x"), "cat=..%2F..");
        Assert.Equal(0, refused.GetProperty("nzo_ids").GetArrayLength());
        Assert.Equal(0, (await sab.Jobs.List.CountAsync(new JobFilter(), CancellationToken.None)).Total);
    }

    [Fact]
    public async Task SAB_06_large_uploads_are_accepted_up_to_the_limit()
    {
        await using var sab = await SabFixture.OpenAsync(change: options => options with { MaxUploadBytes = 201 << 20 });
        var nzb = new byte[200 << 20];
        nzb.AsSpan().Fill((byte)' ');
        SabFixture.Nzb("x").CopyTo(nzb, 0);
        Assert.Single((await sab.UploadAsync("name", "large.nzb", nzb, "")).GetProperty("nzo_ids").EnumerateArray());
        var larger = await sab.UploadAsync("name", "larger.nzb", new byte[202 << 20], "");
        Assert.False(larger.GetProperty("status").GetBoolean());
        Assert.NotEmpty(larger.GetProperty("error").GetString()!);
    }

    [Fact]
    public async Task A_file_on_this_machine_can_be_added()
    {
        await using var sab = await SabFixture.OpenAsync();
        var path = Path.Combine(sab.Folder, "Local show.nzb");
        await File.WriteAllBytesAsync(path, SabFixture.Nzb("x"));
        Assert.Equal("Local show", (await sab.JobAsync(await sab.AskAsync($"mode=addlocalfile&name={Uri.EscapeDataString(path)}"))).Name);
        Assert.Contains("nowhere", (await sab.AskAsync("mode=addlocalfile&name=/nowhere/x.nzb")).GetProperty("error").GetString(),
            StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_zip_of_which_a_part_is_refused_is_answered_with_the_jobs_and_the_rest_is_logged()
    {
        await using var sab = await SabFixture.OpenAsync();
        using var packed = new MemoryStream();
        using (var zip = new ZipArchive(packed, ZipArchiveMode.Create, leaveOpen: true))
        {
            using (var entry = zip.CreateEntry("One.nzb").Open())
                entry.Write(SabFixture.Nzb("x"));
            using (var entry = zip.CreateEntry("Two.nzb").Open())
                entry.Write("no xml"u8);
        }

        Assert.Equal("One", (await sab.JobAsync(await sab.UploadAsync("name", "both.zip", packed.ToArray(), "cat=tv"))).Name);
        Assert.Contains(sab.Log.Entries,
            static entry => entry.Text.StartsWith("A part of 'both.zip' was refused: Two.nzb: ", StringComparison.Ordinal));
    }

    private static byte[] Pack(byte[] bytes, string packing)
    {
        using var packed = new MemoryStream();
        if (packing == "zip")
        {
            using (var zip = new ZipArchive(packed, ZipArchiveMode.Create, leaveOpen: true))
            using (var entry = zip.CreateEntry("Show.nzb").Open())
                entry.Write(bytes);
            return packed.ToArray();
        }

        if (packing == "bz2")
        {
            // Made by bzip2 from SabFixture.Nzb("x"), because the runtime cannot compress bzip2.
            return Convert.FromBase64String(
                "QlpoOTFBWSZTWVWrRzsAADdfgCQQUWP438cABgo////wMADtLYaImk9J6QaaegmjCNAaGgwgaqepgDUxMTIYAAmAEzQSiQT0gPSaaAaHogADQBhNKer4HgKzsrlceyhkwKBsT0qgLoQpwVZPOGENChw9b0eoPnR6iUo5mY30"
                + "sqaxRkUBceQyFcpCqkwoVBg7oqUXi1aE5uiUA2ZHaVKCVJibBZrxRN4WHYbfxTg/1YjFDU491tRhGCdUCkDvQyZJGh8EhJnDcF6n0MGAO+CYk0iYHjY/boocMAk5LfKyPVdKQxMGqeiyjgVMbUiEKC9iKosrJhc4OsHhw6UN"
                + "eEBwh3BgoAYuQ8scGFqInDCX/F3JFOFCQVatHOw=");
        }

        if (packing != "gz")
            return bytes;
        using (var gzip = new GZipStream(packed, CompressionLevel.Fastest, leaveOpen: true))
            gzip.Write(bytes);
        return packed.ToArray();
    }
}
