using System.Net;
using NzbDav.EndToEnd.Tests.Running;
using NzbDav.Fakes;
using NzbDav.MockUsenet;

namespace NzbDav.EndToEnd.Tests;

/// <summary>A post that lost articles and has recovery data, over the life of its files.</summary>
public sealed class RepairTests
{
    private static readonly byte[] Film = SeededBytes.Make(77, 1_500_000);

    [Fact]
    public async Task What_was_made_again_outlasts_a_restart_and_goes_with_the_last_file_that_needs_it()
    {
        using var folder = new Folder();
        await using var news = new NewsServers();
        var writer = new Par2Writer { SliceSize = 25_000 }.Add("film.mkv", Film);
        var options = new PostOptions { ArticleSize = 40_000 };
        var posted = news.Store.AddPost([("film.mkv", new MemorySource(Film)), ("film.par2", new MemorySource(writer.Index())), ("film.vol0+8.par2", new MemorySource(writer.Volume(8)))], options);
        news.Fault(Fault.Missing, FaultTarget.Indexes(posted[0], 5, 20));
        var patches = Path.Combine(folder.Path, "patches");

        await using (var gateway = await Gateway.StartAsync(news, folder))
        {
            var path = await gateway.ImportAsync("holes", [.. posted]);
            await gateway.Client.AssertFileAsync(path + "/film.mkv", posted[0]);
            Assert.Equal(2, Directory.GetFiles(patches, "*", SearchOption.AllDirectories).Length);

            // The same articles, which nothing has to be made again for.
            await gateway.ImportAsync("holes again", [.. posted]);
            Assert.Single(Directory.GetDirectories(patches));
        }

        // Nothing needs this one: the job that made it is gone.
        Directory.CreateDirectory(Path.Combine(patches, "12345"));
        await File.WriteAllBytesAsync(Path.Combine(patches, "12345", new string('0', 32)), [1, 2, 3]);
        await using var restarted = await Gateway.StartAsync(news, folder);
        await Deadline.UntilAsync(() => !Directory.Exists(Path.Combine(patches, "12345")), "what nothing needs is removed at the start");
        await restarted.Client.AssertFileAsync(DavClient.Path("content", "movies", "holes", "film.mkv"), posted[0]);

        Assert.Equal(HttpStatusCode.NoContent, (await restarted.Client.AskAsync("DELETE", DavClient.Path("content", "movies", "holes"))).Status);
        var kept = DavClient.Path("content", "movies", "holes again", "film.mkv");
        restarted.ForgetArticles();
        await restarted.Client.AssertFileAsync(kept, posted[0]);
        Assert.Equal(HttpStatusCode.NoContent, (await restarted.Client.AskAsync("DELETE", DavClient.Path("content", "movies", "holes again"))).Status);
        await Deadline.UntilAsync(() => Directory.GetDirectories(patches).Length == 0, "the articles that were made again are removed");
    }
}
