using System.CommandLine;
using NzbDav.FullNzbTester.Options;
using NzbDav.FullNzbTester.Report;

namespace NzbDav.FullNzbTester.Mounts;

/// <summary>The command line of the comparison of mounts: <c>nzbdav --test-mount …</c>.</summary>
public static class MountsCommand
{
    /// <summary>The option that selects it.</summary>
    public const string Name = "--test-mount";

    /// <summary>How the only line begins where nothing can be mounted.</summary>
    internal const string Skipped = "skipped: ";

    private static readonly MountsOptions Default = new();

    /// <summary>True when a command line selects it.</summary>
    public static bool IsAsked(IEnumerable<string> args) => args.Contains(Name, StringComparer.Ordinal);

    /// <summary>Creates the command.</summary>
    public static RootCommand Create()
    {
        var profiles = Names("--profile", "Networks, one run each", NetworkProfile.Named.Select(network => network.Name),
            Default.Networks.Select(network => network.Name));
        var stages = Names("--stages", "What is measured", MountsOptions.AllStages, Default.Stages);
        var caches = Names("--cache", "rclone's cache modes, one column each", ["off", "full"], Default.CacheModes);
        var turns = NumberOption.Create("--turns", Default.Turns, "How often each side is measured, in turns; the medians count.", 1);
        var size = NumberOption.Create("--size", Default.SizeMiB, "MiB of the film.", 2);
        var connections = NumberOption.Create("--connections", Default.Connections, "Connections of the account.", 1);
        var seeks = NumberOption.Create("--seeks", Default.Seeks, "Random places to seek to.", 1);
        var entries = NumberOption.Create("--entries", Default.Entries, "Files in the large folder.", 1);
        var films = NumberOption.Create("--films", Default.Films, "Films that ffprobe opens.", 1);
        var readers = NumberOption.Create("--readers", Default.Readers, "Readers of 2 MB/s at once.", 1);
        var seconds = NumberOption.Create("--seconds", Default.Seconds, "How long they read.", 1);
        var rclone = new Option<string>("--rclone")
        { Description = "The rclone to compare with: a name or a path.", DefaultValueFactory = _ => Default.Rclone };
        var without = new Option<bool>("--without-rclone") { Description = "Measures the mount alone." };
        var json = CommandFrame.Json("figures");
        return CommandFrame.Create(
            Name,
            "Reads through the server's own mount and, in turns, through an rclone mount of its WebDAV: speed, CPU, seeks, large " +
            "folders, ffprobe, many readers, and changes made elsewhere. Compares every byte. Linux with /dev/fuse.",
            [profiles, stages, caches, turns, size, connections, seeks, entries, films, readers, seconds, rclone, without, json],
            (parsed, cancellationToken) => RunAsync(
                new MountsOptions
                {
                    Networks = [.. parsed.GetValue(profiles)!.Select(name => NetworkProfile.Find(name)!)],
                    Stages = parsed.GetValue(stages)!,
                    CacheModes = parsed.GetValue(without) ? [] : parsed.GetValue(caches)!,
                    Turns = parsed.GetValue(turns),
                    SizeMiB = parsed.GetValue(size),
                    Connections = parsed.GetValue(connections),
                    Seeks = parsed.GetValue(seeks),
                    Entries = parsed.GetValue(entries),
                    Films = parsed.GetValue(films),
                    Readers = parsed.GetValue(readers),
                    Seconds = parsed.GetValue(seconds),
                    Rclone = parsed.GetValue(rclone)!,
                    Json = parsed.GetValue(json),
                },
                cancellationToken));
    }

    private static async Task<int> RunAsync(MountsOptions options, CancellationToken cancellationToken)
    {
        IReadOnlyList<MountsResult> results;
        try
        {
            if (MountedServer.Obstacle() is { } obstacle)
                throw new MountMissingException(obstacle);
            results = await new MountsRun(options, Console.Out).RunAsync(cancellationToken);
        }
        catch (MountMissingException e)
        {
            await Console.Out.WriteLineAsync($"{Skipped}{e.Message}");
            return 0;
        }

        foreach (var result in results)
            MountsTable.Write(TableConsole.Create(MountsTable.Width), result);
        if (options.Json is { } json)
            await MountsTable.WriteAsync(json.FullName, results, cancellationToken);
        return results.All(result => result.Failures.Count == 0) ? 0 : 1;
    }

    private static Option<string[]> Names(string name, string description, IEnumerable<string> names, IEnumerable<string> usual)
    {
        string[] all = [.. names];
        var option = new Option<string[]>(name)
        {
            Description = $"{description}: {string.Join(", ", all)} (default: {string.Join(", ", usual)}).",
            AllowMultipleArgumentsPerToken = true,
            DefaultValueFactory = _ => [.. usual]
        };
        option.AcceptOnlyFromAmong(all);
        return option;
    }
}

/// <summary>Options of the comparison of mounts. Immutable.</summary>
internal sealed record MountsOptions
{
    public const string Sequential = "sequential";
    public const string Seek = "seek";
    public const string List = "list";
    public const string Probe = "probe";
    public const string Changes = "changes";
    public const string Crowd = "readers";

    /// <summary>All that can be measured.</summary>
    public static IReadOnlyList<string> AllStages { get; } = [Sequential, Seek, List, Probe, Changes, Crowd];

    public IReadOnlyList<NetworkProfile> Networks { get; init; } = [NetworkProfile.Find("fibre")!, NetworkProfile.Find("far")!];

    public IReadOnlyList<string> Stages { get; init; } = AllStages;

    /// <summary>Values of rclone's <c>--vfs-cache-mode</c>, a side each; empty: rclone is left out.</summary>
    public IReadOnlyList<string> CacheModes { get; init; } = ["off"];

    public int Turns { get; init; } = 3;

    /// <summary>Size of the film that is read from end to end and sought in.</summary>
    public int SizeMiB { get; init; } = 1024;

    public int Connections { get; init; } = 20;

    public int Seeks { get; init; } = 100;

    /// <summary>Files in the large folder.</summary>
    public int Entries { get; init; } = 10_000;

    /// <summary>Films that ffprobe opens.</summary>
    public int Films { get; init; } = 200;

    public int Readers { get; init; } = 50;

    /// <summary>How long they read.</summary>
    public int Seconds { get; init; } = 20;

    /// <summary>Name or path of rclone.</summary>
    public string Rclone { get; init; } = "rclone";

    public FileInfo? Json { get; init; }
}
