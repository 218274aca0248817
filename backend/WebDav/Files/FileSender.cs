using System.Diagnostics.Metrics;
using System.Globalization;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.AspNetCore.Server.Kestrel.Core.Features;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using NzbDav.Content;
using NzbDav.Content.Recording;
using NzbDav.WebDav.Requests;
using NzbDav.WebDav.Store;
using NzbDav.WebDav.Streams;

namespace NzbDav.WebDav.Files;

/// <summary>
/// Responds to GET and HEAD for one file, including conditions and ranges. All URLs that serve bytes use it. Decides everything possible
/// before it opens the file, and chooses a status only when the first bytes are available.
/// </summary>
public sealed partial class FileSender
{
    // A range up to this length is a read of headers or an index, which read-ahead would only delay.
    private const long ProbeLimit = 64 << 10;

    private readonly TimeProvider _time;
    private readonly WebDavOptions _options;
    private readonly ILogger<FileSender> _logger;
    private readonly SendMetrics _metrics;
    private readonly SendPieces _pieces = new();
    private readonly ActiveStreams? _streams;

    /// <param name="time">Clock for the deadline of the first byte.</param>
    /// <param name="options">Settings.</param>
    /// <param name="logger">Logs responses that failed or were aborted.</param>
    /// <param name="meters">Creates the meter; null when nobody listens.</param>
    /// <param name="streams">Tracks the streams; null: they are not tracked.</param>
    public FileSender(TimeProvider time, IOptions<WebDavOptions> options, ILogger<FileSender> logger, IMeterFactory? meters = null,
        ActiveStreams? streams = null)
    {
        ArgumentNullException.ThrowIfNull(options);
        _time = time;
        _options = options.Value;
        _logger = logger;
        _metrics = new SendMetrics(meters, time);
        _streams = streams;
    }

    /// <summary>Responds to the request.</summary>
    /// <param name="http">A GET or HEAD whose response has not started.</param>
    /// <param name="file">The file to send.</param>
    /// <param name="path">Path of the file for logs; formatted only if something goes wrong.</param>
    /// <param name="origin">The kind of address that was requested.</param>
    /// <param name="refuse">Writes refusals; null: as plain text.</param>
    public Task SendAsync(
        HttpContext http, IStoreFile file, StorePath path, StreamOrigin origin = StreamOrigin.Dav, RefusalWriter? refuse = null)
    {
        refuse ??= Reply.TextAsync;
        ArgumentNullException.ThrowIfNull(http);
        ArgumentNullException.ThrowIfNull(file);
        var (request, response) = (http.Request, http.Response);
        var modified = ItemDates.Clamp(file.ModifiedAt);
        switch (Preconditions.Evaluate(request.Headers, isRead: true, file.ETag, modified))
        {
            case PreconditionOutcome.Failed:
                return refuse(http, StatusCodes.Status412PreconditionFailed, "The file is not in the state that the request expects.");
            case PreconditionOutcome.NotModified:
                FileHeaders.SetValidators(response, file, modified);
                response.StatusCode = StatusCodes.Status304NotModified;
                return Task.CompletedTask;
        }

        if (HttpMethods.IsHead(request.Method))
        {
            // "A server MUST ignore a Range header field received with a request method that is unrecognized or for which range
            // handling is not defined": it is defined for GET only.
            FileHeaders.SetHeaders(response, file, modified, file.ContentType, file.Length);
            return Task.CompletedTask;
        }

        var ranges = request.Headers.Range is { Count: 1 } range && Preconditions.RangeApplies(request.Headers.IfRange, file.ETag, modified)
            ? ByteRanges.Evaluate(range[0], file.Length)
            : default;
        if (ranges.Outcome == RangeOutcome.Unsatisfiable)
        {
            FileHeaders.SetValidators(response, file, modified);
            response.StatusCode = StatusCodes.Status416RangeNotSatisfiable;
            response.Headers.ContentRange = string.Create(CultureInfo.InvariantCulture, $"bytes */{file.Length}");
            response.ContentLength = 0;
            return Task.CompletedTask;
        }

        if (file.Length == 0)
        {
            FileHeaders.SetHeaders(response, file, modified, file.ContentType, 0);
            return Task.CompletedTask;
        }

        return SendBodyAsync(http, file, modified, ranges, path, origin, refuse);
    }

