using System.Diagnostics;

namespace NzbDav.TorrentTester.Processes;

/// <summary>Locates the programs that a run starts.</summary>
internal static class DotnetHost
{
    /// <summary>The option that selects the tester on the server's command line.</summary>
    public const string Asked = "--test-torrent";

    /// <summary>The <c>dotnet</c> that runs this process, or the one in PATH.</summary>
    public static string Muxer =>
        Environment.ProcessPath is { } path && Path.GetFileNameWithoutExtension(path) == "dotnet" ? path : "dotnet";

    /// <summary>The server's assembly; null if only the tester was built.</summary>
    public static string? Server => Path.Combine(AppContext.BaseDirectory, "nzbdav.dll") is var path && File.Exists(path) ? path : null;

    /// <summary>Start information of the mock swarm, with input and output redirected.</summary>
    public static ProcessStartInfo Swarm(params IEnumerable<string> arguments) =>
        Run(Path.Combine(AppContext.BaseDirectory, "nzbdav-mock-swarm.dll"), arguments);

    /// <summary>Start information of a command of this tester, with input and output redirected.</summary>
    public static ProcessStartInfo Tester(params IEnumerable<string> arguments) =>
        Run(Environment.GetCommandLineArgs()[0], [Asked, .. arguments]);

    private static ProcessStartInfo Run(string assembly, IEnumerable<string> arguments) => new(Muxer, ["exec", assembly, .. arguments])
    {
        UseShellExecute = false,
        RedirectStandardInput = true,
        RedirectStandardOutput = true,
    };
}
