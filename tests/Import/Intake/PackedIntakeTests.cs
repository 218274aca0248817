using System.Buffers.Binary;
using System.Globalization;
using System.IO.Compression;
using System.Text;
using NzbDav.Catalog.Jobs;
using NzbDav.Import.Intake;
using NzbDav.Import.Options;
using NzbDav.Import.Probing;
using NzbDav.MockUsenet.Nzb;

namespace NzbDav.Import.Tests.Intake;

/// <summary>.nzb files inside gzip, bzip2 and zip; duplicates; what names of files tell.</summary>
public sealed class PackedIntakeTests
{
    [Theory]
    [InlineData("Job.nzb.gz")]
    [InlineData("Job.nzb")]
    [InlineData("Job.gz")]
    public async Task Gzip_is_recognised_by_its_bytes_whatever_its_name(string name)
    {
        await using var fixture = await ImportFixture.OpenAsync();
        var nzb = NzbWriter.ToBytes(fixture.Post("movie.mkv"));
        var result = await AddAsync(fixture, Gzip(nzb), name);
        Assert.Equal(("Job", nzb.Length), (result.Job!.Name, (int)result.Job.NzbSize));
    }

    [Fact]
    public async Task Every_nzb_in_a_zip_becomes_a_separate_job()
    {
        await using var fixture = await ImportFixture.OpenAsync();
        var zip = Zip(("folder/One.nzb", NzbWriter.ToBytes(fixture.Post("a.mkv"))), ("readme.txt", [1]),
            ("Two.NZB", NzbWriter.ToBytes(fixture.Post("b.mkv"))));
        var result = await AddAsync(fixture, zip, "both.zip");
        Assert.Null(result.Error);
        Assert.Equal(["One", "Two"], result.Jobs.Select(job => job.Name));
    }

    [Theory]
    [InlineData("zip without", "There is no .nzb in the zip.")]
    [InlineData("zip damaged", "The file that the .nzb is packed in is damaged")]
    [InlineData("gzip cut", "The NZB breaks off here")]
    [InlineData("gzip damaged", "The file that the .nzb is packed in is damaged")]
    [InlineData("gzip of noise", "Line 1, column 1: ")]
    public async Task A_file_without_an_nzb_is_refused_with_the_reason(string what, string said)
    {
        await using var fixture = await ImportFixture.OpenAsync();
        var nzb = NzbWriter.ToBytes(fixture.Post("movie.mkv"));
        var bytes = what switch
        {
            "zip without" => Zip(("a.txt", [1])),
            "zip damaged" => Zip(("a.nzb", nzb))[..^40],
            "gzip cut" => Gzip(nzb)[..^60],
            "gzip damaged" => [.. Gzip(nzb)[..10], .. new byte[] { 0xff, 0xff, 0xff, 0xff }],
            _ => Gzip(Encoding.UTF8.GetBytes("no xml")),
        };
        var result = await AddAsync(fixture, bytes, "a.nzb");
        Assert.Null(result.Job);
        Assert.Contains(said, result.Error, StringComparison.Ordinal);
        Assert.Empty(Directory.EnumerateFiles(Path.Combine(fixture.Database.Options.ConfigFolder, "cache")));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_decompression_bomb_stops_at_the_limit(bool zip)
    {
        await using var fixture = await ImportFixture.OpenAsync();
        var bomb = new byte[ImportFixture.Options.MaxNzbBytes * 40];
        var result = await AddAsync(fixture, zip ? Zip(("a.nzb", bomb)) : Gzip(bomb), "a.nzb");
        Assert.True(result.TooLarge);
        Assert.Equal("The unpacked content is larger than 1 MiB.", result.Error);
    }

    /// <summary>
    /// Each listed file takes some 400 bytes of memory, an empty folder too. The end record is free to say that there is one.
    /// </summary>
    [Theory]
    [InlineData(200_000, "The zip lists more files than are allowed: its directory is longer than 1 MiB.")]
    [InlineData(1, "The file that the .nzb is packed in is damaged")]
    public async Task A_zip_that_lists_very_many_files_is_refused_before_it_takes_memory(int said, string reason)
    {
        await using var fixture = await ImportFixture.OpenAsync(rules: ImportFixture.Options with { MaxNzbBytes = 64 << 20 });
        var zip = ListOf(200_000, said);
        using var upload = new MemoryStream(zip);
        await using var file = await fixture.Intake.ReceiveAsync(upload, CancellationToken.None);
        var before = GC.GetAllocatedBytesForCurrentThread();
        var unpacked = NzbPackage.Unpack(file.Content, 64 << 20, () => throw new InvalidOperationException("Nothing is unpacked."));
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 16 << 20);
        Assert.StartsWith(reason, unpacked.Error, StringComparison.Ordinal);
        Assert.Equal(unpacked.Error, (await AddAsync(fixture, zip, "a.zip")).Error);
    }

