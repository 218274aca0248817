using System.Security.Cryptography;
using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Tree;
using NzbDav.Content;
using NzbDav.Fakes;
using NzbDav.Import.Probing;

namespace NzbDav.Import.Tests.Corpus;

/// <summary>
/// Every shape of post: what is served equals its source, whole (by SHA-256) and in 32 ranges at once that begin and end anywhere, across
/// all borders; what is refused says why.
/// </summary>
public sealed class CorpusTests
{
    private const int Ranges = 32;

    /// <summary>Who waits for a clock that nobody moves waits for ever; nothing else here takes nearly as long.</summary>
    private static readonly TimeSpan Stuck = TimeSpan.FromMinutes(1);

    private static readonly Dictionary<string, Func<PostShape>> AllServed =
        new[]
        {
            ServedShapes.All, SevenZipShapes.All, NestedShapes.All, OddShapes.Served, CopiedShapes.Served, ListedShapes.Served,
            PartShapes.Served, TornShapes.Served, UnlistedShapes.Served, UnnamedShapes.Served, NamedShapes.Served, ZipShapes.Served,
        }.SelectMany(shapes => shapes).ToDictionary(StringComparer.Ordinal);

    private static readonly Dictionary<string, Func<PostShape>> AllRefused =
        new[]
        {
            RefusedShapes.All, OddShapes.Refused, CopiedShapes.Refused, ListedShapes.Refused, PartShapes.Refused, TornShapes.Refused,
            UnnamedShapes.Refused, NamedShapes.Refused, ZipShapes.Refused,
        }.SelectMany(shapes => shapes).ToDictionary(StringComparer.Ordinal);

    public static TheoryData<string> Served => new(AllServed.Keys);

    public static TheoryData<string> Refused => new(AllRefused.Keys);

    [Theory]
    [MemberData(nameof(Served))]
    public async Task Is_published_as_the_files_inside(string name)
    {
        var shape = AllServed[name]();
        await using var fixture = await ImportFixture.OpenAsync(rules: shape.Rules);
        var job = await shape.RunAsync(fixture);
        Assert.Null(job.FailureMessage);
        var root = (await fixture.Tree.GetAsync(job.ItemId!.Value, CancellationToken.None))!;
        var files = new Dictionary<string, CatalogItem>(StringComparer.Ordinal);
        await CollectAsync(fixture, root, "", files);
        Assert.Equal(shape.Expected.Keys.Order(StringComparer.Ordinal), files.Keys.Order(StringComparer.Ordinal));
        foreach (var (path, bytes) in shape.Expected)
            await AssertEqualAsync(fixture, files[path], bytes);
    }

    /// <summary>All clocks stand still, so whatever comes after the probes comes without a wait, and nothing is tried twice.</summary>
    [Theory]
    [MemberData(nameof(Refused))]
    public async Task Is_refused_at_once_with_the_reason(string name)
    {
        var shape = AllRefused[name]();
        var line = new ManualTimeProvider();
        await using var fixture = await ImportFixture.OpenAsync(rules: shape.Rules, lineTime: line);
        var job = await shape.RunAsync(fixture).WaitAsync(Stuck);
        Assert.Equal((JobState.Failed, shape.Code), (job.State, job.FailureCode));
        Assert.Contains(shape.Says, job.FailureMessage, StringComparison.OrdinalIgnoreCase);
        Assert.Null(job.ItemId);
        Assert.Equal(0, fixture.Mocks[0].Stats.ArticlesAskedAgain);
    }

    [Theory]
    [InlineData(0, false)]
    [InlineData(1 << 20, true)]
    public async Task An_archive_whose_order_only_its_checksums_tell_is_read_once_if_the_settings_allow_its_size(long most, bool served)
    {
        await using var fixture = await ImportFixture.OpenAsync(rules: ImportFixture.Options with { MostChecked = most });
        var told = new List<int>();
        fixture.Events.Progressed += one =>
        {
            if (one.Progress.Step == "layout")
                told.Add(one.Progress.PerMille);
        };
        var job = await UnnamedShapes.Served["7z without names, listed in its order"]().RunAsync(fixture);
        Assert.Equal(served ? JobState.Completed : JobState.Failed, job.State);
        Assert.Equal((0, served ? 1000 : 0), (told[0], told[^1]));
        Assert.Equal(told.Distinct(), told);
    }

    private static async Task CollectAsync(ImportFixture fixture, CatalogItem folder, string path, Dictionary<string, CatalogItem> files)
    {
        await foreach (var item in fixture.Tree.ListAsync(folder.Id, after: null, CancellationToken.None))
        {
            if (item.IsCollection)
                await CollectAsync(fixture, item, $"{path}{item.Name}/", files);
            else
                files.Add(path + item.Name, item);
        }
    }

    private static async Task AssertEqualAsync(ImportFixture fixture, CatalogItem item, byte[] source)
    {
        Assert.Equal(source.Length, item.Size);
        var content = await fixture.Opener.OpenAsync(item, CancellationToken.None);
        Assert.Equal(source.Length, content.Length);
        var whole = await ContentBytes.ReadAsync(content, 0, source.Length, ReadIntent.Download, CancellationToken.None);
        Assert.Equal(Convert.ToHexString(SHA256.HashData(source)), Convert.ToHexString(SHA256.HashData(whole)));
        var random = new Random(source.Length);
        await Task.WhenAll(Enumerable.Range(0, Ranges).Select(_ =>
        {
            var start = random.Next(source.Length + 1);
            var end = random.Next(start, source.Length + 1);
            return AssertRangeAsync(content, source, start, end);
        }));
    }

    private static async Task AssertRangeAsync(IContent content, byte[] source, int start, int end)
    {
        await Task.Yield();
        var read = await ContentBytes.ReadAsync(content, start, end - start, ReadIntent.Playback, CancellationToken.None);
        Assert.True(source.AsSpan(start, end - start).SequenceEqual(read), $"bytes {start} to {end} differ");
    }
}
