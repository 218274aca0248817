namespace NzbDav.TorrentTester.Commands;

/// <summary>Lines for the process that started this one.</summary>
internal static class ConsoleLine
{
    /// <summary>Writes a line to standard output at once.</summary>
    public static void Write(string line)
    {
        Console.WriteLine(line);
        Console.Out.Flush();
    }
}
