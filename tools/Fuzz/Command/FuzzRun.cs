using System.Diagnostics;
using NzbDav.Fuzz.Contract;
using NzbDav.Fuzz.Coverage;
using NzbDav.Fuzz.Mutating;
using NzbDav.Fuzz.Probing;

namespace NzbDav.Fuzz.Command;

/// <summary>
/// One run of the command: starts a worker for each parser, investigates inputs that ended a worker, and adds up the results.
/// </summary>
/// <param name="duration">Time for each parser.</param>
/// <param name="inputs">The most inputs for each parser.</param>
/// <param name="seed">Seed of the mutations.</param>
/// <param name="findings">Receives the faults.</param>
/// <param name="corpus">Receives a folder for each parser; null to discard the inputs.</param>
/// <param name="report">Prints results for people.</param>
internal sealed class FuzzRun(TimeSpan duration, long inputs, int seed, DirectoryInfo findings, DirectoryInfo? corpus, RunReport report)
{
    /// <summary>A parser that ended its process this often is not fuzzed further.</summary>
    private const int MostEnds = 3;

    /// <summary>The most processes started to minimise such an input: each takes a second or more.</summary>
    private const int MostTries = 24;

    private readonly FindingFolder _findings = new(findings);

    /// <summary>Fuzzes parsers.</summary>
    /// <param name="targets">The parsers.</param>
    /// <param name="together">How many run at once.</param>
    /// <param name="cancellationToken">Ends the workers.</param>
    /// <returns>The exit code: 1 if a fault was found.</returns>
    public async Task<int> RunAsync(IReadOnlyList<FuzzTarget> targets, int together, CancellationToken cancellationToken)
    {
        report.Begin(seed, duration);
        using var copy = InstrumentedCopy.Make();
        report.Head();
        var faults = 0;
        await Parallel.ForEachAsync(targets,
            new ParallelOptions { MaxDegreeOfParallelism = together, CancellationToken = cancellationToken }, async (target, ending) =>
            Interlocked.Add(ref faults, await FuzzAsync(target, copy.Folder, ending)));
        report.End(faults, findings);
        return faults == 0 ? 0 : 1;
    }

    private async Task<int> FuzzAsync(FuzzTarget target, DirectoryInfo program, CancellationToken cancellationToken)
    {
        var work = program.CreateSubdirectory($"work-{target.Name}");
        var kept = corpus?.CreateSubdirectory(target.Name) ?? work.CreateSubdirectory("corpus");
        var worker = new Worker(program, work, target.Name, kept, findings);
        var began = Stopwatch.GetTimestamp();
        var sum = new WorkCounts(0, 0, 0, 0);
        var known = new List<byte[]>();
        for (var ends = 0; ends < MostEnds; ends++)
        {
            var left = duration - Stopwatch.GetElapsedTime(began);
            var result = await worker.RunAsync(left > TimeSpan.Zero ? left : TimeSpan.Zero, inputs, seed + ends, cancellationToken);
            report.Say(result.Said);
            if (result.Counts is { } counts)
            {
                sum = counts with { Runs = sum.Runs + counts.Runs, Findings = sum.Findings + counts.Findings };
                break;
            }

            // The same crash again: every further worker would hit it.
            var smallest = await LookAsync(worker, target, result, cancellationToken);
            if (smallest is not null && known.Exists(other => other.AsSpan().SequenceEqual(smallest)))
                break;
            if (smallest is not null)
                known.Add(smallest);
            else if (result.ExitCode != HangWatch.ExitCode)
                sum = sum with { Findings = sum.Findings + 1 };
        }

        sum = sum with { Findings = sum.Findings + known.Count };
        report.Row(target.Name, sum, Stopwatch.GetElapsedTime(began));
        return sum.Findings;
    }

    /// <summary>Retries the input that ended a worker in a process of its own, minimises it and stores it.</summary>
    /// <returns>The smallest input that reproduces it; null if it cannot be reproduced.</returns>
    private async Task<byte[]?> LookAsync(Worker worker, FuzzTarget target, WorkResult result, CancellationToken cancellationToken)
    {
        var input = worker.LastInput();
        if (await worker.TryAsync(input, cancellationToken) is not { } kind)
        {
            report.Say(
                $"{target.Name}: a worker ended with {result.ExitCode} over an input that does no harm by itself.\n{result.Errors}\n");
            return null;
        }

        input = await ShrinkAsync(worker, input, kind, cancellationToken);
        var story = kind == FindingKind.Hangs
            ? "It did not return within a second of computing or 20 of waiting."
            : $"It ended the process with {result.ExitCode}.\n{result.Errors}";
        report.Say(_findings.Keep(target.Name, new Finding(kind, "", story), input));
        return input;
    }

    private static async Task<byte[]> ShrinkAsync(Worker worker, byte[] input, FindingKind kind, CancellationToken cancellationToken)
    {
        var tries = MostTries;
        for (var block = input.Length / 2; block > 0; block /= 2)
        {
            for (var at = 0; at < input.Length && tries > 0;)
            {
                var without = Minimiser.Without(input, at, block);
                tries--;
                if (await worker.TryAsync(without, cancellationToken) == kind)
                    input = without;
                else
                    at += block;
            }
        }

        return input;
    }
}
