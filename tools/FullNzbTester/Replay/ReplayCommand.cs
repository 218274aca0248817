using System.CommandLine;
using NzbDav.Content.Recording;
using NzbDav.FullNzbTester.Options;

namespace NzbDav.FullNzbTester.Replay;

/// <summary>The command line of replays: <c>nzbdav --replay FILE</c>.</summary>
public static class ReplayCommand
{
    /// <summary>The option that selects it.</summary>
    public const string Name = "--replay";

    /// <summary>True when a command line selects a replay.</summary>
    public static bool IsAsked(IEnumerable<string> args) =>
        args.Any(arg => arg == Name || arg.StartsWith(Name + "=", StringComparison.Ordinal));

    /// <summary>Creates the command.</summary>
    public static RootCommand Create()
    {
        var file = new Option<FileInfo>(Name)
        { Description = "A recording of streams: .jsonl or .jsonl.gz.", Required = true, HelpName = "FILE" };
        var speed = new Option<double>("--speed")
        {
            Description = "Divides the times between requests and between events of providers; response times stay the same. 1 to 20.",
            DefaultValueFactory = static _ => 1
        };
        var json = CommandFrame.Json("figures");
        var server = new Option<FileInfo?>("--server") { Description = "The nzbdav.dll of another build, to test in place of this one." };
        var record = new Option<FileInfo?>("--record")
        { Description = "Keep the recording that the replayed server made, to look at or to replay." };
        speed.Validators.Add(result =>
        {
            if (result.GetValueOrDefault<double>() is not (>= 1 and <= 20))
                result.AddError("--speed must be 1 to 20.");
        });
        var root = new RootCommand(
            "Plays a recording of streams again: mock providers behave like the recorded ones, at the recorded times, and clients repeat " +
            "the recorded requests to the real server. Compares every byte, and shows the results beside those of the recording.")
        {
            file, speed, json, server, record,
        };
        root.SetAction((parsed, token) => CommandFrame.RunAsync(
            () => RunAsync(new ReplayOptions(parsed.GetValue(file)!, parsed.GetValue(speed), parsed.GetValue(json), parsed.GetValue(server),
                parsed.GetValue(record)), token), token));
        return root;
    }

    private static async Task<int> RunAsync(ReplayOptions options, CancellationToken cancellationToken)
    {
        foreach (var file in new[] { options.File, options.Server }.OfType<FileInfo>())
        {
            if (!file.Exists)
                return await RefuseAsync($"{file} does not exist.");
        }

        try
        {
            Recording recording;
            await using (var stream = options.File.OpenRead())
                recording = await RecordingReader.ReadAsync(stream, cancellationToken);
            if (recording.Cut is { } cut)
                Console.WriteLine(cut);
            if (ReplayPlan.Refusal(recording) is { } refusal)
                return await RefuseAsync($"{options.File.Name}: {refusal}");
            var result = await ReplayRun.RunAsync(recording, options, cancellationToken);
            ReplayTable.Write(Console.Out, recording, options, result);
            if (options.Json is { } json)
                await File.WriteAllTextAsync(json.FullName, ReplayTable.ToJson(result), cancellationToken);
            return result.Passed ? 0 : 1;
        }
        catch (RecordingException e)
        {
            return await RefuseAsync($"{options.File.Name}, {e.Message}.");
        }
    }

    private static async Task<int> RefuseAsync(string why)
    {
        await Console.Error.WriteLineAsync($"nzbdav: {why}");
        return 2;
    }
}
