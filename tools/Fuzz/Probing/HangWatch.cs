using System.Diagnostics;

namespace NzbDav.Fuzz.Probing;

/// <summary>
/// Ends the process when one run takes too long: <see cref="MostComputed"/> of the processor, or <see cref="MostWaited"/> of waiting. The first is the
/// process's own time, so that a busy machine hangs nobody. Has a thread of its own until it is disposed.
/// </summary>
internal sealed class HangWatch : IDisposable
{
    /// <summary>How the process ends.</summary>
    public const int ExitCode = 3;

    /// <summary>Inputs have some kilobytes; whoever computes for a second over them can be kept busy by a stranger.</summary>
    private static readonly TimeSpan MostComputed = TimeSpan.FromSeconds(1);

    /// <summary>Nothing that is parsed has anything to wait for.</summary>
    private static readonly TimeSpan MostWaited = TimeSpan.FromSeconds(20);

    private static readonly TimeSpan Every = TimeSpan.FromMilliseconds(100);

    private readonly CurrentInput _current;
    private readonly ManualResetEventSlim _end = new();
    private readonly Thread _thread;

    /// <param name="current">Tells which run is under way.</param>
    public HangWatch(CurrentInput current)
    {
        _current = current;
        _thread = new Thread(Watch) { IsBackground = true, Name = "Hang watch" };
        _thread.Start();
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _end.Set();
        _thread.Join();
        _end.Dispose();
    }

    private void Watch()
    {
        using var process = Process.GetCurrentProcess();
        var run = 0L;
        var computed = TimeSpan.Zero;
        var began = 0L;
        while (!_end.Wait(Every))
        {
            process.Refresh();
            if (_current.Run is var now && (now != run || now % 2 == 0))
            {
                run = now;
                computed = process.TotalProcessorTime;
                began = Stopwatch.GetTimestamp();
            }
            else if (process.TotalProcessorTime - computed > MostComputed || Stopwatch.GetElapsedTime(began) > MostWaited)
            {
                Environment.Exit(ExitCode);
            }
        }
    }
}
