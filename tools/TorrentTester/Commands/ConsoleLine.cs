namespace NzbDav.TorrentTester.Commands;

/// <summary>Writes lines for the parent process.</summary>
internal static class ConsoleLine
{
    /// <summary>Writes a line to standard output at once.</summary>
    public static void Write(string line)
    {
        Console.WriteLine(line);
        Console.Out.Flush();
    }
}
