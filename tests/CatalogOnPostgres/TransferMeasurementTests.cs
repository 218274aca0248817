using System.Diagnostics;
using System.Globalization;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Transfer;
using NzbDav.Fakes;

namespace NzbDav.Catalog.Tests;

/// <summary>
/// A library of many titles, each with an .nzb file of its own, moved to PostgreSQL and back. Prints how long it takes, and asserts that
/// rows and blobs are equal. <c>NZBDAV_MEASURE_MOVE</c> sets the number of titles; the default only shows that the measurement works.
/// </summary>
public sealed class TransferMeasurementTests(ITestOutputHelper output)
{
    private const int Few = 20;

    /// <summary>Random bytes of an .nzb file; as text they are a third more, and compress to this again.</summary>
    private const int NzbBytes = 12_000;

    private static readonly int Titles = int.TryParse(Environment.GetEnvironmentVariables()["NZBDAV_MEASURE_MOVE"] as string,
        NumberStyles.None, CultureInfo.InvariantCulture, out var asked) ? asked : Few;

    [Fact(Explicit = true)]
    public async Task Many_titles_there_and_back()
    {
        using var folder = new TemporaryFolder();
        var connection = PostgresServer.Shared.NewDatabase();
        try
        {
            var file = new CatalogOptions { ConfigFolder = folder.Path };
            var server = file with { Connection = connection };
            await FillAsync(file);
            var (rows, blobs) = (CatalogContent.Rows(file), await CatalogContent.BlobsAsync(file));
            Assert.True(blobs.Count >= Titles);
            await TimeAsync(
                "to PostgreSQL", () => new CatalogTransfer(file, server, TimeProvider.System).ToServerAsync(CancellationToken.None));
            Assert.Equal(rows, CatalogContent.Rows(file));
            File.Delete(file.DatabasePath);
            Directory.Delete(file.BlobFolder, recursive: true);
            await TimeAsync("to SQLite", () => new CatalogTransfer(file, server, TimeProvider.System).ToFileAsync(CancellationToken.None));
            Assert.Equal(rows, CatalogContent.Rows(file));
            Assert.Equal(blobs, await CatalogContent.BlobsAsync(file));

            async Task TimeAsync(string where, Func<Task<TransferResult>> move)
            {
                var began = Stopwatch.GetTimestamp();
                Assert.Equal(new TransferResult(rows.Count, blobs.Count, 0), await move());
                output.WriteLine(
                    string.Create(
                    CultureInfo.InvariantCulture,
                    $"{Titles} titles, {rows.Count} rows, {blobs.Count} blobs {where}: " +
                    $"{Stopwatch.GetElapsedTime(began).TotalSeconds:0.0} s"));
            }
        }
        finally
        {
            PostgresServer.Shared.Drop(connection);
        }
    }

    private static async Task FillAsync(CatalogOptions file)
    {
        await using var catalog = await CatalogFixture.OpenAsync(file, CatalogFixture.NewClock());
        var (random, bytes) = (new Random(7), new byte[NzbBytes]);
        for (var i = 0; i < Titles; i++)
        {
            random.NextBytes(bytes);
            await catalog.EnqueueAsync($"Title {i}", nzb: Convert.ToBase64String(bytes));
            await catalog.Jobs.PublishAsync(await catalog.ClaimAsync(), new JobPublication
            {
                Files = [
                await catalog.FileAsync($"film {i}.mkv"), await catalog.FileAsync($"subs/{i}.srt")]
            }, CancellationToken.None);
        }
    }
}
