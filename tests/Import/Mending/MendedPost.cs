using System.Security.Cryptography;
using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Tree;
using NzbDav.Content;
using NzbDav.Fakes.Recovery;
using NzbDav.Import.Probing;
using NzbDav.Import.Tests.Corpus;
using NzbDav.Library.Opening;
using NzbDav.MockUsenet.Articles;
using NzbDav.MockUsenet.Faults;

namespace NzbDav.Import.Tests.Mending;

/// <summary>A post with recovery data that is published complete and loses articles afterwards.</summary>
internal static class MendedPost
{
    /// <summary>No article, of 7,000 bytes each, ends where a slice does.</summary>
    public const int SliceSize = 12_004;

    public const string FilmPath = "content/movies/The Job (2024)/film.mkv";

    public static readonly byte[] Film = PostShape.Film(57, 290_001);

    public static async Task ImportAsync(
        ImportFixture fixture, (string Name, byte[] Bytes)[] posted, string? password = null, string job = "The Job (2024)") =>
        await ImportAsync(fixture, new PostShape { Posted = posted, Password = password, Job = job });

    public static async Task ImportAsync(ImportFixture fixture, PostShape shape)
    {
        var job = await shape.RunAsync(fixture);
        Assert.Equal((JobState.Completed, null), (job.State, job.FailureMessage));
        Assert.Equal(0, fixture.Patches.Count);
        fixture.Usenet.Cache.Reclaim(long.MaxValue);
    }

    public static void Spoil(ImportFixture fixture, string fault, Func<PostedSegment, bool> strikes)
    {
        foreach (var mock in fixture.Mocks)
        {
            mock.Faults.Add(
                fault switch
                {
                    "damaged" => Fault.Corrupt,
                    "STAT lies" => Fault.StatLies,
                    "other article" => Fault.WrongArticle(),
                    _ => Fault.Missing
                },
                FaultTarget.Where(strikes));
        }
    }

    public static (string Name, byte[] Bytes)[] WithRecovery((string Name, byte[] Bytes)[] files, int slices, string name = "set")
    {
        var writer = new Par2Writer { SliceSize = SliceSize };
        foreach (var (file, bytes) in files)
            writer.Add(file, bytes);
        return [.. files, (name + ".par2", writer.Index()), ($"{name}.vol0+{slices}.par2", writer.Volume(slices))];
    }

    public static async Task<byte[]> ReadAsync(ImportFixture fixture, string path, ContentOpener? opener = null)
    {
        var item = await fixture.FindAsync(path);
        var content = await (opener ?? fixture.NewMendingOpener()).OpenAsync(item!, CancellationToken.None);
        return await ContentBytes.ReadAsync(content, 0, (int)item!.Size, ReadIntent.Playback, CancellationToken.None);
    }

    public static long Asked(ImportFixture fixture, string command) =>
        fixture.Mocks.Sum(mock => mock.Stats.Commands.GetValueOrDefault(command));

    public static async Task<string> IdOfAsync(ImportFixture fixture, CatalogItem item, int segment) =>
        (await fixture.MapOfAsync(item)).Segments.Id(segment);

    public static int Times(ImportFixture fixture, string text) =>
        fixture.PostsLog.Entries.Count(entry => entry.Message.Contains(text, StringComparison.Ordinal));

    public static string Hash(byte[] bytes) => Convert.ToHexString(SHA256.HashData(bytes));
}
