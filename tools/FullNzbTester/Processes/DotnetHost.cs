namespace NzbDav.FullNzbTester.Processes;

/// <summary>Locates the programs that a run starts.</summary>
internal static class DotnetHost
{
    /// <summary>The <c>dotnet</c> that runs this process, also when it was started by its own executable.</summary>
    public static string Muxer
    {
        get
        {
            var name = OperatingSystem.IsWindows() ? "dotnet.exe" : "dotnet";
            if (Path.GetFileName(Environment.ProcessPath) == name)
                return Environment.ProcessPath!;

            // …/shared/Microsoft.NETCore.App/10.0.0/System.Private.CoreLib.dll
            var shared = Path.GetDirectoryName(typeof(object).Assembly.Location);
            var beside = shared is null ? name : Path.GetFullPath(Path.Combine(shared, "..", "..", "..", name));
            return File.Exists(beside) ? beside : name;
        }
    }

    /// <summary>The server's assembly, which is also this program's.</summary>
    public static string Server => Beside("nzbdav.dll");

    /// <summary>The mock provider's assembly.</summary>
    public static string Mock => Beside("nzbdav-mock-usenet.dll");

    private static string Beside(string name)
    {
        var path = Path.Combine(AppContext.BaseDirectory, name);
        return File.Exists(path)
            ? path : throw new FileNotFoundException($"{path} does not exist: the tester starts it as a process of its own.");
    }
}
