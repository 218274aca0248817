using System.Diagnostics;
using System.Globalization;

namespace NzbDav.Fuzz.Probing;

/// <summary>
/// Ends the process if one run takes too long: <see cref="MostComputed"/> of CPU time, or <see cref="MostWaited"/> of waiting. The first is
/// the process's own CPU time, so that a busy machine causes no false alarm. Has its own thread until it is disposed.
/// </summary>
internal sealed class HangWatch : IDisposable
{
    /// <summary>Exit code of the process after a hang.</summary>
    public const int ExitCode = 3;

    /// <summary>CPU time. Inputs have a few kilobytes: a parser that needs a second for one is open to denial of service.</summary>
    private static readonly TimeSpan MostComputed = TimeSpan.FromSeconds(1);

    /// <summary>
    /// Counted in ticks of <see cref="Every"/>, so that a process that gets no processor does not seem to wait. No parser here has anything
    /// to wait for.
    /// </summary>
    private static readonly TimeSpan MostWaited = TimeSpan.FromSeconds(20);

    private static readonly TimeSpan Every = TimeSpan.FromMilliseconds(100);

    private readonly CurrentInput _current;
    private readonly ManualResetEventSlim _end = new();
    private readonly Thread _thread;

    /// <param name="current">Provides the number of the current run.</param>
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
        var looks = 0;
        while (!_end.Wait(Every))
        {
            process.Refresh();
            if (_current.Run is var now && (now != run || now % 2 == 0))
            {
                run = now;
                computed = process.TotalProcessorTime;
                looks = 0;
            }
            else if (process.TotalProcessorTime - computed > MostComputed || Every * ++looks > MostWaited)
            {
                Console.Error.WriteLine(string.Create(CultureInfo.InvariantCulture,
                    $"One run computed for {(process.TotalProcessorTime - computed).TotalSeconds:F1} s and was looked at {looks} times."));
                Environment.Exit(ExitCode);
            }
        }
    }
}
