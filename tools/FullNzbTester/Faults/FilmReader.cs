using NzbDav.FullNzbTester.Comparing;
using NzbDav.FullNzbTester.Dav;
using NzbDav.FullNzbTester.Findings;

namespace NzbDav.FullNzbTester.Faults;

/// <summary>
/// A player that reads part of a film, compares every byte, and repeats the request where a response is cut. It throws only when it is
/// cancelled; a read that takes too long ends it. Not thread-safe.
/// </summary>
/// <param name="target">The film.</param>
/// <param name="film">Its bytes.</param>
/// <param name="articleSize">Bytes of an article: after a cut, this many bytes before it may be wrong.</param>
/// <param name="hung">A read that takes longer hangs.</param>
/// <param name="time">The clock.</param>
/// <param name="took">Called with the duration of each read in milliseconds; may be null.</param>
internal sealed class FilmReader(
    DavTarget target, SourceBytes film, int articleSize, TimeSpan hung, TimeProvider time, Action<double>? took = null) : IDisposable
{
    /// <summary>After this many cuts the reader gives up.</summary>
    private const int MostCuts = 100;

    private readonly RangeClient _client = new(target, time);

    /// <summary>
    /// True: requests everything to the end of the film and stops after its part, as players do. False: requests just its part.
    /// </summary>
    public bool AsksToTheEnd { get; set; }

    /// <summary>Duration of each read.</summary>
    public ReadTimes Times { get; } = new() { Added = took };

    /// <summary>Bytes received, right or wrong.</summary>
    public long Received { get; private set; }

    /// <summary>Wrong bytes, except those right before a cut.</summary>
    public long Wrong { get; private set; }

    /// <summary>Responses that were cut, so the reader had to ask again.</summary>
    public int Cuts { get; private set; }

    /// <summary>True if a read did not end.</summary>
    public bool Hung { get; private set; }

    /// <summary>Why it could not finish; null when it could.</summary>
    public string? Failure { get; private set; }

    /// <summary>Reads a part.</summary>
    /// <param name="start">First byte.</param>
    /// <param name="length">Bytes.</param>
    /// <param name="came">Called with the number of bytes received; may be null.</param>
    /// <param name="before">Awaited before each further read; its time does not count. May be null.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <returns>False when it could not finish.</returns>
    public async Task<bool> ReadAsync(
        long start, long length, Action<long>? came, Func<CancellationToken, Task>? before, CancellationToken cancellationToken)
    {
        using var overdue = new CancellationTokenSource();
        using var either = CancellationTokenSource.CreateLinkedTokenSource(overdue.Token, cancellationToken);
        var from = start;
        try
        {
            while (true)
            {
                var rest = start + length - from;
                var request = (AsksToTheEnd ? RangeRequest.Open(from, rest) : RangeRequest.Closed(from, rest)) with
                {
                    Times = Times,
                    Came = bytes =>
                    {
                        Received += bytes;
                        came?.Invoke(bytes);
                    },
                    Before = async token =>
                    {
                        overdue.CancelAfter(Timeout.InfiniteTimeSpan);
                        if (before is not null)
                            await before(token);
                        overdue.CancelAfter(hung);
                    },
                };
                overdue.CancelAfter(hung);
                using var check = new FilmCheck(film, from);
                var read = await GetAsync(request, check, either.Token);
                overdue.CancelAfter(Timeout.InfiniteTimeSpan);
                var end = from + read.Received;

                // The last article of a cut response was not verified yet; the cut shows that to the reader.
                if (read.IsCut && check.FirstWrong >= end - articleSize)
                    check.Forgive();
                Wrong += check.Wrong;
                if (read.Fault is not { } fault)
                    return true;
                if (!read.IsCut || ++Cuts > MostCuts)
                {
                    Failure = $"bytes {from:N0} to {start + length - 1:N0}: {fault}";
                    return false;
                }

                from = Math.Max(start, end - articleSize);
            }
        }
        catch (OperationCanceledException) when (!cancellationToken.IsCancellationRequested)
        {
            Hung = true;
            Failure = $"a read at byte {start + Received:N0} or shortly before did not end within {hung.TotalSeconds:0} s";
            Times.Add(hung, from);
            return false;
        }
    }

    public void Dispose() => _client.Dispose();

    private async Task<RangeRead> GetAsync(RangeRequest request, FilmCheck check, CancellationToken cancellationToken)
    {
        try
        {
            return await _client.GetAsync(request, check, cancellationToken);
        }
        catch (OperationCanceledException)
        {
            Wrong += check.Wrong;
            throw;
        }
    }
}