    [Fact]
    public async Task A_zip_may_list_thousands_of_other_files()
    {
        await using var fixture = await ImportFixture.OpenAsync();
        var others = Enumerable.Range(0, 5_000).Select(i => ($"folder/{i}.jpg", Array.Empty<byte>()));
        var zip = Zip([.. others, ("Job.nzb", NzbWriter.ToBytes(fixture.Post("movie.mkv")))]);
        Assert.Equal("Job", (await AddAsync(fixture, zip, "a.zip")).Job!.Name);
    }

    [Fact]
    public async Task Entities_are_not_expanded_and_external_ones_not_fetched()
    {
        await using var fixture = await ImportFixture.OpenAsync();
        var laughs = string.Concat(Enumerable.Range(1, 30).Select(i => $"<!ENTITY l{i} \"&l{i - 1};&l{i - 1};\">"));
        var nzb = $"<?xml version=\"1.0\"?><!DOCTYPE nzb [<!ENTITY l0 \"lol\">{laughs}<!ENTITY x SYSTEM \"file:///etc/passwd\">]>"
            + "<nzb><file subject=\"&l30;&x;\"><segments><segment bytes=\"1\" number=\"1\">a@b</segment></segments></file></nzb>";
        var result = await AddAsync(fixture, Encoding.UTF8.GetBytes(nzb), "Bomb.nzb");
        Assert.Equal(nzb.Length, (int)result.Job!.NzbSize);
    }

    [Theory]
    [InlineData("Movie{{s3cret}}.nzb", "Movie", "s3cret")]
    [InlineData("Movie (2020) {{a }} b}}.nzb", "Movie (2020)", "a }} b")]
    [InlineData("Movie password=top secret.nzb", "Movie", "top secret")]
    [InlineData("Movie.PASSWORD=x.nzb.gz", "Movie", "x")]
    [InlineData("nopassword=x.nzb", "nopassword=x", null)]
    [InlineData("Movie{{}}.nzb", "Movie{{}}", null)]
    public async Task A_password_is_read_from_the_file_name(string file, string name, string? password)
    {
        await using var fixture = await ImportFixture.OpenAsync();
        var result = await AddAsync(fixture, NzbWriter.ToBytes(fixture.Post("movie.mkv")), file);
        Assert.Equal((name, password), (result.Job!.Name, result.Job.Password));
    }

    [Theory]
    [InlineData("Film", "Other{{s3cret}}.nzb", null, "Film", "s3cret")]
    [InlineData("Film{{title}}", "Other{{file}}.nzb", null, "Film", "title")]
    [InlineData("Film{{title}}", "Other{{file}}.nzb", "given", "Film", "given")]
    [InlineData("Film/s3cret", "Other.nzb", null, "Film", "s3cret")]
    [InlineData("Film / a/b", "Other.nzb", null, "Film", "a/b")]
    [InlineData("Film.2024/s3cret.nzb", "Other.nzb", null, "Film.2024", "s3cret")]
    [InlineData("Film.2024.zip", "Other{{file}}.nzb", null, "Film.2024.zip", "file")]
    [InlineData("Film{{a/b}}", "Other.nzb", null, "Film", "a/b")]
    [InlineData("Film/", "Other.nzb", null, "unnamed", null)]
    [InlineData("[49/50] - \"Film.2024.rar\" yEnc", "Other{{file}}.nzb", null, "Film.2024", "file")]
    [InlineData(null, "Other{{file}}.nzb", null, "Other", "file")]
    public async Task A_password_is_read_from_the_name_that_was_asked_for_or_from_that_of_the_file(
        string? title, string file, string? given, string name, string? password)
    {
        await using var fixture = await ImportFixture.OpenAsync();
        var request = new IntakeRequest { FileName = file, Title = title, Password = given, Category = "movies", Source = JobSource.Api };
        var result = await fixture.Intake.AddAsync(request, new MemoryStream(NzbWriter.ToBytes(fixture.Post("movie.mkv"))),
            CancellationToken.None);
        Assert.Equal((name, password), (result.Job!.Name, result.Job.Password));
    }

    [Theory]
    [InlineData(null, "one", "zip")]
    [InlineData("given", "one", "given")]
    public async Task Each_nzb_in_a_zip_has_its_own_password(string? given, string first, string second)
    {
        await using var fixture = await ImportFixture.OpenAsync();
        var zip = Zip(("One{{one}}.nzb", NzbWriter.ToBytes(fixture.Post("a.mkv"))), ("Two.nzb", NzbWriter.ToBytes(fixture.Post("b.mkv"))));
        var request = new IntakeRequest
        {
            FileName = "both{{zip}}.zip",
            Title = "Both",
            Password = given,
            Category = "movies",
            Source = JobSource.Api
        };
        var result = await fixture.Intake.AddAsync(request, new MemoryStream(zip), CancellationToken.None);
        Assert.Equal([("One", first), ("Two", second)], result.Jobs.Select(job => (job.Name, job.Password!)));
    }

