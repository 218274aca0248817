using System.Globalization;
using NzbDav.FullNzbTester.Faults;
using NzbDav.FullNzbTester.Processes;
using NzbDav.MockUsenet.Articles;
using NzbDav.MockUsenet.Providers;

namespace NzbDav.FullNzbTester.Mounts;

/// <summary>
/// Compares the server's own mount with rclone's: a mock provider in this process, and for each measurement a new server and a new mount,
/// so that none reads what another has left in memory.
/// </summary>
internal sealed class MountsRun(MountsOptions options, TextWriter output)
{
    private readonly TimeProvider _time = TimeProvider.System;
    private readonly long _began = TimeProvider.System.GetTimestamp();
    private int _jobs;

    /// <summary>Measures every network, and reports each step as soon as it is done.</summary>
    public async Task<IReadOnlyList<MountsResult>> RunAsync(CancellationToken cancellationToken)
    {
        var sides = MountSide.Of(options);
        (string Program, IReadOnlyList<string> Flags) rclone = (options.Rclone, []);
        if (sides.Count > 1)
        {
            var (version, flags, obstacle) = await MountedServer.AskRcloneAsync(options.Rclone, cancellationToken);
            await output.WriteLineAsync(
                obstacle is null ? $"{version} with {string.Join(' ', flags)}" : $"without rclone: {obstacle}");
            if (obstacle is not null)
                sides = [.. sides.Take(1)];
            rclone = (options.Rclone, flags);
        }

        var folder = Directory.CreateTempSubdirectory("nzbdav-mounts-");
        var store = new ArticleStore();
        var posts = new MountPosts(options, store, folder.FullName);
        try
        {
            await using var mock = MockProvider.Start(
                store, new MockProviderOptions { Username = MockAccount.Username, Password = MockAccount.Password });
            var settings = MatrixServer.Settings(
                MockAccount.CreateWithLogin(0, mock.Name, mock.Port, tls: false, connections: options.Connections));
            await using (var mounted = await MountedServer.StartAsync(sides[0], rclone, folder.FullName, settings, cancellationToken))
                await posts.PlantAsync(mounted.Server, mock, cancellationToken);
            await TellAsync(posts.NoVideos is { } reason ? $"imported; without ffprobe: {reason}" : "imported");
            var results = new List<MountsResult>();
            foreach (var network in options.Networks)
            {
                mock.Latency = TimeSpan.FromMilliseconds(network.LatencyMs);
                mock.Jitter = TimeSpan.FromMilliseconds(network.JitterMs);
                mock.ConnectionRate = network.Rate is { } rate ? long.Parse(rate, CultureInfo.InvariantCulture) : 0;
                var result = new MountsResult(network, options, [.. sides.Select(side => side.Name)]);
                results.Add(result);
                for (var turn = 0; turn < options.Turns; turn++)
                {
                    foreach (var side in turn % 2 == 0 ? sides : sides.Reverse())
                        await MeasureAsync(side, turn, result, cancellationToken);
                }
            }

            return results;

            async Task MeasureAsync(MountSide side, int turn, MountsResult result, CancellationToken cancellationToken)
            {
                await WithAsync([MountsOptions.Sequential], reads => reads.ReadAllAsync(cancellationToken));
                await WithAsync([MountsOptions.Seek], reads => reads.SeekAsync(turn, cancellationToken));
                await WithAsync([MountsOptions.List], reads => reads.ListAsync(cancellationToken));
                await WithAsync([MountsOptions.Probe], reads => reads.ProbeAsync(cancellationToken));
                await WithAsync([MountsOptions.Changes], reads => reads.ChangeAsync(
                    string.Create(CultureInfo.InvariantCulture, $"change-{++_jobs}"), cancellationToken));
                await WithAsync([MountsOptions.Crowd], reads => reads.CrowdAsync(cancellationToken));

                async Task WithAsync(string[] stages, Func<MountReads, Task> measure)
                {
                    if (!stages.Any(stage => options.Stages.Contains(stage)))
                        return;
                    var from = result.Count;
                    try
                    {
                        await using var mounted = await MountedServer.StartAsync(
                            side, rclone, folder.FullName, settings, cancellationToken);
                        var reads = new MountReads(mounted, side, posts, options, mock, result);
                        await reads.WarmUpAsync(cancellationToken);
                        await MountPosts.SettleAsync(mock, cancellationToken);
                        await measure(reads);
                        foreach (var error in ServerLog.Errors(mounted.Server.Said))
                            result.Fail($"{side.Name}: the server logged: {error}");
                    }
                    catch (IOException e)
                    {
                        result.Fail($"{side.Name}, {stages[0]}: {e.Message}");
                    }

                    await TellAsync($"{result.Network.Name}, turn {turn + 1}, {side.Name}: {string.Join(", ", result.Since(from))}");
                }
            }
        }
        finally
        {
            posts.Close();
            folder.Delete(recursive: true);
        }
    }

    private Task TellAsync(string text) => output.WriteLineAsync(
        string.Create(CultureInfo.InvariantCulture, $"[{_time.GetElapsedTime(_began).TotalSeconds,5:0} s] {text}"));
}
