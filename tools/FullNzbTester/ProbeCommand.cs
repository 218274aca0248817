using System.CommandLine;

namespace NzbDav.FullNzbTester;

/// <summary>The command line of the probe.</summary>
internal static class ProbeCommand
{
    public static RootCommand Create()
    {
        var latency = new Option<double[]>("--latency") { Description = "Round trips in ms, a run each. Default: 0 50.", AllowMultipleArgumentsPerToken = true, DefaultValueFactory = _ => [0, 50] };
        var jitter = new Option<double>("--jitter") { Description = "Jitter as a share of the round trip. Default: 0.2.", DefaultValueFactory = _ => 0.2 };
        var rate = new Option<string?>("--rate") { Description = "Bytes per second on each connection, such as 6M. Default: no limit." };
        var size = new Option<int>("--size") { Description = "File size in MiB. Default: 1024.", DefaultValueFactory = _ => 1024 };
        var connections = new Option<int>("--connections") { Description = "Connections of the account. Default: 20.", DefaultValueFactory = _ => 20 };
        var passes = new Option<int>("--passes") { Description = "Sequential passes. Default: 3.", DefaultValueFactory = _ => 3 };
        var seeks = new Option<int>("--seeks") { Description = "Random seeks of each kind. Default: 30.", DefaultValueFactory = _ => 30 };
        var readers = new Option<int>("--readers") { Description = "Readers at once, 64 MiB each. Default: 16.", DefaultValueFactory = _ => 16 };
        var root = new RootCommand("Streams from the real server over WebDAV, with the mock provider and the server in processes of their own, and compares every byte.")
        {
            latency, jitter, rate, size, connections, passes, seeks, readers,
        };
        root.SetAction(async (parsed, token) =>
        {
            var options = new ProbeOptions
            {
                JitterShare = parsed.GetValue(jitter),
                Rate = parsed.GetValue(rate),
                SizeMiB = parsed.GetValue(size),
                Connections = parsed.GetValue(connections),
                Passes = parsed.GetValue(passes),
                Seeks = parsed.GetValue(seeks),
                Readers = parsed.GetValue(readers),
            };
            var results = new List<ProbeResult>();
            foreach (var milliseconds in parsed.GetValue(latency)!)
                results.Add(await ProbeRun.RunAsync(options with { LatencyMs = milliseconds }, token));
            ProbeReport.Write(results);
            return results.TrueForAll(result => result.WrongBytes == 0) ? 0 : 1;
        });
        return root;
    }
}
