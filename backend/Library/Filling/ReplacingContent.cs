using System.Runtime.CompilerServices;
using System.Runtime.ExceptionServices;
using Microsoft.Extensions.Logging;
using NzbDav.Catalog.Tree;
using NzbDav.Content;

namespace NzbDav.Library.Filling;

/// <summary>Knows further copies of what was played from a search. Implemented by the caller that searched. Thread-safe.</summary>
public interface IFileCopies
{
    /// <summary>True if there may be a copy of the file. Cheap.</summary>
    bool Has(CatalogItem item);

    /// <summary>Returns a file of the same size from another copy, which it imports if need be. Skips copies that are dead.</summary>
    /// <param name="item">The file.</param>
    /// <param name="tried">Ids of the files that are not wanted again.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>Null if there is none now.</returns>
    ValueTask<CatalogItem?> NextAsync(CatalogItem item, IReadOnlySet<long> tried, CancellationToken cancellationToken);
}

/// <summary>
/// A posted file that is read on from another copy of its release when bytes of it are lost for good, or while a repair takes long. The
/// copy must have the same length, and the same bytes at places that can still be read here. If the copy fails in its turn, the next one
/// is read. Imports and checks read the file itself. Thread-safe.
/// </summary>
/// <param name="plain">The file, decrypted. Its readers report lost bytes in <see cref="ContentException.Lost"/>.</param>
/// <param name="known">The same file, including bytes kept on disk; it is compared with copies.</param>
/// <param name="item">The file's row.</param>
/// <param name="copies">Knows the copies.</param>
/// <param name="open">Opens the file of a copy, which must not be replaced in its turn: two copies would wait for each other.</param>
/// <param name="time">Clock.</param>
/// <param name="logger">Logs each change to another copy.</param>
internal sealed partial class ReplacingContent(
    IContent plain, IContent known, CatalogItem item, IFileCopies copies,
    Func<CatalogItem, CancellationToken, ValueTask<IContent>> open, TimeProvider time, ILogger logger)
    : DelegatingContent(plain)
{
    /// <summary>How long a search for a copy may take; the player gets the file's own error then.</summary>
    internal static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    /// <summary>How long nothing is searched after nothing was found.</summary>
    internal static readonly TimeSpan Pause = TimeSpan.FromSeconds(30);

    /// <summary>Bytes that are compared at each place.</summary>
    private const int Compared = 64 << 10;

    private readonly Lock _gate = new();

    /// <summary>The files of copies that were read or do not fit. Used by the one search that runs.</summary>
    private readonly HashSet<long> _tried = [];
    private Task<IContent?>? _finding;
    private IContent? _copy;
    private long? _foundNothing;

    /// <summary>The clock.</summary>
    internal TimeProvider Time => time;

    /// <summary>The copy that is read in place of this file; null: none yet.</summary>
    internal IContent? Copy => Volatile.Read(ref _copy);

    /// <summary>True if another copy may be found now.</summary>
    internal bool HasCopies
    {
        get
        {
            lock (_gate)
            {
                return _copy is not null
                    || ((_foundNothing is not { } since || time.GetElapsedTime(since) >= Pause) && copies.Has(item));
            }
        }
    }

    /// <summary>The file itself.</summary>
    internal IContent Plain => Inner;

    public override ContentReader OpenReader(long start, long end, ReadIntent intent) =>
        intent is ReadIntent.Import or ReadIntent.Health || !HasCopies
            ? base.OpenReader(start, end, intent) : new ReplacingReader(this, start, end, intent);

    /// <summary>Finds a copy that has the same bytes. All readers share the search, which goes on when one of them leaves.</summary>
    /// <param name="failed">What could not be read on: a copy, or the file itself.</param>
    /// <param name="position">Where it could not be read on.</param>
    /// <param name="reason">Why not, for the log.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>Null if there is none now.</returns>
    internal Task<IContent?> FindAsync(IContent failed, long position, string reason, CancellationToken cancellationToken)
    {
        lock (_gate)
        {
            if (_copy is { } copy && copy != failed)
                return Task.FromResult<IContent?>(copy);
            Volatile.Write(ref _copy, null);
            if (_finding is null or { IsCompleted: true })
                _finding = Task.Run(() => FindAsync(position, reason), CancellationToken.None);
            return _finding.WaitAsync(cancellationToken);
        }
    }

    /// <summary>Never throws: the file's own error says more to the player.</summary>
    private async Task<IContent?> FindAsync(long position, string reason)
    {
        using var late = new CancellationTokenSource(Patience, time);
        try
        {
            while (await copies.NextAsync(item, _tried, late.Token) is { } other)
            {
                if (await OpenAsync(other, position, late.Token) is not { } content)
                    continue;
                LogReplaced(logger, item.Name, other.Name, other.Id, position, reason);
                lock (_gate)
                    Volatile.Write(ref _copy, content);
                return content;
            }
        }
        catch (Exception e)
        {
            LogNoneFound(logger, item.Name, late.IsCancellationRequested ? $"none within {Patience.TotalSeconds} s" : e.Message);
        }

        lock (_gate)
            _foundNothing = time.GetTimestamp();
        return null;
    }

    /// <summary>The file of a copy; null if it is no copy, or cannot be read.</summary>
    /// <exception cref="ContentException">No source answers now: nothing is known of the copy.</exception>
    private async Task<IContent?> OpenAsync(CatalogItem other, long position, CancellationToken cancellationToken)
    {
        try
        {
            var content = await open(other, cancellationToken);
            _tried.Add(other.Id);
            if (content.Length == Length && await IsSameAsync(content, other, position, cancellationToken))
                return content;
            LogDiffers(logger, item.Name, other.Name, other.Id);
        }
        catch (ContentException e) when (e.Fault == ContentFault.Unavailable)
        {
            _tried.Remove(other.Id);
            throw;
        }
        catch (ContentException e)
        {
            LogUnreadable(logger, item.Name, other.Name, other.Id, e.Message);
        }

        return null;
    }

    /// <summary>
    /// Compares the beginning, what lies before the lost bytes, and the end, as far as the providers still have them. If they have nothing
    /// of it, the names of the files must be equal, beside their lengths.
    /// </summary>
    private async Task<bool> IsSameAsync(IContent copy, CatalogItem other, long position, CancellationToken cancellationToken)
    {
        var length = Math.Min(Compared, Length);
        var compared = 0;
        foreach (var start in (long[])[0, Math.Max(0, position - length), Length - length])
        {
            byte[] own;
            try
            {
                own = await ReadAsync(known, new ByteSpan(start, start + length), cancellationToken);
            }
            catch (ContentException e) when (e.Fault != ContentFault.Unavailable)
            {
                continue;
            }

            compared++;
            var its = await ReadAsync(copy, new ByteSpan(start, start + length), cancellationToken);
            if (!own.AsSpan().SequenceEqual(its))
                return false;
        }

        return compared > 0 || other.Name == item.Name;
    }

    private static async Task<byte[]> ReadAsync(IContent content, ByteSpan place, CancellationToken cancellationToken)
    {
        var bytes = new byte[place.Length];
        await using var stream = new CombinedStream(content, ReadIntent.Probe) { Position = place.Start };
        await stream.ReadExactlyAsync(bytes, cancellationToken);
        return bytes;
    }

    [LoggerMessage(304, LogLevel.Warning,
        "{File} cannot be read on from byte {Position}. Another copy of it, {Other} ({Id}), takes its place: {Reason}")]
    private static partial void LogReplaced(ILogger logger, string file, string other, long id, long position, string reason);

    [LoggerMessage(305, LogLevel.Warning, "{Other} ({Id}) is no copy of {File}: its bytes differ.")]
    private static partial void LogDiffers(ILogger logger, string file, string other, long id);

    [LoggerMessage(306, LogLevel.Warning, "{Other} ({Id}), a copy of {File}, cannot be read: {Reason}")]
    private static partial void LogUnreadable(ILogger logger, string file, string other, long id, string reason);

    [LoggerMessage(307, LogLevel.Warning, "Another copy of {File} could not be found: {Reason}")]
    private static partial void LogNoneFound(ILogger logger, string file, string reason);
}

