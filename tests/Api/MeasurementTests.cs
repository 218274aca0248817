using System.Diagnostics;
using NzbDav.Catalog;
using Xunit.Abstractions;

namespace NzbDav.Api.Tests;

/// <summary>Figures, printed and not asserted.</summary>
public sealed class MeasurementTests(ITestOutputHelper output)
{
    [Fact]
    public async Task Calls_while_500_jobs_are_queued_and_worked_on()
    {
        await using var sab = await SabFixture.OpenAsync();
        for (var i = 0; i < 500; i++)
            await sab.QueueAsync($"Show.S01E{i:D3}");
        using var over = new CancellationTokenSource();
        var working = Task.Run(async () =>
        {
            var done = 0;
            while (!over.IsCancellationRequested && await sab.Jobs.ClaimAsync("worker", TimeSpan.FromHours(1), CancellationToken.None) is { } job)
            {
                await sab.Jobs.ReportAsync(job, new JobProgress("probe", 500, 1, 1), TimeSpan.FromHours(1), CancellationToken.None);
                await sab.Jobs.FailAsync(job, "x", "y", CancellationToken.None);
                done++;
            }

            return done;
        });
        await sab.AskAsync("mode=queue&limit=0");
        foreach (var query in (string[])["mode=queue&start=0&limit=0", "mode=history&start=0&limit=60"])
        {
            var took = new List<double>();
            for (var i = 0; i < 200; i++)
            {
                var clock = Stopwatch.StartNew();
                using (await sab.SendAsync(query))
                    took.Add(clock.Elapsed.TotalMilliseconds);
            }

            took.Sort();
            output.WriteLine($"{query}: p50 {took[100]:F1} ms, p95 {took[190]:F1} ms, longest {took[^1]:F1} ms");
        }

        await over.CancelAsync();
        output.WriteLine($"{await working} jobs were worked on meanwhile");
    }
}
