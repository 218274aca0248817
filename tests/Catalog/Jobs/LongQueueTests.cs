using Microsoft.Data.Sqlite;
using NzbDav.Catalog.Jobs;
using SQLitePCL;

namespace NzbDav.Catalog.Tests.Jobs;

/// <summary>Queries made for each upload and by each worker must not cost more the longer the queue is. Counted in instructions of SQLite's
/// virtual machine.</summary>
public sealed class LongQueueTests
{
    private const int Short = 20;
    private const int Long = 400;

    [Fact]
    public Task Looking_for_a_job_to_claim_costs_the_same_in_a_long_queue() =>
        AssertSameAsync(catalog => catalog.Database.ReadAsync(
            reader => reader.SingleAsync<long>(JobStore.NextFree(), new { now = long.MaxValue, leastPriority = int.MinValue }),
            CancellationToken.None).AsTask());

    [Theory]
    [InlineData(false, true)]
    [InlineData(false, false)]
    [InlineData(true, false)]
    public Task Finding_a_job_by_its_name_costs_the_same_in_a_long_queue(bool newestFirst, bool alsoFailed) =>
        AssertSameAsync(async catalog =>
        {
            var filter = new JobFilter
            {
                Name = "Show.7",
                Categories = ["tv"],
                Standings = alsoFailed ? [.. JobFilter.InQueue, JobStatus.Failed] : JobFilter.NotTaken,
                Kinds = [JobKind.Nzb],
                Archived = false,
            };
            await foreach (var job in catalog.Jobs.List.EachAsync(filter, newestFirst, CancellationToken.None))
                Assert.Equal("Show.7", job.Name);
            Assert.Equal(1, (await catalog.Jobs.List.CountAsync(filter, CancellationToken.None)).Queued);
        });

    private static async Task AssertSameAsync(Func<CatalogFixture, Task> ask)
    {
        var few = await InstructionsAsync(Short, ask);
        var many = await InstructionsAsync(Long, ask);
        Assert.InRange(few, 1, 2000);

        // Only the deeper B-trees may cost more.
        Assert.InRange(many, 1, few * 1.2);
    }

    private static async Task<int> InstructionsAsync(int queue, Func<CatalogFixture, Task> ask)
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        await catalog.Database.WriteAsync(
            transaction =>
            {
                for (var i = 0; i < queue; i++)
                {
                    transaction.Execute(
                        "INSERT INTO jobs (id, name, category, state, priority, source, nzb_size, created, kind) VALUES (@id, @name, " +
                        "'tv', 'queued', 0, 'dav', 0, 0, 'nzb')",
                        new { id = 1000L + i, name = $"Show.{i}" });
                }

                return queue;
            },
            CancellationToken.None);

        // One reader, so the counting connection is the one that is used.
        var instructions = 0;
        delegate_progress count = _ =>
        {
            instructions++;
            return 0;
        };
        await catalog.Database.ReadAsync(
            reader =>
            {
                raw.sqlite3_progress_handler(((SqliteConnection)reader.Connection).Handle, 1, count, null!);
                return ValueTask.FromResult(true);
            },
            CancellationToken.None);
        await ask(catalog);
        return instructions;
    }
}
