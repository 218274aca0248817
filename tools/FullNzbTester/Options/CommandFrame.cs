using System.CommandLine;

namespace NzbDav.FullNzbTester.Options;

/// <summary>What the tester's commands have in common.</summary>
internal static class CommandFrame
{
    /// <summary>Exit code of a command that was interrupted, as shells report SIGINT.</summary>
    private const int Interrupted = 130;

    /// <summary>A command that this program's command line selects by an option.</summary>
    /// <param name="name">That option.</param>
    /// <param name="description">Shown in the help.</param>
    /// <param name="options">All others.</param>
    /// <param name="run">Runs it with what was typed; returns the exit code.</param>
    public static RootCommand Create(string name, string description, IEnumerable<Option> options, Func<ParseResult, CancellationToken, Task<int>> run)
    {
        var root = new RootCommand(description) { new Option<bool>(name) { Hidden = true } };
        foreach (var option in options)
            root.Options.Add(option);
        root.SetAction((parsed, cancellationToken) => RunAsync(() => run(parsed, cancellationToken), cancellationToken));
        return root;
    }

    public static Option<int> ArticleSize(int value) => NumberOption.Create("--article-size", value, "Bytes of an article.", 1_000);

    /// <param name="what">What is written, in the plural.</param>
    public static Option<FileInfo?> Json(string what) => new("--json") { Description = $"Write all {what} to this file." };

    /// <summary>Runs a command; an interruption, and whatever keeps it from running, becomes one line and an exit code.</summary>
    public static async Task<int> RunAsync(Func<Task<int>> run, CancellationToken cancellationToken)
    {
        try
        {
            return await run();
        }
        catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested)
        {
            await Console.Error.WriteLineAsync("nzbdav: interrupted.");
            return Interrupted;
        }
        catch (Exception e) when (e is InvalidOperationException or IOException or UnauthorizedAccessException)
        {
            await Console.Error.WriteLineAsync($"nzbdav: {e.Message}");
            return 1;
        }
    }
}
