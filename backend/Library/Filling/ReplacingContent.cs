using System.Runtime.CompilerServices;
using Microsoft.Extensions.Logging;
using NzbDav.Catalog.Tree;
using NzbDav.Content;

namespace NzbDav.Library.Filling;

/// <summary>Knows further copies of what was played from a search. Implemented by the caller that searched. Thread-safe.</summary>
public interface IFileCopies
{
    /// <summary>True if there is a copy of the file that has not been tried, as far as is known. Cheap.</summary>
    bool Has(CatalogItem item);

    /// <summary>Imports the next copy of a file, skipping those that are dead, and returns its file of the same size.</summary>
    /// <param name="item">The file.</param>
    /// <param name="index">How many copies of this file were returned before.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>Null if there are no more.</returns>
    ValueTask<CatalogItem?> NextAsync(CatalogItem item, int index, CancellationToken cancellationToken);
}

/// <summary>
/// A posted file that is read on from another copy of its release when bytes of it are lost for good, or while a repair takes long. The
/// copy must have the same length, and the same bytes at places that can still be read here. Thread-safe.
/// </summary>
/// <param name="plain">The file, decrypted. Its readers report lost bytes in <see cref="ContentException.Lost"/>.</param>
/// <param name="known">The same file, including bytes kept on disk; it is compared with copies.</param>
/// <param name="item">The file's row.</param>
/// <param name="copies">Knows the copies.</param>
/// <param name="open">Opens the file of a copy.</param>
/// <param name="time">Clock.</param>
/// <param name="logger">Logs each change to another copy.</param>
internal sealed partial class ReplacingContent(
    IContent plain, IContent known, CatalogItem item, IFileCopies copies,
    Func<CatalogItem, CancellationToken, ValueTask<IContent>> open, TimeProvider time, ILogger logger)
    : DelegatingContent(plain)
{
    /// <summary>Bytes that are compared at each place.</summary>
    private const int Compared = 64 << 10;

    private readonly Lock _gate = new();
    private Task<IContent?>? _finding;
    private IContent? _copy;
    private int _returned;

    /// <summary>The clock.</summary>
    internal TimeProvider Time => time;

    /// <summary>The copy that is read in place of this file; null: none yet.</summary>
    internal IContent? Copy => Volatile.Read(ref _copy);

    /// <summary>True if another copy may be found.</summary>
    internal bool HasCopies => Copy is not null || copies.Has(item);

    public override ContentReader OpenReader(long start, long end, ReadIntent intent) =>
        Copy is { } copy ? copy.OpenReader(start, end, intent)
        : intent is ReadIntent.Import or ReadIntent.Health || !copies.Has(item) ? base.OpenReader(start, end, intent)
        : new ReplacingReader(this, base.OpenReader(start, end, intent), end, intent);

    /// <summary>Finds a copy that has the same bytes. All readers share the search, which goes on when one of them leaves.</summary>
    /// <param name="position">Where this file cannot be read on.</param>
    /// <param name="reason">Why not, for the log.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>Null if there is none.</returns>
    internal Task<IContent?> FindAsync(long position, string reason, CancellationToken cancellationToken)
    {
        lock (_gate)
        {
            if (Copy is { } copy)
                return Task.FromResult<IContent?>(copy);
            if (_finding is null or { IsCompleted: true })
                _finding = Task.Run(() => FindAsync(position, reason), CancellationToken.None);
            return _finding.WaitAsync(cancellationToken);
        }
    }

    private async Task<IContent?> FindAsync(long position, string reason)
    {
        while (await copies.NextAsync(item, _returned, CancellationToken.None) is { } other)
        {
            _returned++;
            try
            {
                var content = await open(other, CancellationToken.None);
                if (content.Length == Length && await IsSameAsync(content, position))
                {
                    LogReplaced(logger, item.Name, other.Name, other.Id, position, reason);
                    Volatile.Write(ref _copy, content);
                    return content;
                }

                LogDiffers(logger, item.Name, other.Name, other.Id);
            }
            catch (Exception e) when (e is ContentException or Catalog.Database.CatalogException)
            {
                LogUnreadable(logger, item.Name, other.Name, other.Id, e.Message);
            }
        }

        return null;
    }

    /// <summary>
    /// Compares the beginning, what lies before the lost bytes, and the end, as far as they can be read here. Where nothing can, the length
    /// decides: two films of one name that are equal to the byte in length are the same film.
    /// </summary>
    private async Task<bool> IsSameAsync(IContent copy, long position)
    {
        var length = Math.Min(Compared, Length);
        foreach (var start in (long[])[0, Math.Max(0, position - length), Length - length])
        {
            byte[] own;
            try
            {
                own = await ReadAsync(known, new ByteSpan(start, start + length));
            }
            catch (ContentException)
            {
                continue;
            }

            var other = await ReadAsync(copy, new ByteSpan(start, start + length));
            if (!own.AsSpan().SequenceEqual(other))
                return false;
        }

        return true;
    }

    private static async Task<byte[]> ReadAsync(IContent content, ByteSpan place)
    {
        var bytes = new byte[place.Length];
        await using var stream = new CombinedStream(content, ReadIntent.Probe) { Position = place.Start };
        await stream.ReadExactlyAsync(bytes);
        return bytes;
    }

    [LoggerMessage(304, LogLevel.Warning,
        "{File} cannot be read on from byte {Position}. Another copy of it, {Other} ({Id}), takes its place: {Reason}")]
    private static partial void LogReplaced(ILogger logger, string file, string other, long id, long position, string reason);

    [LoggerMessage(305, LogLevel.Warning, "{Other} ({Id}) is no copy of {File}: its bytes differ.")]
    private static partial void LogDiffers(ILogger logger, string file, string other, long id);

    [LoggerMessage(306, LogLevel.Warning, "{Other} ({Id}), a copy of {File}, cannot be read: {Reason}")]
    private static partial void LogUnreadable(ILogger logger, string file, string other, long id, string reason);
}