    [Fact]
    public async Task Passwords_are_tried_once_each_in_order_of_trust()
    {
        await using var fixture = await ImportFixture.OpenAsync();
        var nzb = NzbWriter.ToBytes(fixture.Post("movie.mkv"),
            new NzbOptions { Meta = [new("password", "meta"), new("password", "given"), new("Password", "more")] });
        var job = (await fixture.Intake.AddAsync(
            new IntakeRequest { FileName = "x{{name}}.nzb", Source = JobSource.Api, Password = "given" }, new MemoryStream(nzb),
            CancellationToken.None)).Job!;
        var document = (await ParseStep.RunAsync(fixture.Blobs, job, CancellationToken.None)).Value!;
        Assert.Equal(
            ["given", "meta", "more", "list"], Passwords.Of(job, document, new ImportOptions { Passwords = ["list", "meta", ""] }));
    }

    [Fact]
    public async Task A_post_is_recognised_as_a_duplicate_however_its_nzb_is_written()
    {
        await using var fixture = await ImportFixture.OpenAsync();
        var files = fixture.Post("a.mkv", "b.mkv");
        var first = await AddAsync(fixture, NzbWriter.ToBytes(files), "First.nzb", reuse: true);
        var shuffled = NzbWriter.ToBytes(files, new NzbOptions { ShuffleFiles = 3, ShuffleSegments = 4, Meta = [new("title", "other")] });
        var again = await AddAsync(fixture, shuffled, "Second.nzb", reuse: true);
        Assert.Equal((first.Job!.Id, true, false), (again.Job!.Id, again.Duplicate, first.Duplicate));
        Assert.NotEqual(first.Job.Id, (await AddAsync(fixture, shuffled, "Third.nzb", reuse: false)).Job!.Id);
        Assert.False((await AddAsync(fixture, NzbWriter.ToBytes([files[0]]), "Part.nzb", reuse: true)).Duplicate);

        // A post that failed, or was published and then deleted, is not a duplicate.
        await fixture.Jobs.DeleteAsync(first.Job.Id, withContent: false, CancellationToken.None);
        var claimed = await fixture.ClaimAsync();
        await fixture.Jobs.FailAsync(claimed, "x", "y", CancellationToken.None);
        Assert.False((await AddAsync(fixture, shuffled, "Fourth.nzb", reuse: true)).Duplicate);
    }

    private static async Task<IntakeResult> AddAsync(ImportFixture fixture, byte[] bytes, string name, bool reuse = false) =>
        await fixture.Intake.AddAsync(
            new IntakeRequest { FileName = name, Category = "movies", Source = JobSource.Folder, ReuseDuplicates = reuse },
            new MemoryStream(bytes), CancellationToken.None);

    private static byte[] Gzip(byte[] bytes)
    {
        using var output = new MemoryStream();
        using (var gzip = new GZipStream(output, CompressionLevel.Fastest))
            gzip.Write(bytes);
        return output.ToArray();
    }

    /// <summary>A zip of empty folders. Their own headers are left out, as nobody reads them.</summary>
    /// <param name="folders">How many there are.</param>
    /// <param name="said">How many its end record says there are (ZIP64, APPNOTE.TXT 4.3.14).</param>
    private static byte[] ListOf(int folders, int said)
    {
        const int Head = 30, Entry = 46 + 7, LongEnd = 56, Locator = 20, End = 22;
        var directory = folders * Entry;
        var zip = new byte[Head + directory + LongEnd + Locator + End];
        "PK\x03\x04"u8.CopyTo(zip);
        for (var i = 0; i < folders; i++)
        {
            var entry = zip.AsSpan(Head + (i * Entry), Entry);
            "PK\x01\x02"u8.CopyTo(entry);
            entry[28] = 7;
            Encoding.ASCII.GetBytes(i.ToString("000000", CultureInfo.InvariantCulture) + "/", entry[46..]);
        }

        var end = zip.AsSpan(Head + directory);
        "PK\x06\x06"u8.CopyTo(end);
        end[4] = LongEnd - 12;
        BinaryPrimitives.WriteInt64LittleEndian(end[24..], said);
        BinaryPrimitives.WriteInt64LittleEndian(end[32..], said);
        BinaryPrimitives.WriteInt64LittleEndian(end[40..], directory);
        BinaryPrimitives.WriteInt64LittleEndian(end[48..], Head);
        end = end[LongEnd..];
        "PK\x06\x07"u8.CopyTo(end);
        BinaryPrimitives.WriteInt64LittleEndian(end[8..], Head + directory);
        end[16] = 1;
        end = end[Locator..];
        "PK\x05\x06"u8.CopyTo(end);
        end[8..20].Fill(0xFF);
        return zip;
    }

    private static byte[] Zip(params (string Name, byte[] Bytes)[] entries)
    {
        using var output = new MemoryStream();
        using (var zip = new ZipArchive(output, ZipArchiveMode.Create))
        {
            foreach (var (name, bytes) in entries)
            {
                using var stream = zip.CreateEntry(name).Open();
                stream.Write(bytes);
            }
        }

        return output.ToArray();
    }
}