/// <summary>Reads a file, and goes on with a copy of it where it cannot be read.</summary>
internal sealed class ReplacingReader : DelegatingReader
{
    /// <summary>How long a repair may keep a reader before a copy is looked for: a player with a small buffer does not notice it.</summary>
    internal static readonly TimeSpan RepairPatience = TimeSpan.FromMilliseconds(500);

    private readonly ReplacingContent _content;
    private readonly long _end;
    private readonly ReadIntent _intent;

    /// <summary>What is read now: the file itself, or a copy.</summary>
    private IContent _source;
    private ReaderWait? _wait;
    private ReaderWait? _before;

    /// <param name="content">What is read.</param>
    /// <param name="start">The first byte.</param>
    /// <param name="end">One past the last byte.</param>
    /// <param name="intent">Why it is read.</param>
    public ReplacingReader(ReplacingContent content, long start, long end, ReadIntent intent)
    {
        (_content, _end, _intent, _source) = (content, end, intent, content.Copy ?? content.Plain);
        Inner = _source.OpenReader(start, end, intent);
    }

    public override ValueTask<ContentLease> NextAsync(CancellationToken cancellationToken)
    {
        if (!_content.HasCopies)
            return base.NextAsync(cancellationToken);
        var stop = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        var next = base.NextAsync(stop.Token);
        if (!next.IsCompletedSuccessfully)
            return AwaitAsync(next, stop, cancellationToken);
        stop.Dispose();
        return next;
    }

