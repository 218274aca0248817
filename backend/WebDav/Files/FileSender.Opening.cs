using NzbDav.Content;
using NzbDav.WebDav.Store;
using NzbDav.WebDav.Streams;

namespace NzbDav.WebDav.Files;

/// <summary>Waiting for the first bytes; until then the status can still change.</summary>
public sealed partial class FileSender
{
    /// <summary>Opens the file and waits for the first bytes, no longer than clients do.</summary>
    private async Task<FirstBytes> ReadFirstBytesAsync(
        IStoreFile file, ByteSpan range, StorePath path, SendTrace trace, StreamResponse? stream, ClientBacklog? backlog,
        CancellationToken aborted)
    {
        var began = _time.GetTimestamp();
        using var deadline = new CancellationTokenSource(_options.FirstByteTimeout, _time);
        using var timeout = CancellationTokenSource.CreateLinkedTokenSource(aborted, deadline.Token);
        ContentReader? reader = null;
        FirstBytes failed;
        try
        {
            var opened = await file.OpenAsync(timeout.Token);
            if (opened.Content is not { } content)
                return new() { Fault = opened.Fault, Reason = opened.Reason };
            if (content.Length != file.Length)
                return new() { Fault = ContentFault.Corrupt, Reason = "The file has another size than the tree says." };
            reader = content.OpenReader(range.Start, range.End, IntentFor(range, stream));
            reader.Follow(backlog);
            var lease = await reader.NextAsync(timeout.Token);
            return new() { Content = content, Reader = reader, Lease = lease };
        }
        catch (ContentException e)
        {
            failed = new() { Fault = e.Fault, Reason = e.Message, ClientGone = aborted.IsCancellationRequested };
        }
        catch (OperationCanceledException) when (aborted.IsCancellationRequested)
        {
            failed = new() { ClientGone = true };
        }
        catch (OperationCanceledException) when (deadline.IsCancellationRequested)
        {
            failed = new() { Fault = ContentFault.Unavailable, Reason = "No source answered in time." };
        }
        catch
        {
            if (reader is not null)
                await reader.DisposeAsync();
            throw;
        }
        finally
        {
            if (_time.GetElapsedTime(began) is var waited && waited >= ReaderWait.Least)
                ReportWait(path, trace, stream, waited, reader?.Observe().LastWait);
        }

        if (reader is not null)
            await reader.DisposeAsync();
        return failed;
    }
}

/// <summary>The result of waiting for the first bytes, before a status is chosen.</summary>
internal readonly record struct FirstBytes
{
    /// <summary>The file; null when it failed or the client left.</summary>
    public IContent? Content { get; init; }

    /// <summary>Open reader that lent <see cref="Lease"/>. Owned by the receiver.</summary>
    public ContentReader? Reader { get; init; }

    /// <summary>The first bytes. Owned by the receiver.</summary>
    public ContentLease? Lease { get; init; }

    /// <summary>True if the client is gone: send nothing.</summary>
    public bool ClientGone { get; init; }

    /// <summary>Why there are no bytes.</summary>
    public ContentFault Fault { get; init; }

    /// <summary>The same as text for people.</summary>
    public string? Reason { get; init; }
}
