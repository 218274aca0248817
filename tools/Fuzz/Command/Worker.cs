using System.Diagnostics;
using System.Globalization;
using System.Text;
using NzbDav.Fuzz.Contract;
using NzbDav.Fuzz.Probing;

namespace NzbDav.Fuzz.Command;

/// <summary>Starts the workers of one parser, one at a time.</summary>
/// <param name="program">The instrumented copy.</param>
/// <param name="work">Folder for files shared with the worker.</param>
/// <param name="target">The parser.</param>
/// <param name="corpus">Folder of inputs to start from, to which new ones are added.</param>
/// <param name="findings">Folder for faults.</param>
internal sealed class Worker(DirectoryInfo program, DirectoryInfo work, string target, DirectoryInfo corpus, DirectoryInfo findings)
{
    /// <summary>Most characters kept of a crash's output: a stack overflow prints its whole stack.</summary>
    private const int MostErrors = 4_000;

    private readonly string _current = Path.Combine(work.FullName, "current");

    /// <summary>Fuzzes for a time, or up to a number of inputs.</summary>
    public async Task<WorkResult> RunAsync(TimeSpan duration, long inputs, int seed, CancellationToken cancellationToken)
    {
        string[] bounds = [string.Create(CultureInfo.InvariantCulture, $"--seconds={duration.TotalSeconds}"), string.Create(
            CultureInfo.InvariantCulture, $"--inputs={inputs}"), string.Create(CultureInfo.InvariantCulture, $"--seed={seed}")];
        var (exit, said, errors) = await StartAsync(bounds, cancellationToken);
        var at = said.LastIndexOf(WorkCommand.Counts + " ", StringComparison.Ordinal);
        if (exit != 0 || at < 0)
            return new WorkResult(exit, null, said, errors);
        var counts = said[at..].Split(' ', StringSplitOptions.TrimEntries).Skip(1)
            .Select(static text => long.Parse(text, CultureInfo.InvariantCulture)).ToArray();
        return new WorkResult(0, new WorkCounts(counts[0], (int)counts[1], (int)counts[2], (int)counts[3]), said[..at], errors);
    }

    /// <summary>The input that the last worker was parsing when it ended.</summary>
    public byte[] LastInput() => CurrentInput.Read(_current);

    /// <summary>Parses one input in a process of its own.</summary>
    /// <returns>How the input ended that process; null if it did not.</returns>
    public async Task<FindingKind?> TryAsync(byte[] input, CancellationToken cancellationToken)
    {
        var file = Path.Combine(work.FullName, "only");
        await File.WriteAllBytesAsync(file, input, cancellationToken);
        return (await StartAsync(["--only", file], cancellationToken)).Exit switch
        {
            0 => null,
            HangWatch.ExitCode => FindingKind.Hangs,
            _ => FindingKind.Crashes,
        };
    }

    private async Task<(int Exit, string Said, string Errors)> StartAsync(string[] arguments, CancellationToken cancellationToken)
    {
        // Start it like this process: by dotnet, or as a program. This process may be a program of tests.
        var host = Environment.ProcessPath!;
        var isHosted = Path.GetFileNameWithoutExtension(host) == "dotnet";
        var name = OperatingSystem.IsWindows() ? "nzbdav-fuzz.exe" : "nzbdav-fuzz";
        var start = new ProcessStartInfo(isHosted ? host : Path.Combine(program.FullName, name))
        { UseShellExecute = false, RedirectStandardOutput = true, RedirectStandardError = true };
        if (isHosted)
            start.ArgumentList.Add(Path.Combine(program.FullName, "nzbdav-fuzz.dll"));
        foreach (var argument in (ReadOnlySpan<string>)["work", target, "--corpus", corpus.FullName, "--findings", findings.FullName,
            "--current", _current, .. arguments])
            start.ArgumentList.Add(argument);

        // A crash is expected and needs no dump.
        start.Environment["DOTNET_DbgEnableMiniDump"] = "0";
        using var process = Process.Start(start) ?? throw new IOException("The worker could not be started.");
        try
        {
            var errors = ReadAsync(process.StandardError, MostErrors, cancellationToken);
            var said = await ReadAsync(process.StandardOutput, int.MaxValue, cancellationToken);
            await process.WaitForExitAsync(cancellationToken);
            return (process.ExitCode, said, await errors);
        }
        catch (OperationCanceledException)
        {
            process.Kill();
            throw;
        }
    }

    private static async Task<string> ReadAsync(StreamReader reader, int most, CancellationToken cancellationToken)
    {
        var text = new StringBuilder();
        while (await reader.ReadLineAsync(cancellationToken) is { } line)
        {
            if (text.Length < most)
                text.AppendLine(line);
        }

        return text.ToString();
    }
}

/// <summary>Result of a worker.</summary>
/// <param name="ExitCode">Exit code; 0 if it ran until its time was over.</param>
/// <param name="Counts">Its counts; null if it ended early.</param>
/// <param name="Said">Its findings, as text for people.</param>
/// <param name="Errors">Output of the runtime if it crashed.</param>
internal sealed record WorkResult(int ExitCode, WorkCounts? Counts, string Said, string Errors);

/// <summary>Counts that a worker reports at its end.</summary>
/// <param name="Runs">Inputs parsed.</param>
/// <param name="Kept">Inputs in its corpus.</param>
/// <param name="Edges">Pairs of branches taken.</param>
/// <param name="Findings">Faults found, other than those that ended it.</param>
internal sealed record WorkCounts(long Runs, int Kept, int Edges, int Findings);
