namespace NzbDav.Torrents.Work;

/// <summary>
/// Dedicated threads, so that neither hashing nor a slow disk delays the threads that serve the network. Jobs run by rank, the smallest
/// first; those of equal rank in the order in which they were added. Thread-safe.
/// </summary>
internal sealed class BackgroundWorkers : IDisposable
{
    /// <summary>Rank of a piece that a reader is waiting for.</summary>
    public const long Waiting = 0;

    /// <summary>Rank of a piece that no reader will need soon.</summary>
    public const long Someday = long.MaxValue / 4;

#pragma warning disable MA0158 // Monitor.Wait needs an object.
    private readonly object _gate = new();
#pragma warning restore MA0158
    private readonly PriorityQueue<BackgroundJob, (long Rank, long Sequence)> _queue = new();
    private readonly Thread[] _threads;
    private readonly Action<Exception>? _report;
    private long _sequence;
    private int _idle;
    private bool _stopped;

    /// <param name="threads">Number of threads.</param>
    /// <param name="name">Name of the threads.</param>
    /// <param name="report">Receives an exception that a job threw, which is a bug in this program; only the job ends. Must not throw.
    /// Null: the exception ends the process.</param>
    public BackgroundWorkers(int threads, string name, Action<Exception>? report = null)
    {
        _report = report;
        _threads = new Thread[threads];
        for (var i = 0; i < threads; i++)
        {
            _threads[i] = new Thread(Run) { IsBackground = true, Name = name };
            _threads[i].Start();
        }
    }

    /// <summary>
    /// Queues a job. After <see cref="Dispose"/>, runs it on the calling thread, so that no job that holds a buffer is lost.
    /// </summary>
    public void Add(BackgroundJob job, long rank = Waiting)
    {
        lock (_gate)
        {
            if (!_stopped)
            {
                _queue.Enqueue(job, (rank, _sequence++));
                if (_idle > 0)
                    Monitor.Pulse(_gate);
                return;
            }
        }

        Run(job);
    }

    /// <summary>Waits until all queued jobs have run and the threads have ended.</summary>
    public void Dispose()
    {
        lock (_gate)
        {
            _stopped = true;
            Monitor.PulseAll(_gate);
        }

        foreach (var thread in _threads)
            thread.Join();
    }

    private void Run()
    {
        while (true)
        {
            BackgroundJob? job;
            lock (_gate)
            {
                while (!_queue.TryDequeue(out job, out _))
                {
                    if (_stopped)
                        return;
                    _idle++;
                    Monitor.Wait(_gate);
                    _idle--;
                }
            }

            Run(job);
        }
    }

    private void Run(BackgroundJob job)
    {
        try
        {
            job.Run();
        }
        catch (Exception e) when (_report is not null)
        {
            _report(e);
        }
    }
}

/// <summary>Work that must not run on the threads that serve the network.</summary>
internal abstract class BackgroundJob
{
    /// <summary>Does the work. Must not throw.</summary>
    public abstract void Run();
}

/// <summary>A job that calls a function with one argument.</summary>
/// <param name="run">The function; must not throw.</param>
/// <param name="target">The argument.</param>
internal sealed class ActionJob<T>(Action<T> run, T target) : BackgroundJob
{
    public override void Run() => run(target);
}
