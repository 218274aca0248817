using System.Diagnostics;
using System.Globalization;
using System.Runtime.InteropServices;
using NzbDav.Fakes;

namespace NzbDav.EndToEnd.Tests.Running;

/// <summary>The built program in its own process. Disposal kills it, and what it started, if it still runs.</summary>
internal sealed partial class ServerProcess : RunningProgram
{
    private const int Sigterm = 15;

    private readonly Process _process;

    private ServerProcess(ProcessStartInfo start)
    {
        _process = Process.Start(start)!;
        OutputEnd = Task.WhenAll(ReadAsync(_process.StandardOutput, isError: false), ReadAsync(_process.StandardError, isError: true));
    }

    /// <summary>Peak memory in bytes: the resident set as Linux counts it.</summary>
    public long PeakMemory => 1024 * long.Parse(
        File.ReadLines($"/proc/{_process.Id}/status").First(line => line.StartsWith("VmHWM:", StringComparison.Ordinal))[6..]
            .Replace("kB", "", StringComparison.Ordinal), CultureInfo.InvariantCulture);

    /// <summary>Processor time of all its threads so far.</summary>
    public TimeSpan CpuTime
    {
        get
        {
            _process.Refresh();
            return _process.TotalProcessorTime;
        }
    }

    protected override Task OutputEnd { get; }

    /// <summary>Starts the program.</summary>
    /// <param name="environment">Settings; those of the test's own environment are ignored.</param>
    /// <param name="arguments">The command line.</param>
    public static ServerProcess Start(IReadOnlyDictionary<string, string> environment, params string[] arguments) =>
        Start(Path.Combine(AppContext.BaseDirectory, "nzbdav.dll"), environment, arguments, FolderOf(arguments));

    /// <summary>Starts this assembly's own <see cref="Program"/>: a server that kills itself at a given point.</summary>
    public static ServerProcess StartMortal(IReadOnlyDictionary<string, string> environment, params string[] arguments) =>
        Start(typeof(ServerProcess).Assembly.Location, environment, [Program.Mortal, .. arguments], arguments[0]);

    /// <summary>Serves a configuration on a free loopback port.</summary>
    public static ServerProcess Serve(NewsServers news, Folder folder) =>
        Start(Environment(news), "--config", folder.Path, "--urls", "http://127.0.0.1:0");

    /// <summary>Accounts and the usual password.</summary>
    public static Dictionary<string, string> Environment(NewsServers news) =>
        new(news.Environment, StringComparer.Ordinal)
        {
            ["NzbDav__WebDav__Username"] = Gateway.User,
            ["NzbDav__WebDav__Password"] = Gateway.Password,
            ["NzbDav__Torrents__ListenAddress"] = "127.0.0.1",
            ["NzbDav__Torrents__PrivateHosts"] = "127.0.0.1",
            ["NzbDav__Torrents__Dht"] = "false"
        };

    /// <summary>The configuration folder in a command line; null: none.</summary>
    public static string? FolderOf(string[] arguments) =>
        arguments.SkipWhile(static argument => argument != "--config").ElementAtOrDefault(1);

    /// <summary>Adds the catalog of a configuration folder, where that is a database of a server.</summary>
    public static IReadOnlyDictionary<string, string> WithCatalog(IReadOnlyDictionary<string, string> environment, string? folder)
    {
        if (folder is null || TestEngine.ConnectionOf(folder) is not { } connection)
            return environment;
        var all = new Dictionary<string, string>(environment, StringComparer.Ordinal);
        all.TryAdd("NzbDav__Catalog__Connection", connection);
        all.TryAdd("NzbDav__Gateway__LeaseSeconds", TestEngine.LeaseSeconds!);
        return all;
    }

    /// <summary>Runs a command to its end.</summary>
    public static async Task<(int ExitCode, IReadOnlyList<string> Output, IReadOnlyList<string> Errors)> RunAsync(
        IReadOnlyDictionary<string, string> environment, params string[] arguments)
    {
        await using var process = Start(environment, arguments);
        return (await process.ExitAsync(), process.Output, process.Errors);
    }

    /// <summary>Waits for its end and all of its output.</summary>
    public async Task<int> ExitAsync(TimeSpan? within = null)
    {
        using var limit = new CancellationTokenSource(within ?? Deadline.Long);
        try
        {
            await _process.WaitForExitAsync(limit.Token);
            await OutputEnd.WaitAsync(limit.Token);
        }
        catch (OperationCanceledException)
        {
            Assert.Fail($"It did not end:\n{Everything}");
        }

        return _process.ExitCode;
    }

    /// <summary>True if an assembly whose name begins with this text is loaded.</summary>
    public bool HasLoaded(string name) =>
        File.ReadLines($"/proc/{_process.Id}/maps").Any(line => Path.GetFileName(line).StartsWith(name, StringComparison.Ordinal));

    /// <summary>SIGKILL.</summary>
    public async Task KillAsync()
    {
        _process.Kill();
        Assert.Equal(128 + 9, await ExitAsync());
    }

    public void Terminate() => Assert.Equal(0, SendSignal(_process.Id, Sigterm));

    /// <summary>
    /// Limits the size that files of the process can grow to, from now on; null for no limit. Has the effect of a full disk.
    /// </summary>
    public void LimitFiles(ulong? bytes) => FileSizeLimit.Set(_process.Id, bytes);

    public override async ValueTask DisposeAsync()
    {
        if (!_process.HasExited)
            _process.Kill(entireProcessTree: true);
        await _process.WaitForExitAsync();
        await OutputEnd;
        _process.Dispose();
    }

    private static ServerProcess Start(string assembly, IReadOnlyDictionary<string, string> environment, string[] arguments, string? folder)
    {
        // A write beyond the limit must be an error, not a signal. The setting is inherited.
        var start = new ProcessStartInfo("bash")
        { RedirectStandardOutput = true, RedirectStandardError = true, RedirectStandardInput = true, UseShellExecute = false };
        foreach (var argument in (string[])["-c", "trap '' XFSZ; exec dotnet \"$@\"", "bash", assembly, .. arguments])
            start.ArgumentList.Add(argument);
        foreach (var name in start.Environment.Keys.Where(name => name.StartsWith("NzbDav", StringComparison.OrdinalIgnoreCase)).ToArray())
            start.Environment.Remove(name);
        foreach (var (name, value) in WithCatalog(environment, folder))
            start.Environment[name] = value;

        // A start is nearly all compiling: 2.4 instead of 3.3 s of a processor. What is measured runs as it is shipped.
        if (!start.Environment.Keys.Any(static name => name.StartsWith("NZBDAV_MEASURE", StringComparison.Ordinal)))
            start.Environment["DOTNET_TC_QuickJitForLoops"] = "1";
        return new ServerProcess(start);
    }

    [LibraryImport("libc", EntryPoint = "kill")]
    private static partial int SendSignal(int process, int signal);

    private async Task ReadAsync(StreamReader reader, bool isError)
    {
        while (await reader.ReadLineAsync() is { } line)
            Add(line, isError);
    }
}
