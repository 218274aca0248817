using System.IO.Compression;
using System.Net;
using NzbDav.Catalog.Jobs;
using NzbDav.EndToEnd.Tests.Running;
using NzbDav.MockUsenet.Nzb;

namespace NzbDav.EndToEnd.Tests.Imports;

/// <summary>A .zip of .nzb files, one of which is refused.</summary>
public sealed class PartlyRefusedTests
{
    [Fact]
    public async Task A_dropped_zip_is_answered_with_what_was_refused_and_may_be_dropped_again()
    {
        await using var news = new NewsServers();
        await using var gateway = await Gateway.StartAsync(news);
        var zip = Zip(("one.nzb", NzbWriter.ToBytes([news.Post("one.mkv", 700_000)])), ("two.nzb", NzbWriter.ToBytes([])));
        for (var attempt = 0; attempt < 2; attempt++)
        {
            var (status, text) = await gateway.Client.AskAsync("PUT", "/dav/nzbs/movies/some.zip", zip);
            Assert.Equal(HttpStatusCode.UnprocessableEntity, status);
            Assert.Contains("two.nzb: ", text, StringComparison.Ordinal);
            Assert.Equal(JobState.Completed, (await gateway.WaitAsync("one"))!.State);
        }

        Assert.Equal(["one"], await gateway.Client.ListAsync("/dav/content/movies"));
    }

    [Fact]
    public async Task The_command_imports_the_rest_and_ends_as_for_a_refused_file()
    {
        await using var news = new NewsServers();
        using var folder = new Folder();
        using var drop = new Folder();
        var zip = Zip(("one.nzb", NzbWriter.ToBytes([news.Post("one.mkv", 700_000)])), ("two.nzb", NzbWriter.ToBytes([])),
            ("three.nzb", NzbWriter.ToBytes([news.Post("three.mkv", 500_000)])));
        var (exit, output, errors) = await ServerHere.RunAsync(
            news.Environment, "import", "--config", folder.Path, "--category", "tv", drop.Write("some.zip", zip));
        Assert.True(exit == 1, string.Join('\n', errors));
        Assert.Equal(["some.zip: /content/tv/one", "some.zip: /content/tv/three"],
            output.Where(static line => line.Contains("/content/", StringComparison.Ordinal)));
        Assert.Contains(errors, static line => line.StartsWith("some.zip: two.nzb: ", StringComparison.Ordinal));
    }

    private static byte[] Zip(params (string Name, byte[] Bytes)[] entries)
    {
        using var packed = new MemoryStream();
        using (var zip = new ZipArchive(packed, ZipArchiveMode.Create, leaveOpen: true))
        {
            foreach (var (name, bytes) in entries)
            {
                using var entry = zip.CreateEntry(name).Open();
                entry.Write(bytes);
            }
        }

        return packed.ToArray();
    }
}