    private async Task SendBodyAsync(HttpContext http, IStoreFile file, DateTimeOffset modified, ByteRanges ranges, StorePath path,
        StreamOrigin origin, RefusalWriter refuse)
    {
        var isPartial = ranges.Outcome == RangeOutcome.Parts;
        ByteSpan[] parts = isPartial ? ranges.Parts : [new(0, file.Length)];
        StreamResponse? stream = null;
        if (_streams is not null && file.Id is { } id)
        {
            stream = _streams.Begin(StreamClient.SourceOf(http, id, file.Name, file.Length, path.Segments, origin), parts[0].Start,
                parts[0].End, IntentFor(parts[0], stream: null), http.Abort);
            if (stream is null)
            {
                await refuse(
                    http, StatusCodes.Status403Forbidden, "Somebody has ended this stream: it may begin again half a minute later.");
                return;
            }
        }

        using var trace = SendTrace.Begin(path, parts, file.Length);
        _metrics.Opened();
        _pieces.Opened();
        try
        {
            await SendBodyAsync(http, file, modified, isPartial, parts, path, trace, stream, refuse);
        }
        finally
        {
            if (stream is not null)
                _streams!.Close(stream);
            _pieces.Closed();
            _metrics.Closed();
        }
    }

    private async Task SendBodyAsync(HttpContext http, IStoreFile file, DateTimeOffset modified, bool isPartial, ByteSpan[] parts,
        StorePath path, SendTrace trace, StreamResponse? stream, RefusalWriter refuse)
    {
        var began = _metrics.Now();
        if (stream is not null)
            stream.LongWait = (waited, wait) => ReportWait(path, trace, stream, waited, wait);
        var backlog = ClientBacklog.Of(http, stream, _time);
        var first = await ReadFirstBytesAsync(file, parts[0], path, trace, stream, backlog, http.RequestAborted);
        if (first.Content is not null)
        {
            _metrics.FirstByte(began);
            trace.FirstByte();
            stream?.FirstByte();
        }

        if (first.ClientGone)
        {
            End(trace, stream, ResponseEnd.ClientGone);
            LogClientGone(_logger, path);
            return;
        }

        if (first.Content is null)
        {
            End(trace, stream, ResponseEnd.Refused, first.Fault);
            LogNoFirstByte(_logger, path, first.Fault, first.Reason);
            await RefuseAsync(http, first.Fault, first.Reason, refuse);
            return;
        }

        // A paused player may read nothing for hours; the default minimum rate would end the connection.
        if (http.Features.Get<IHttpMinResponseDataRateFeature>() is { } rate)
            rate.MinDataRate = null;
        http.Features.Get<IHttpResponseBodyFeature>()?.DisableBuffering();

        MultipartRanges? frame = null;
        if (parts.Length == 1)
        {
            FileHeaders.SetHeaders(http.Response, file, modified, file.ContentType, parts[0].Length);
            if (isPartial)
                http.Response.Headers.ContentRange = string.Create(
                    CultureInfo.InvariantCulture, $"bytes {parts[0].Start}-{parts[0].End - 1}/{file.Length}");
        }
        else
        {
            frame = new MultipartRanges(parts, file.ContentType, file.Length);
            FileHeaders.SetHeaders(http.Response, file, modified, frame.ContentType, frame.ContentLength);
        }

        if (isPartial)
            http.Response.StatusCode = StatusCodes.Status206PartialContent;
        await SendPartsAsync(http, first, parts, frame, path, trace, stream, backlog);
    }

