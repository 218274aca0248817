using System.CommandLine;
using System.Text.Json;
using NzbDav.Content;
using NzbDav.TorrentTester.Findings;
using NzbDav.TorrentTester.Processes;
using NzbDav.TorrentTester.Stages;

namespace NzbDav.TorrentTester.Commands;

/// <summary>The command line of the torrent tester: <c>nzbdav --test-torrent …</c>, or a program of its own.</summary>
public static class TesterCommand
{
    /// <summary>The option that selects it on the server's command line.</summary>
    public const string Name = DotnetHost.Asked;

    /// <summary>True when a command line selects the tester.</summary>
    public static bool IsAsked(IEnumerable<string> args) => args.Contains(Name, StringComparer.Ordinal);

    /// <summary>Creates the command with all its options.</summary>
    public static RootCommand Create()
    {
        var asked = new Option<bool>(Name) { Hidden = true };
        var stages = new Option<string[]>("--stages")
        {
            Description = "Which stages to run: " + string.Join(", ", StageList.All.Keys),
            AllowMultipleArgumentsPerToken = true,
            DefaultValueFactory = _ => [.. StageList.All.Keys],
        };
        var size = new Option<int>("--size") { Description = "MiB of the plain download", DefaultValueFactory = _ => 1_024 };
        var seeks = new Option<int>("--seeks") { Description = "Seeks per measurement", DefaultValueFactory = _ => 40 };
        var trips = new Option<double[]>("--rtt")
        { Description = "Round trips in milliseconds", AllowMultipleArgumentsPerToken = true, DefaultValueFactory = _ => [0, 50, 100] };
        var seconds = new Option<double>("--seconds") { Description = "How long each stream runs", DefaultValueFactory = _ => 8 };
        var rounds = new Option<int>("--rounds")
        { Description = "How often dav-unlimited and encrypted are repeated", DefaultValueFactory = _ => 3 };
        var torrent = new Option<FileInfo?>("--torrent")
        { Description = "Plain download of this .torrent from --peer instead of the mock swarm" };
        var peer = new Option<string?>("--peer") { Description = "Address and port of its seeder" };
        var libtorrent = new Option<bool>("--libtorrent")
        { Description = "Plain download with Debian's libtorrent (python3-libtorrent) too, alternating with ours" };
        var json = new Option<FileInfo?>("--json") { Description = "Write the figures here" };
        var root = new RootCommand("Measures the torrent engine against a mock swarm in a process of its own, and checks every byte.")
            { stages, size, seeks, trips, seconds, rounds, torrent, peer, libtorrent, json, asked };
        root.SetAction(async (parsed, cancellationToken) =>
        {
            var options = new TesterOptions(
                parsed.GetValue(size), parsed.GetValue(seeks), parsed.GetValue(trips) ?? [], parsed.GetValue(seconds),
                parsed.GetValue(rounds), parsed.GetValue(torrent), parsed.GetValue(peer), parsed.GetValue(libtorrent));
            var figures = new List<Figure>();
            var failed = 0;
            foreach (var name in parsed.GetValue(stages) ?? [])
            {
                if (!StageList.All.TryGetValue(name, out var stage))
                {
                    await Console.Error.WriteLineAsync($"There is no stage {name}.");
                    return 2;
                }

                try
                {
                    await stage(options, Add, cancellationToken);
                }
                catch (Exception e) when (e is InvalidDataException or InvalidOperationException or TimeoutException or IOException
                    or HttpRequestException or ContentException)
                {
                    await Console.Error.WriteLineAsync($"FAILED {name}: {e.Message}");
                    failed++;
                }
            }

            Add(new Figure("all", "compared", ByteCheck.Compared / 1e6, "MB"));

            if (parsed.GetValue(json) is { } file)
                await File.WriteAllTextAsync(
                    file.FullName, JsonSerializer.Serialize(figures, TesterJson.Default.ListFigure), cancellationToken);
            return failed == 0 ? 0 : 1;

            void Add(Figure figure)
            {
                figures.Add(figure);
                Console.WriteLine(figure);
            }
        });
        root.Subcommands.Add(FetchCommand.Create());
        root.Subcommands.Add(JoinCommand.Create());
        return root;
    }
}
