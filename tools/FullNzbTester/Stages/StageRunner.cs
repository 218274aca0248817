using NzbDav.FullNzbTester.Findings;

namespace NzbDav.FullNzbTester.Stages;

/// <summary>
/// Runs the stages of one section one after the other: shows them, limits their time, and turns their exceptions into failures.
/// </summary>
/// <param name="section">Name of the section.</param>
/// <param name="findings">Receives measurements and failures.</param>
/// <param name="display">Shows progress.</param>
/// <param name="time">The clock of all measurements.</param>
/// <param name="limit">The longest that a stage may take, so that one that hangs fails too.</param>
internal sealed class StageRunner(string section, RunFindings findings, IStageDisplay display, TimeProvider time, TimeSpan limit)
{
    public TimeProvider Time => time;

    /// <summary>Runs one stage.</summary>
    /// <returns>False when it failed in any way.</returns>
    public async Task<bool> RunAsync(string name, Func<Stage, CancellationToken, Task> body, CancellationToken cancellationToken)
    {
        var stage = new Stage(name, section, findings, display.Progress);
        using var overdue = new CancellationTokenSource(limit, time);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(overdue.Token, cancellationToken);
        display.Begin(stage.Name);
        var started = time.GetTimestamp();
        try
        {
            await body(stage, either.Token);
        }
        catch (Exception) when (overdue.IsCancellationRequested && !cancellationToken.IsCancellationRequested)
        {
            stage.Fail($"did not end within {limit.TotalSeconds:N0} s.");
        }
        catch (Exception e) when (!cancellationToken.IsCancellationRequested && e is not OutOfMemoryException)
        {
            stage.Fail(
                e is IOException or InvalidOperationException or HttpRequestException ? e.Message : $"{e.GetType().Name}: {e.Message}");
        }

        var passed = findings.FailuresOf(stage.Name) == 0;
        display.End(stage.Name, passed, time.GetElapsedTime(started));
        return passed;
    }
}

/// <summary>Shows a run's progress. One stage at a time; <see cref="Progress"/> may be called from any thread.</summary>
internal interface IStageDisplay
{
    void Begin(string stage);

    /// <summary>Reports progress, 0 to 1.</summary>
    void Progress(double share);

    void End(string stage, bool passed, TimeSpan took);
}
