using System.CommandLine;

namespace NzbDav.FullNzbTester.Options;

/// <summary>What the tester's commands have in common.</summary>
internal static class CommandFrame
{
    /// <summary>Exit code of a command that was interrupted, as shells report SIGINT.</summary>
    private const int Interrupted = 130;

    /// <summary>Creates a command that the program's command line selects by an option.</summary>
    /// <param name="name">The option that selects it.</param>
    /// <param name="description">Shown in the help.</param>
    /// <param name="options">All other options.</param>
    /// <param name="run">Runs it with the parsed command line; returns the exit code.</param>
    public static RootCommand Create(
        string name, string description, IEnumerable<Option> options, Func<ParseResult, CancellationToken, Task<int>> run)
    {
        var root = new RootCommand(description) { new Option<bool>(name) { Hidden = true } };
        foreach (var option in options)
            root.Options.Add(option);
        root.SetAction((parsed, cancellationToken) => RunAsync(() => run(parsed, cancellationToken), cancellationToken));
        return root;
    }

    public static Option<int> ArticleSize(int value) => NumberOption.Create("--article-size", value, "Bytes of an article.", 1_000);

    /// <param name="what">The results that are written, in the plural.</param>
    public static Option<FileInfo?> Json(string what) => new("--json") { Description = $"Write all {what} to this file." };

    /// <summary>Runs a command. An interruption, or an error that prevents the run, becomes one line and an exit code.</summary>
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

/// <summary>Options that select what this program does, for processes that start it.</summary>
internal static class CommandNames
{
    /// <summary>Tests the whole life of an NZB.</summary>
    public const string Tester = "--test-full-nzb";

    /// <summary>
    /// Hidden option, used with <see cref="Tester"/>: this process reads the content stream, as described by a JSON file.
    /// </summary>
    public const string ContentChild = "--content-child";
}

/// <summary>Creates command-line options for numbers.</summary>
internal static class NumberOption
{
    /// <summary>An option for a whole number.</summary>
    /// <param name="name">With its dashes.</param>
    /// <param name="value">Used when the option is not given.</param>
    /// <param name="description">Shown in the help.</param>
    /// <param name="least">The smallest number allowed.</param>
    public static Option<int> Create(string name, int value, string description, int least)
    {
        var option = new Option<int>(name) { Description = description, DefaultValueFactory = _ => value };
        option.Validators.Add(result =>
        {
            if (!result.Errors.Any() && result.GetValueOrDefault<int>() < least)
                result.AddError($"{name} must be at least {least}.");
        });
        return option;
    }

    /// <summary>An option for a number, possibly with a fraction.</summary>
    /// <param name="name">With its dashes.</param>
    /// <param name="value">Used when the option is not given.</param>
    /// <param name="description">Shown in the help.</param>
    public static Option<double> Create(string name, double value, string description) =>
        new(name) { Description = description, DefaultValueFactory = _ => value };
}