/// <summary>Reads a file, and goes on with a copy of it where it cannot be read.</summary>
/// <param name="content">What is read.</param>
/// <param name="inner">The reader of the file itself; owned.</param>
/// <param name="end">One past the last byte of the range.</param>
/// <param name="intent">Why it is read.</param>
internal sealed class ReplacingReader(ReplacingContent content, ContentReader inner, long end, ReadIntent intent) : DelegatingReader(inner)
{
    /// <summary>How long a repair may keep a reader before a copy is looked for: a player with a small buffer does not notice it.</summary>
    internal static readonly TimeSpan RepairPatience = TimeSpan.FromMilliseconds(500);

    private bool _isReplaced;
    private ReaderWait? _wait;
    private ReaderWait? _before;

    public override ValueTask<ContentLease> NextAsync(CancellationToken cancellationToken)
    {
        if (_isReplaced || !content.HasCopies)
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
        using var _ = stop;
        var (began, position) = (content.Time.GetTimestamp(), Position);
        var reading = next.AsTask();
        try
        {
            while (await Task.WhenAny(reading, Task.Delay(RepairPatience, content.Time, stop.Token)) != reading)
            {
                cancellationToken.ThrowIfCancellationRequested();
                if (!IsRepairing)
                    continue;
                var finding = content.FindAsync(position, "its repair takes long.", cancellationToken);
                if (await Task.WhenAny(reading, finding) == reading || await finding is not { } found)
                    break;
                await stop.CancelAsync();
                await DropAsync(reading);
                await ReplaceAsync(found, position, "A repair took long.", began);
                return await base.NextAsync(cancellationToken);
            }

            return await reading;
        }
        catch (ContentException error) when (error.Fault != ContentFault.Unavailable || error.Lost is not null)
        {
            if (await content.FindAsync(position, error.Message, cancellationToken) is not { } copy)
                throw;
            await ReplaceAsync(copy, position, error.Message, began);
            return await base.NextAsync(cancellationToken);
        }
        finally
        {
            // Ends the delay too.
            var isPending = !reading.IsCompleted;
            await stop.CancelAsync();
            if (isPending)
                await DropAsync(reading);
        }
    }

    private bool IsRepairing => Inner!.Observe().Source == RepairingReader.RepairSource;

    /// <summary>Waits until a read has ended. What it brought at the last moment is read again.</summary>
    private static async Task DropAsync(Task<ContentLease> reading)
    {
        await ((Task)reading).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        if (reading.IsCompletedSuccessfully)
            (await reading).Dispose();
    }

    private async ValueTask ReplaceAsync(IContent copy, long position, string reason, long began)
    {
        var before = Inner!;
        var state = before.Observe();
        _before = state.LastWait;
        if (content.Time.GetElapsedTime(began) is var waited && waited >= ReaderWait.Least)
            Volatile.Write(ref _wait, new ReaderWait(state.Segment, waited, $"{reason} Another copy of the release was read on."));
        Inner = copy.OpenReader(position, end, intent);
        _isReplaced = true;
        await before.DisposeAsync();
    }
}
