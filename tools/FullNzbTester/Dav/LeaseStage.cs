using NzbDav.FullNzbTester.Findings;
using NzbDav.FullNzbTester.Stages;

namespace NzbDav.FullNzbTester.Dav;

/// <summary>Checks that the server holds nothing for readers once the last has left.</summary>
internal sealed class LeaseStage(DavReads reads)
{
    /// <summary>A reader may be kept warm for a while after its request.</summary>
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(15);
    private static readonly TimeSpan Look = TimeSpan.FromMilliseconds(100);

    public Task RunAsync(CancellationToken cancellationToken) => reads.Stages.RunAsync("leases", RunAsync, cancellationToken);

    private async Task RunAsync(Stage stage, CancellationToken cancellationToken)
    {
        var started = reads.Time.GetTimestamp();
        while (true)
        {
            if (await reads.Server!.ReadMetricsAsync(cancellationToken) is not { } page)
            {
                stage.Say("leases still open at the end", "-  no /metrics");
                return;
            }

            var held = page.Held().Where(gauge => gauge.Value != 0).ToArray();
            if (held.Length > 0 && reads.Time.GetElapsedTime(started) < Patience)
            {
                await Task.Delay(Look, reads.Time, cancellationToken);
                continue;
            }

            stage.Add("leases still open at the end", new Figure("server_leaked_leases", held.Sum(gauge => gauge.Value)));
            foreach (var (name, value) in held)
                stage.Fail(
                    $"{name} is still {value:0} {Patience.TotalSeconds:0} s after the last reader left: something was not returned.");
            return;
        }
    }
}