    public override ReaderState Observe()
    {
        var state = base.Observe();
        return Volatile.Read(ref _wait) is { } wait && state.LastWait == _before ? state with { LastWait = wait } : state;
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    private async ValueTask<ContentLease> AwaitAsync(
        ValueTask<ContentLease> next, CancellationTokenSource stop, CancellationToken cancellationToken)
    {
        var (began, position) = (_content.Time.GetTimestamp(), Position);
        while (true)
        {
            IContent? copy;
            string reason;
            try
            {
                (var lease, copy) = await WaitAsync(next.AsTask(), position, stop, cancellationToken);
                if (lease is not null)
                    return lease;
                reason = "A repair took long.";
            }
            catch (ContentException error) when (error.Fault != ContentFault.Unavailable || error.Lost is not null)
            {
                copy = await _content.FindAsync(_source, position, error.Message, cancellationToken);
                if (copy is null)
                    ExceptionDispatchInfo.Throw(error);
                reason = error.Message;
            }
            finally
            {
                stop.Dispose();
            }

            await ReplaceAsync(copy!, position, reason, began);
            stop = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
            next = base.NextAsync(stop.Token);
        }
    }

    /// <summary>Waits for a read. If a repair holds it up, a copy is looked for meanwhile.</summary>
    /// <returns>What was read, or the copy that is there first.</returns>
    private async Task<(ContentLease? Lease, IContent? Copy)> WaitAsync(
        Task<ContentLease> reading, long position, CancellationTokenSource stop, CancellationToken cancellationToken)
    {
        var isTaken = false;
        try
        {
            while (await Task.WhenAny(reading, Task.Delay(RepairPatience, _content.Time, stop.Token)) != reading)
            {
                cancellationToken.ThrowIfCancellationRequested();
                if (Inner!.Observe().Source != RepairingReader.RepairSource)
                    continue;
                var finding = _content.FindAsync(_source, position, "its repair takes long.", cancellationToken);
                if (await Task.WhenAny(reading, finding) == reading || await finding is not { } found)
                    break;
                return (null, found);
            }

            var lease = await reading;
            isTaken = true;
            return (lease, null);
        }
        finally
        {
            // Ends the delay and the read. What comes at the last moment is read again.
            await stop.CancelAsync();
            if (!isTaken)
            {
                await ((Task)reading).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
                if (reading.IsCompletedSuccessfully)
                    (await reading).Dispose();
            }
        }
    }

    private async ValueTask ReplaceAsync(IContent copy, long position, string reason, long began)
    {
        var before = Inner!;
        var state = before.Observe();
        _before = state.LastWait;
        if (_content.Time.GetElapsedTime(began) is var waited && waited >= ReaderWait.Least)
            Volatile.Write(ref _wait, new ReaderWait(state.Segment, waited, $"{reason} Another copy of the release was read on."));
        Inner = copy.OpenReader(position, _end, _intent);
        _source = copy;
        await before.DisposeAsync();
    }
}