    /// <summary>
    /// Sends the parts. From here on a fault can only be signalled by aborting the connection: a short body never ends cleanly.
    /// </summary>
    private async Task SendPartsAsync(
        HttpContext http, FirstBytes first, ByteSpan[] parts, MultipartRanges? frame, StorePath path, SendTrace trace,
        StreamResponse? stream, ClientBacklog? backlog)
    {
        var (aborted, writer) = (http.RequestAborted, http.Response.BodyWriter);
        var reader = first.Reader!;
        var lease = first.Lease;
        var part = 0;
        try
        {
            for (; part < parts.Length; part++)
            {
                if (part > 0)
                {
                    trace.Sent(reader.Position - parts[part - 1].Start);
                    await reader.DisposeAsync();
                    reader = first.Content!.OpenReader(parts[part].Start, parts[part].End, IntentFor(parts[part], stream));
                    reader.Follow(backlog);
                    lease = null;
                    stream?.RangeRequested(parts[part].Start, parts[part].End, IntentFor(parts[part], stream));
                }

                stream?.Reads(reader, parts[part].Start);
                frame?.WriteHeader(writer, part);
                var outcome = await BodyPump.SendAsync(reader, lease, parts[part].Length, writer, _pieces, _metrics, stream, aborted);
                if (outcome == BodyOutcome.Short)
                    throw new ContentException(ContentFault.Corrupt, "The source ended before the range did.");
                if (outcome == BodyOutcome.ClientGone)
                {
                    // A flush can detect a closed connection before the server does. Returning now would look like a response that the
                    // application left too short, which the server logs as an error.
                    http.Abort();
                    End(trace, stream, ResponseEnd.ClientGone);
                    LogClientGone(_logger, path);
                    return;
                }
            }

            if (frame is not null)
                await frame.WriteEndAsync(writer, aborted);
            End(trace, stream, ResponseEnd.Complete);
        }
        catch (Exception e) when (aborted.IsCancellationRequested && e is OperationCanceledException or ContentException)
        {
            End(trace, stream, ResponseEnd.ClientGone);
            LogClientGone(_logger, path);
        }
        catch (ContentException e)
        {
            var range = parts[part];
            End(trace, stream, ResponseEnd.Broken, e.Fault);
            LogBroken(_logger, path, range.End - reader.Position, range.Start, range.End - 1, e.Fault, e.Message);
            http.Abort();
        }
        finally
        {
            trace.Sent(reader.Position - parts[Math.Min(part, parts.Length - 1)].Start);
            await reader.DisposeAsync();
        }
    }

    private static void End(SendTrace trace, StreamResponse? stream, ResponseEnd outcome, ContentFault? fault = null)
    {
        if (stream is not null)
            stream.Outcome = outcome;
        trace.End(outcome switch
        {
            ResponseEnd.Complete => SendTrace.Complete,
            ResponseEnd.Refused => SendTrace.Refused,
            ResponseEnd.Broken => SendTrace.Broken,
            _ => SendTrace.ClientGone
        }, fault);
    }

    private async Task RefuseAsync(HttpContext http, ContentFault fault, string? reason, RefusalWriter refuse)
    {
        if (fault == ContentFault.Unavailable)
        {
            Reply.SetRetryAfter(http.Response, _options.RetryAfter);
            await refuse(http, StatusCodes.Status503ServiceUnavailable, reason ?? "No source answers now.");
            return;
        }

        // 404 and not 5xx: rclone and players would retry again and again for bytes that are gone.
        await refuse(http, StatusCodes.Status404NotFound, reason ?? "The file's bytes are gone.");
    }

    private static ReadIntent IntentFor(ByteSpan range, StreamResponse? stream) =>
        range.Length <= ProbeLimit ? ReadIntent.Probe : stream?.Stream.YieldMode is null ? ReadIntent.Playback : ReadIntent.Scan;
}

/// <summary>Responds with a status and a reason for people, in the format of the interface that was called.</summary>
/// <param name="http">The request; its response has not started.</param>
/// <param name="status">The status, 4xx or 5xx.</param>
/// <param name="reason">Why, as a sentence.</param>
public delegate Task RefusalWriter(HttpContext http, int status, string reason);
