#if POSTGRES
using Dapper;
using Microsoft.Extensions.Time.Testing;
using NzbDav.Catalog.Jobs;

namespace NzbDav.Catalog.Tests.Database;

public sealed class ConflictTests
{
    [Fact]
    public async Task A_row_that_another_gateway_adds_after_the_look_is_found_when_the_transaction_is_run_again()
    {
        await using var here = await CatalogFixture.OpenAsync();
        await using var there = here.RawConnection();
        const string Add = "INSERT INTO settings (key, value) VALUES ('a', @value)";
        var runs = 0;

        var known = await here.Database.WriteAsync(
            transaction =>
            {
                var found = transaction.First<string>("SELECT value FROM settings WHERE key = 'a'");
                if (++runs == 1)
                    there.Execute(Add, new { value = "theirs" });
                if (found is null)
                    transaction.Execute(Add, new { value = "ours" });
                return found;
            },
            CancellationToken.None);

        Assert.Equal((2, "theirs"), (runs, known));
    }

    [Fact]
    public async Task A_row_that_is_there_for_good_fails_its_own_request_and_none_beside_it()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        const string Add = "INSERT INTO settings (key, value) VALUES (@key, '')";
        await catalog.Database.WriteAsync(static transaction => transaction.Execute(Add, new { key = "a" }), CancellationToken.None);
        using var gate = new ManualResetEventSlim();

        // Held up, so that the others wait and share a transaction.
        var first = catalog.Database.WriteAsync(transaction => transaction.Execute(Add, new { key = Wait(gate) }), CancellationToken.None);
        var wrong = catalog.Database.WriteAsync(static transaction => transaction.Execute(Add, new { key = "a" }), CancellationToken.None);
        var right = catalog.Database.WriteAsync(static transaction => transaction.Execute(Add, new { key = "c" }), CancellationToken.None);
        gate.Set();

        await first;
        await right;
        await Assert.ThrowsAsync<Npgsql.PostgresException>(() => wrong);
        Assert.Equal("", await catalog.Settings.GetAsync("c", CancellationToken.None));

        static string Wait(ManualResetEventSlim open)
        {
            open.Wait();
            return "b";
        }
    }

    [Fact]
    public async Task A_claim_looks_again_when_the_job_that_it_saw_is_in_other_hands()
    {
        var clock = new WatchedClock();
        await using var catalog = await CatalogFixture.OpenAsync(CatalogFixture.NewFolder(), clock, ownsFolder: true);
        var job = await catalog.EnqueueAsync();
        await using var connection = TestEngine.Connect(catalog.Options);
        await using var transaction = await connection.BeginTransactionAsync();
        await using (var command = connection.CreateCommand())
        {
            command.Transaction = transaction;
            command.CommandText = "SELECT id FROM jobs FOR UPDATE";
            Assert.NotNull(await command.ExecuteScalarAsync());
        }

        // Another claim that is given up: the first attempt finds the job held, the second one free. The clock tells them apart.
        var looks = 0;
        clock.Looked = () => looks++;
        Assert.Null(await catalog.Jobs.ClaimAsync("worker", CatalogFixture.Lease, CancellationToken.None));
        var inOne = looks / JobStore.ClaimAttempts;
        looks = 0;
        clock.Looked = () =>
        {
            if (looks++ == inOne)
                transaction.Rollback();
        };
        Assert.Equal(job.Id, (await catalog.ClaimAsync()).Id);
    }

    private sealed class WatchedClock : FakeTimeProvider
    {
        public Action? Looked { get; set; }

        public override DateTimeOffset GetUtcNow()
        {
            Looked?.Invoke();
            return base.GetUtcNow();
        }
    }
}
#endif
