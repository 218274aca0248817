namespace NzbDav.TorrentTester.Commands;

internal static class Program
{
    public static Task<int> Main(string[] args) => TesterCommand.Create().Parse(args).InvokeAsync();
}
