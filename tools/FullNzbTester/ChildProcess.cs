using System.Diagnostics;
using System.Globalization;
using System.Text;

namespace NzbDav.FullNzbTester;

/// <summary>A program of this repository in a process of its own; killed when disposed.</summary>
internal sealed class ChildProcess : IAsyncDisposable
{
    private readonly Process _process;
    private readonly StringBuilder _said = new();

    private ChildProcess(Process process) => _process = process;

    /// <summary>CPU time so far.</summary>
    public TimeSpan Cpu
    {
        get
        {
            _process.Refresh();
            return _process.TotalProcessorTime;
        }
    }

    /// <summary>Highest resident memory so far in MiB.</summary>
    public double PeakMiB
    {
        get
        {
            _process.Refresh();
            return _process.PeakWorkingSet64 / 1048576.0;
        }
    }

    /// <summary>Starts <c>dotnet assembly arguments</c> and waits for a line that <paramref name="ready"/> accepts.</summary>
    /// <returns>The process and that line.</returns>
    /// <exception cref="InvalidOperationException">It ended before; the message holds what it said.</exception>
    public static async Task<(ChildProcess Process, string Line)> StartAsync(
        string assembly, IEnumerable<string> arguments, IReadOnlyDictionary<string, string> environment, Func<string, bool> ready, CancellationToken cancellationToken)
    {
        var start = new ProcessStartInfo("dotnet", [assembly, .. arguments]) { UseShellExecute = false, RedirectStandardOutput = true, RedirectStandardError = true };
        foreach (var (name, value) in environment)
            start.Environment[name] = value;
        var process = Process.Start(start)!;
        var child = new ChildProcess(process);
        var found = new TaskCompletionSource<string>(TaskCreationOptions.RunContinuationsAsynchronously);
        process.OutputDataReceived += (_, e) =>
        {
            child.Say(e.Data);
            if (e.Data is not null && ready(e.Data))
                found.TrySetResult(e.Data);
        };
        process.ErrorDataReceived += (_, e) => child.Say(e.Data);
        process.BeginOutputReadLine();
        process.BeginErrorReadLine();
        var exited = process.WaitForExitAsync(cancellationToken);
        if (await Task.WhenAny(found.Task, exited) == exited)
            throw new InvalidOperationException($"{Path.GetFileName(assembly)} ended at once:\n{child._said}");
        return (child, await found.Task);
    }

    /// <summary>Finds a program's assembly in the checkout, of the same build configuration as this one.</summary>
    public static string Find(string project, string assembly)
    {
        var folder = new DirectoryInfo(AppContext.BaseDirectory);
        var configuration = folder.Parent!.Name;
        while (folder is not null && !File.Exists(Path.Combine(folder.FullName, "NzbDav.sln")))
            folder = folder.Parent;
        var path = Path.Combine(folder?.FullName ?? "", project, "bin", configuration, AppContext.TargetFrameworkName!.Split("Version=v")[1] is var version ? $"net{version}" : "", assembly);
        return File.Exists(path) ? path : throw new FileNotFoundException(string.Create(CultureInfo.InvariantCulture, $"{path} does not exist: build the solution first."));
    }

    public async ValueTask DisposeAsync()
    {
        if (!_process.HasExited)
            _process.Kill();
        await _process.WaitForExitAsync();
        _process.Dispose();
    }

    private void Say(string? line)
    {
        lock (_said)
            _said.AppendLine(line);
    }
}
