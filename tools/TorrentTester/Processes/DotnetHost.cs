namespace NzbDav.TorrentTester;

/// <summary>Where the programs are that a run starts.</summary>
internal static class DotnetHost
{
    /// <summary>The option that asks the server's command line for the tester.</summary>
    public const string Asked = "--test-torrent";

    /// <summary>The <c>dotnet</c> that runs this process, or the one of the path.</summary>
    public static string Muxer => Environment.ProcessPath is { } path && Path.GetFileNameWithoutExtension(path) == "dotnet" ? path : "dotnet";

    /// <summary>The server's assembly; null where only the tester was built.</summary>
    public static string? Server => Path.Combine(AppContext.BaseDirectory, "nzbdav.dll") is var path && File.Exists(path) ? path : null;
}
