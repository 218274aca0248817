using System.Diagnostics;
using System.Text;

namespace NzbDav.FullNzbTester.Processes;

/// <summary>A program in a process of its own; killed when disposed.</summary>
internal sealed class ChildProcess : IAsyncDisposable
{
    /// <summary>Prefix of the settings that a child must not inherit by accident.</summary>
    private const string SettingsPrefix = "NzbDav__";

    private const string AccountsPrefix = "NzbDav__Usenet__";

    private const string MemoryPrefix = "NzbDav__Memory__";

    /// <summary>Enough for an exception with its stack trace.</summary>
    private const int LastLines = 25;

    private readonly Process _process;
    private readonly StringBuilder _said = new();

    private ChildProcess(Process process) => _process = process;

    /// <summary>The accounts in this process's environment, to pass on.</summary>
    public static IEnumerable<KeyValuePair<string, string>> OwnAccounts => Own(AccountsPrefix);

    /// <summary>The memory limit in this process's environment, to pass on.</summary>
    public static IEnumerable<KeyValuePair<string, string>> OwnMemory => Own(MemoryPrefix);

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

    /// <summary>Current resident memory in MiB, descriptors and threads.</summary>
    public (double ResidentMiB, int Handles, int Threads) Holdings
    {
        get
        {
            _process.Refresh();
            return (_process.WorkingSet64 / 1048576.0, _process.HandleCount, _process.Threads.Count);
        }
    }

    /// <summary>Its exit code and last lines if it has ended; null while it runs.</summary>
    public string? Ended
    {
        get
        {
            if (!_process.HasExited)
                return null;
            var lines = Said.Split('\n', StringSplitOptions.RemoveEmptyEntries);
            return $"it ended with code {_process.ExitCode}: {string.Join('\n', lines.TakeLast(LastLines))}";
        }
    }

    /// <summary>All lines written so far.</summary>
    public string Said
    {
        get
        {
            lock (_said)
                return _said.ToString();
        }
    }

    /// <summary>Starts <c>dotnet assembly arguments</c>.</summary>
    /// <param name="assembly">What to run.</param>
    /// <param name="arguments">Its command line.</param>
    /// <param name="settings">Settings in its environment. None of this process's settings are inherited.</param>
    /// <param name="line">Called with each line of its standard output, one at a time.</param>
    public static ChildProcess Start(
        string assembly, IEnumerable<string> arguments, IReadOnlyDictionary<string, string> settings, Action<string> line) =>
        StartProgram(DotnetHost.Muxer, [assembly, .. arguments], settings, line);

    /// <summary>Starts any program.</summary>
    /// <param name="program">Its name or path.</param>
    /// <param name="arguments">Its command line.</param>
    /// <param name="settings">Settings in its environment. None of this process's settings are inherited.</param>
    /// <param name="line">Called with each line of its standard output, one at a time.</param>
    /// <exception cref="System.ComponentModel.Win32Exception">There is no such program.</exception>
    public static ChildProcess StartProgram(
        string program, IEnumerable<string> arguments, IReadOnlyDictionary<string, string> settings, Action<string> line)
    {
        var start = new ProcessStartInfo(program, arguments)
        {
            UseShellExecute = false,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            RedirectStandardInput = true,
        };
        foreach (var name in start.Environment.Keys.Where(name => name.StartsWith(SettingsPrefix, StringComparison.OrdinalIgnoreCase))
            .ToArray())
            start.Environment.Remove(name);
        foreach (var (name, value) in settings)
            start.Environment[name] = value;
        var process = Process.Start(start)!;
        var child = new ChildProcess(process);
        process.OutputDataReceived += (_, e) =>
        {
            child.Say(e.Data);
            if (e.Data is not null)
                line(e.Data);
        };
        process.ErrorDataReceived += (_, e) => child.Say(e.Data);
        process.BeginOutputReadLine();
        process.BeginErrorReadLine();
        return child;
    }

    /// <summary>Starts it and waits for a line that <paramref name="ready"/> accepts.</summary>
    /// <returns>The process and that line.</returns>
    /// <exception cref="InvalidOperationException">It ended first; the message has its output.</exception>
    public static async Task<(ChildProcess Process, string Line)> StartAsync(
        string assembly, IEnumerable<string> arguments, IReadOnlyDictionary<string, string> settings, Func<string, bool> ready,
        CancellationToken cancellationToken)
    {
        var found = new TaskCompletionSource<string>(TaskCreationOptions.RunContinuationsAsynchronously);
        var child = Start(assembly, arguments, settings, line =>
        {
            if (ready(line))
                found.TrySetResult(line);
        });
        try
        {
            if (await Task.WhenAny(found.Task, child.WhenExitedAsync(cancellationToken)) != found.Task)
            {
                cancellationToken.ThrowIfCancellationRequested();
                throw new InvalidOperationException($"{Path.GetFileName(assembly)} ended at once: {child.Said}");
            }

            return (child, await found.Task);
        }
        catch
        {
            await child.DisposeAsync();
            throw;
        }
    }

    /// <summary>Waits until it has ended and all its output was read.</summary>
    /// <returns>Its exit code.</returns>
    public async Task<int> WhenExitedAsync(CancellationToken cancellationToken)
    {
        await _process.WaitForExitAsync(cancellationToken);
        return _process.ExitCode;
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

    private static IEnumerable<KeyValuePair<string, string>> Own(string prefix) => new ProcessStartInfo().Environment
        .Where(entry => entry.Value is not null && entry.Key.StartsWith(prefix, StringComparison.OrdinalIgnoreCase))
        .Select(entry => KeyValuePair.Create(entry.Key, entry.Value!));
}
