namespace NzbDav.Fuzz.Command;

/// <summary>The command <c>nzbdav-fuzz</c>.</summary>
internal static class Program
{
    private static int Main(string[] args) => FuzzCommand.Create(Console.Out).Parse(args).Invoke();
}
