namespace NzbDav.FullNzbTester.Stages;

/// <summary>Writes one line for each stage, on a terminal with a progress bar.</summary>
/// <param name="output">Receives it.</param>
/// <param name="moving">True for a progress bar; false when the output is a file or a pipe.</param>
/// <param name="time">Clock of the repainting.</param>
internal sealed class ConsoleDisplay(TextWriter output, bool moving, TimeProvider time) : IStageDisplay
{
    private const int BarWidth = 30;
    private static readonly TimeSpan Repaint = TimeSpan.FromMilliseconds(100);

    private readonly Lock _gate = new();
    private string _stage = "";
    private long _painted;

    public void Begin(string stage)
    {
        lock (_gate)
        {
            _stage = stage;
            Paint(0);
        }
    }

    public void Progress(double share)
    {
        if (!moving)
            return;
        lock (_gate)
        {
            if (time.GetElapsedTime(_painted) >= Repaint)
                Paint(share);
        }
    }

    public void End(string stage, bool passed, TimeSpan took)
    {
        lock (_gate)
            output.WriteLine(
                $"{(moving ? "\r" : "")}  {(passed ? "ok  " : "FAIL")}  {stage,-42}{took.TotalSeconds,8:0.00} " +
                $"s{(moving ? new string(' ', BarWidth) : "")}");
    }

    private void Paint(double share)
    {
        if (!moving)
            return;
        _painted = time.GetTimestamp();
        var full = (int)(Math.Clamp(share, 0, 1) * BarWidth);
        output.Write($"\r   …    {_stage,-42} {new string('█', full)}{new string('░', BarWidth - full)}");
    }
}
