using Spectre.Console;

namespace NzbDav.FullNzbTester.Report;

/// <summary>The console that tables are written to: wide enough for them; plain text when it goes to a file.</summary>
internal static class TableConsole
{
    /// <param name="width">Columns that hold the table.</param>
    public static IAnsiConsole Create(int width)
    {
        var plain = Console.IsOutputRedirected;
        var console = AnsiConsole.Create(new AnsiConsoleSettings { Ansi = plain ? AnsiSupport.No : AnsiSupport.Detect, ColorSystem = plain ? ColorSystemSupport.NoColors : ColorSystemSupport.Detect });
        console.Profile.Width = Math.Max(console.Profile.Width, width);
        return console;
    }
}
