using Spectre.Console;

namespace NzbDav.FullNzbTester.Report;

/// <summary>The console for tables: wide enough for them; plain text when the output is a file.</summary>
internal static class TableConsole
{
    /// <param name="width">Columns of the table.</param>
    public static IAnsiConsole Create(int width)
    {
        var plain = Console.IsOutputRedirected;
        var console = AnsiConsole.Create(new AnsiConsoleSettings
        {
            Ansi = plain ? AnsiSupport.No : AnsiSupport.Detect,
            ColorSystem = plain ? ColorSystemSupport.NoColors : ColorSystemSupport.Detect
        });
        console.Profile.Width = Math.Max(console.Profile.Width, width);
        return console;
    }
}
